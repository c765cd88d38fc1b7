package io.tickmark.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.SettingType;
import io.tickmark.kernel.settings.UserError;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The part of the contract about user errors. */
public abstract class TransportInputContract extends TransportFixture {
    private static final Set<SettingType> ANYTHING_GOES =
            EnumSet.of(SettingType.TEXT, SettingType.TEXT_LIST);

    /** For subclasses. */
    protected TransportInputContract() {}

    @Test
    void shouldDescribeItselfInOneSentence() {
        assertThat(transport().scheme()).matches("[a-z]+(-[a-z]+)*");
        assertThat(transport().summary()).endsWith(".").doesNotContain("\n");
        assertThat(transport().absence()).isEmpty();
    }

    @Test
    void shouldNameAnUnknownParameter() {
        final UserError error = refusedAtOnce(channel().with("noSuchParameter", "1"));

        assertThat(error.kind()).isEqualTo(UserError.Kind.USAGE);
        assertThat(error).hasMessageContaining("noSuchParameter");
    }

    @Test
    void shouldNameAParameterWhoseValueIsOfTheWrongType() {
        final List<SettingDescriptor> checked = SettingDescriptor.of(transport().parameters());

        for (final SettingDescriptor parameter : checked) {
            if (!ANYTHING_GOES.contains(parameter.type())) {
                final UserError error =
                        refusedAtOnce(channel().with(parameter.key(), "not-a-value"));
                assertThat(error.kind()).isEqualTo(UserError.Kind.USAGE);
                assertThat(error).hasMessageContaining(parameter.key());
            }
        }
    }

    @Test
    void shouldRefuseAnAddressThatCannotBeRight() {
        assertThat(badAddresses()).isNotEmpty();
        for (final ChannelUri bad : badAddresses()) {
            final UserError error = refusedAtOnce(bad);
            assertThat(error.kind()).as("%s: %s", bad, error).isEqualTo(UserError.Kind.USAGE);
            assertThat(error).hasMessageContaining(bad.scheme());
        }
    }

    @Test
    void shouldRefuseASecondBindingSideOnTheSameAddress() {
        final Exchange first = bind(channel());
        if (!bindsExclusively()) {
            assertThat(bind(first.channel()).channel().scheme()).isEqualTo(transport().scheme());
            return;
        }

        final UserError error = refused(first.channel());

        assertThat(error.kind()).isEqualTo(UserError.Kind.ENVIRONMENT);
        assertThat(error).hasMessageContaining(first.channel().authority());
    }

    private UserError refused(final ChannelUri channel) {
        final UserError error = catchThrowableOfType(UserError.class, () -> bind(channel));
        assertThat(error).as("opening %s is refused", channel).isNotNull();
        assertThat(error.getMessage()).endsWith(".").doesNotContain("\n");
        return error;
    }

    /** Errors in the text of a channel are reported before anything is started. */
    private UserError refusedAtOnce(final ChannelUri channel) {
        final UserError error = refused(channel);
        final UserError early =
                catchThrowableOfType(UserError.class, () -> transport().traits(channel));
        assertThat(early).as("asking what %s can do is refused", channel).isNotNull();
        assertThat(early.kind()).isEqualTo(error.kind());
        return error;
    }
}

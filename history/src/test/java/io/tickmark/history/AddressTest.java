package io.tickmark.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.history.History.Address;
import io.tickmark.kernel.settings.UserError;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTest {
    /** The driver takes such a URL for none and puts all of it into its error. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgresql://me:secret@127.0.0.1:1/x",
                "postgresql://me:secret@lab-3/x",
                "jdbc:postgresql://me:secret@[::1]/x",
                "postgresql://me:se/secret@lab-3/x",
                "postgresql://me:se?secret@lab-3/x",
                "postgresql:me:secret@lab-3"
            })
    void shouldRefuseAUserBeforeTheHostWithoutShowingIt(final String place) {
        assertThatThrownBy(() -> History.open(place))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("?user=me")
                .hasMessageNotContaining("secret");
    }

    @Test
    void shouldHandPasswordsOverBesideTheUrl() {
        final Address address =
                Address.of(
                        "postgresql://lab-3/x?password=a%26b&user=me@team&sslpassword=100%&ssl=true");

        assertThat(address.name()).isEqualTo("postgresql://lab-3/x?user=me@team&ssl=true");
        assertThat(address.url()).isEqualTo("jdbc:" + address.name());
        assertThat(address.properties())
                .containsEntry("password", "a&b")
                .containsEntry("sslpassword", "100%");
        assertThat(Address.of("jdbc:postgresql:x?user=me&password=a").url())
                .isEqualTo("jdbc:postgresql:x?user=me");
    }

    /** As of ports and slashes, of which the driver complains with the URL. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgresql://127.0.0.1:70000/x?user=me&password=secret",
                "postgresql://127.0.0.1?password=secret",
                "postgresql://127.0.0.1/a/b?password=secret"
            })
    void shouldShowNoPasswordOfAUrlThatIsWrong(final String place) {
        assertThatThrownBy(() -> History.open(place))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("cannot be used")
                .satisfies(error -> {
                    final StringWriter trace = new StringWriter();
                    error.printStackTrace(new PrintWriter(trace, true));
                    assertThat(trace.toString()).doesNotContain("secret");
                });
    }
}

package io.tickmark.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.cli.option.SettingOptions;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

class SettingOptionsTest {
    enum Pace {
        FIXED,
        AS_FAST_AS_POSSIBLE
    }

    record Publisher(
            @Setting(
                            help = "Messages.",
                            byDefault = "10",
                            aliases = {"-numIter", "-n"})
                    long samples,
            @Setting(help = "Lengths.", aliases = "-minSize") List<Integer> sizes,
            @Setting(help = "Peers.", aliases = "-peer") List<String> peer,
            @Setting(help = "Strict.", byDefault = "false", aliases = "-reliable") boolean reliable,
            @Setting(help = "Warm-up, 100 % of it.", aliases = "-w") String warmUp,
            @Setting(help = "Pace.", byDefault = "fixed") Pace pace,
            @Setting(help = "Linger.", byDefault = "1s") Duration linger,
            @Setting(help = "Group.", aliases = "-mcast_rcv_addr") String group) {}

    record Subscriber(
            @Setting(
                            help = "Number.",
                            byDefault = "0",
                            aliases = {"-cookie", "-n"})
                    int cookie,
            @Setting(help = "Strict.", byDefault = "false", aliases = "-reliable")
                    boolean reliable) {}

    private final SettingOptions options =
            new SettingOptions()
                    .add(SettingDescriptor.of(Publisher.class), Set.of())
                    .add(SettingDescriptor.of(Subscriber.class), Set.of());

    @Test
    void shouldTakeTheSpellingsOfOtherToolsAsTheyStand() {
        final Publisher publisher =
                read(
                        "-numIter",
                        "5",
                        "-minSize",
                        "16,64",
                        "-reliable",
                        "-mcast_rcv_addr",
                        "225.1.2.3",
                        "-w",
                        "15,5");
        assertThat(publisher.samples()).isEqualTo(5);
        assertThat(publisher.sizes()).containsExactly(16, 64);
        assertThat(publisher.reliable()).isTrue();
        assertThat(publisher.group()).isEqualTo("225.1.2.3");
        assertThat(publisher.warmUp()).isEqualTo("15,5");
    }

    @Test
    void shouldJoinAnOptionThatIsRepeated() {
        assertThat(read("-peer", "a", "--peer=b,c", "-peer", "d").peer())
                .containsExactly("a", "b", "c", "d");
    }

    @Test
    void shouldTakeAFlagWithAndWithoutItsValue() {
        assertThat(read("--reliable").reliable()).isTrue();
        assertThat(read("--reliable=false").reliable()).isFalse();
        assertThat(read("--reliable", "--linger", "2s").linger()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void shouldTakeDefaultsWhereNothingIsTyped() {
        final ParseResult parsed = parse();
        assertThat(options.values(parsed)).isEmpty();
        assertThat(read().samples()).isEqualTo(10);
    }

    @Test
    void shouldLeaveASharedSpellingToWhoeverHadItFirst() {
        final ParseResult parsed = parse("-n", "7", "-cookie", "3");
        assertThat(options.values(parsed))
                .containsOnly(
                        java.util.Map.entry("samples", "7"), java.util.Map.entry("cookie", "3"));
    }

    @Test
    void shouldNameAnOptionAsItWasTyped() {
        assertThatThrownBy(() -> read("-numIter", "many"))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("-numIter ");
        assertThatThrownBy(() -> read("--samples=many"))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("--samples ");
        assertThat(options.naming(parse()).apply("warmUp")).isEqualTo("--warm-up");
    }

    @Test
    void shouldRefuseAnOptionGivenTwice() {
        assertThatThrownBy(() -> parse("-n", "1", "--samples", "2"))
                .isInstanceOfSatisfying(
                        ParameterException.class,
                        e ->
                                assertThat(FrontDoor.ParseFailure.sentence(e))
                                        .isEqualTo("--samples is given twice; give it once."));
    }

    @Test
    void shouldRefuseAnOptionWithoutItsValue() {
        assertThatThrownBy(() -> parse("--samples"))
                .isInstanceOfSatisfying(
                        ParameterException.class,
                        e ->
                                assertThat(FrontDoor.ParseFailure.sentence(e))
                                        .startsWith("--samples needs a value, N; "));
        assertThatThrownBy(() -> parse("--peer", "--samples", "1"))
                .isInstanceOfSatisfying(
                        ParameterException.class,
                        e ->
                                assertThat(FrontDoor.ParseFailure.sentence(e))
                                        .startsWith("--peer needs a value"));
    }

    @Test
    void shouldRefuseAListThatIsEmpty() {
        assertThatThrownBy(() -> read("--peer", ""))
                .isInstanceOf(UserError.class)
                .hasMessage("--peer is empty; give a value, or leave it out.");
    }

    @Test
    void shouldSuggestTheSideThatWasMeant() {
        final CommandSpec spec = CommandSpec.create().name("tickmark latency");
        assertThatThrownBy(() -> FrontDoor.strict(new CommandLine(spec)).parseArgs("pubb"))
                .isInstanceOfSatisfying(
                        ParameterException.class,
                        e ->
                                assertThat(FrontDoor.ParseFailure.sentence(e))
                                        .isEqualTo(
                                                "unexpected argument 'pubb'; did you mean pub?"));
    }

    @Test
    void shouldSuggestTheOptionThatWasMeant() {
        assertThatThrownBy(() -> parse("-numiterr", "5"))
                .isInstanceOfSatisfying(
                        ParameterException.class,
                        e ->
                                assertThat(FrontDoor.ParseFailure.sentence(e))
                                        .isEqualTo(
                                                "unknown option '-numiterr'; did you mean -numIter?"));
        assertThatThrownBy(() -> parse("surplus"))
                .isInstanceOfSatisfying(
                        ParameterException.class,
                        e ->
                                assertThat(FrontDoor.ParseFailure.sentence(e))
                                        .startsWith("unexpected argument 'surplus'; "));
    }

    @Test
    void shouldLeaveOutWhatIsNotTheUsersToSay() {
        final SettingOptions without =
                new SettingOptions().add(SettingDescriptor.of(Subscriber.class), Set.of("cookie"));
        final CommandSpec spec = CommandSpec.create();
        without.addTo(spec);
        assertThat(spec.findOption("--cookie")).isNull();
        assertThat(spec.findOption("--reliable")).isNotNull();
    }

    private ParseResult parse(final String... args) {
        final CommandSpec spec = CommandSpec.create().name("tickmark test");
        options.addTo(spec);
        return FrontDoor.strict(new CommandLine(spec)).parseArgs(args);
    }

    private Publisher read(final String... args) {
        final ParseResult parsed = parse(args);
        return Settings.read(Publisher.class, options.values(parsed), options.naming(parsed));
    }
}

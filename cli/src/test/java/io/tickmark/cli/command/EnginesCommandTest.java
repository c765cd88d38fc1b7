package io.tickmark.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.cli.output.Terminal;
import io.tickmark.report.RunTables;
import io.tickmark.transport.Transport;
import io.tickmark.transport.Transports;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class EnginesCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(final String... words) {
        return new FrontDoor(
                        new Terminal(
                                new PrintStream(out, true, StandardCharsets.UTF_8),
                                new PrintStream(err, true, StandardCharsets.UTF_8),
                                80,
                                80,
                                false))
                .run(words);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    /** It printed 453 lines, with the parameters of all. */
    @Test
    void shouldListEachEngineInOneLine() {
        assertThat(run("engines")).isZero();

        final Map<String, Transport> all = new Transports().all();
        assertThat(out().lines().takeWhile(line -> !line.isEmpty()))
                .hasSameSizeAs(all.keySet())
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80));
        assertThat(out())
                .containsPattern("(?m)^aeron +Aeron +[a-z ]+$")
                .containsPattern("(?m)^udp +UDP datagrams to one or several addresses +ready$")
                .doesNotContain("?batch");
        assertThat(all.size()).as("one screen").isLessThan(RunTables.SCREEN_LINES - 2);
    }

    @Test
    void shouldSayBelowWhatIsMissingAndHowToGetIt() {
        final String list =
                EnginesCommand.list(
                        new TreeMap<>(
                                Map.of(
                                        "one",
                                                engine(
                                                        "One: at a port.",
                                                        "",
                                                        "the server is not here"),
                                        "same",
                                                engine(
                                                        "Same, again.",
                                                        "",
                                                        "the server is not here"),
                                        "gone", engine("Gone.", "Its library is missing.", ""),
                                        "here", engine("Here; always.", "", ""))),
                        Map.of("pack", "Unpack it."));

        assertThat(list.lines())
                .containsExactly(
                        "gone  Gone                missing",
                        "here  Here                ready",
                        "one   One                 in part",
                        "same  Same                in part",
                        "pack  in a separate pack  not installed",
                        "",
                        "What is missing",
                        "  gone: Its library is missing.",
                        "  one, same: the server is not here.",
                        "  pack: Unpack it.",
                        "",
                        "'tickmark engines NAME' lists the parameters of an engine's channels.");
    }

    private static Transport engine(
            final String summary, final String absence, final String missing) {
        return (Transport)
                Proxy.newProxyInstance(
                        Transport.class.getClassLoader(),
                        new Class<?>[] {Transport.class},
                        (proxy, method, arguments) ->
                                switch (method.getName()) {
                                    case "summary" -> summary;
                                    case "absence" ->
                                            Optional.of(absence).filter(each -> !each.isEmpty());
                                    case "missing" ->
                                            Optional.of(missing).filter(each -> !each.isEmpty());
                                    default -> throw new AssertionError(method);
                                });
    }

    @Test
    void shouldListTheParametersOfTheEngineThatIsNamed() {
        assertThat(run("engines", "udp://127.0.0.1:0")).isZero();

        assertThat(out())
                .startsWith(
                        "udp     UDP datagrams to one or several addresses, on request in kernel")
                .contains("\n  ?batch=", "\n  ?ttl=")
                .doesNotContain("\nmcast");
    }

    @Test
    void shouldListTheParametersOfAllWhereThatIsAskedFor() {
        assertThat(run("engines", "--verbose")).isZero();

        assertThat(out()).contains("\nmcast", "\n  ?batch=", "\nzeromq");
    }

    @Test
    void shouldSayWhichEngineWasPerhapsMeant() {
        assertThat(run("engines", "zeromk")).isEqualTo(2);

        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("'zeromk' is no engine; did you mean zeromq?");
    }
}

package io.tickmark.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.cli.output.Terminal;
import io.tickmark.cli.output.Terminal.StandardOutput;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.lab.result.ResultJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Model.CommandSpec;

class FrontDoorTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void shouldListEveryCommandWithItsSummary() {
        assertThat(run("--help")).isZero();
        assertThat(new CommandTable().entries())
                .allSatisfy(entry ->
                        assertThat(out()).contains("  " + entry.name() + " ", entry.summary()));
    }

    /**
     * The library reports on the error stream a text that it leaves unchanged because it is not a
     * format.
     */
    @Test
    void shouldFormatTheTextsOfEveryCommand() {
        for (final CommandTable.Entry entry : new CommandTable().entries()) {
            for (final String text : entry.command().get().spec().usageMessage().description()) {
                assertThat(String.format(text)).as(entry.name()).isNotNull();
            }
        }
    }

    @Test
    void shouldShowAnExampleInTheHelpOfEveryCommand() {
        for (final CommandTable.Entry entry : new CommandTable().entries()) {
            out.reset();
            final String[] words = (entry.name() + " --help").split(" ");
            assertThat(run(words)).as(entry.name()).isZero();
            assertThat(out())
                    .contains("Usage: tickmark " + entry.name(), "\nExample:\n  ./tickmark ")
                    .as("percent signs are doubled")
                    .doesNotContain("%%");
        }
        assertThat(err()).isEmpty();
    }

    /** Also {@code udp://127.0.0.1:0}, and other values with punctuation. */
    @Test
    void shouldBreakTheHelpOfCommandsOnlyBetweenWords() {
        final Terminal terminal = new Terminal(stream(out), stream(err), 100, 100, false);
        for (final CommandTable.Entry entry : new CommandTable().entries()) {
            out.reset();
            assertThat(run(terminal, (entry.name() + " --help").split(" "))).isZero();
            final CommandSpec spec = entry.command().get().spec();
            final Stream<String> texts =
                    Stream.of(
                                    Stream.of(spec.usageMessage().description())
                                            .map(String::format),
                                    spec.options().stream()
                                            .filter(option -> !option.hidden())
                                            .flatMap(option -> Stream.of(option.description())),
                                    spec.positionalParameters().stream()
                                            .flatMap(each -> Stream.of(each.description())))
                            .flatMap(each -> each);
            assertThat(out().split("\\s+"))
                    .as(entry.name())
                    .contains(
                            texts.flatMap(text -> Stream.of(text.strip().split("\\s+")))
                                    .filter(word -> !word.isEmpty())
                                    .toArray(String[]::new));
            assertThat(out().lines().takeWhile(line -> !line.equals("Example:")))
                    .as(entry.name())
                    .allMatch(line -> line.length() <= 100);
        }
    }

    private static Terminal full(
            final java.io.OutputStream to, final boolean isPipe, final PrintStream err) {
        return new Terminal(
                StandardOutput.to(to, StandardCharsets.UTF_8, isPipe), err, 0, 0, false);
    }

    /** Like /dev/full, and a disk without room. */
    private static java.io.OutputStream noRoom() {
        return new java.io.OutputStream() {
            @Override
            public void write(final int one) throws IOException {
                throw new IOException("No space left on device");
            }
        };
    }

    @Test
    void shouldNotEndWellWhereWhatAnyCommandPrintsIsLost() {
        final List<String> lines = new java.util.ArrayList<>();
        new CommandTable().entries().forEach(entry -> lines.add(entry.name() + " --help"));
        lines.addAll(List.of("--help", "--version", "help latency", "plans"));
        for (final String line : lines) {
            err.reset();

            final int exitCode = run(full(noRoom(), false, stream(err)), line.split(" "));

            assertThat(exitCode).as(line).isEqualTo(FrontDoor.ENVIRONMENT);
            assertThat(err().lines())
                    .as(line)
                    .singleElement()
                    .asString()
                    .startsWith(
                            "tickmark: cannot write to standard output (No space left on device)");
        }
    }

    @Test
    void shouldKeepTheExitCodeOfACommandThatFailsAnyway() {
        assertThat(run(full(noRoom(), false, stream(err)), "enginse")).isEqualTo(2);
    }

    /** Like head when it has read enough. */
    @Test
    void shouldEndWellWhereTheReaderOfAPipeHasGone() {
        assertThat(run(full(noRoom(), true, stream(err)), "--help")).isZero();
        assertThat(err()).isEmpty();
    }

    /** The words that stand before two words only were an error. */
    @Test
    void shouldShowTheCommandsOfAGroup() {
        final var groups =
                new CommandTable()
                        .entries().stream()
                                .map(CommandTable.Entry::name)
                                .filter(name -> name.contains(" "))
                                .map(name -> name.substring(0, name.indexOf(' ')))
                                .filter(word -> new CommandTable().find(word).isEmpty())
                                .distinct()
                                .toList();
        assertThat(groups).contains("fix");
        for (final String group : groups) {
            for (final String line : List.of(group + " --help", group + " -h", "help " + group)) {
                out.reset();
                assertThat(run(line.split(" "))).as(line).isZero();
                assertThat(out()).contains("Usage: tickmark " + group + " COMMAND");
                assertThat(new CommandTable().below(group))
                        .allSatisfy(entry ->
                                assertThat(out())
                                        .contains("  " + entry.name() + " ", entry.summary()));
            }
        }
        assertThat(err()).isEmpty();
    }

    /** A plan in a result folder is a record of what was run, not one to be run again. */
    @Test
    void shouldReadResultsWhosePlanHasKeysThatAreGone(@TempDir final Path folder)
            throws IOException {
        Files.writeString(
                folder.resolve("plan.yaml"),
                """
                schema: tickmark.plan/1
                name: older
                tests:
                - {name: t, workload: latency, settings: {domainId: 88, nic: lo},
                   roles: [{role: latency-pub}, {role: latency-sub, settings: {multicastReceiveAddress: 225.3.2.1}}]}
                """);
        Files.writeString(
                folder.resolve("result.json"),
                ResultJson.write(
                        new RunResult(
                                RunResult.SCHEMA,
                                "0.1.0",
                                "2026-01-01T00:00:00Z",
                                "older",
                                Verdict.PASS,
                                List.of(),
                                List.of(),
                                List.of(),
                                List.of(),
                                null,
                                Map.of(),
                                null)));

        assertThat(run("report", folder.toString())).as(err()).isZero();
        assertThat(folder.resolve("report.html")).content().contains("multicastReceiveAddress");
        assertThat(run("compare", folder.toString(), folder.toString()))
                .as("no figures in common, but read")
                .isEqualTo(2);
        assertThat(err()).doesNotContain("domainId");
    }

    /** They are accepted for existing command lines, and documented on the pages for these. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "latency",
                "latency pub",
                "latency sub",
                "stream",
                "stream pub",
                "stream sub",
                "store"
            })
    void shouldShowNoOptionOfOneEngineInTheHelp(final String command) {
        assertThat(run((command + " --help").split(" "))).isZero();
        assertThat(out())
                .containsIgnoringCase("--channel")
                .contains("docs/coming-from/")
                .doesNotContain("DDS", "dds:", "Ultra Messaging")
                .doesNotContain("-nic,", "-peer", "-mcast_rcv_addr", "--persist", "--xml-config");
    }

    /** Its users come with their command lines and look for what became of them. */
    @ParameterizedTest
    @CsvSource({
        "jitter,um-perf.md",
        "fix consumers,fix-antenna-fan-out.md",
        "fix producers,fix-antenna-fan-out.md",
        "market consumer,ema-performance-tools.md",
        "market provider,ema-performance-tools.md",
        "market publisher,ema-performance-tools.md",
        "market transport,ema-performance-tools.md",
        "market certificate,ema-performance-tools.md"
    })
    void shouldNameThePageForThoseWhoComeFromAnotherTool(final String command, final String page) {
        assertThat(run((command + " --help").split(" "))).isZero();
        assertThat(out().replaceAll("\\s+", "")).contains("docs/coming-from/" + page);
    }

    /** Not only by the role, when a run with its folder has begun. */
    @Test
    void shouldRefuseACoreThatThisMachineDoesNotHaveBeforeARunBegins() {
        assertThat(run("jitter", "--core", "4095")).isEqualTo(2);
        assertThat(err())
                .contains("--core 4095: this process may use cores ")
                .doesNotContain("void", "result");
    }

    @ParameterizedTest
    @ValueSource(strings = {"50", "2000"})
    void shouldRefuseASearchThatBeginsOutsideItsRange(final String seed) {
        assertThat(
                        run(
                                "search",
                                "latency",
                                "--seed-rate",
                                seed,
                                "--min-rate",
                                "100",
                                "--max-rate",
                                "1000"))
                .isEqualTo(2);
        assertThat(err())
                .contains(
                        "--seed-rate "
                                + seed
                                + " is not between --min-rate 100 and --max-rate 1000");
    }

    /** They query this machine for its cores. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jitter --hosts there.yaml",
                "jitter -a 1 --kubernetes there.yaml",
                "cores stream-700 --hosts there.yaml"
            })
    void shouldRefuseOtherMachinesWhereItIsAboutTheCoresOfThisOne(final String line) {
        final String[] words = line.split(" ");

        assertThat(run(words)).isEqualTo(2);
        assertThat(err())
                .contains(words[words.length - 2] + ": ", " of this machine only")
                .contains("run '%s' there".formatted(words[0]));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 20, 40, 80, 1000})
    void shouldShowHelpOnTerminalsOfAnyWidth(final int columns) {
        assertThat(run(new Terminal(stream(out), stream(err), columns, columns, true), "--help"))
                .isZero();
        assertThat(
                        run(
                                new Terminal(stream(out), stream(err), columns, columns, true),
                                "help",
                                "help"))
                .isZero();
    }

    @Test
    void shouldPrintNoEscapeSequencesWhereThereIsNoTerminal() {
        run("--help");
        run("help", "engines");
        assertThat(out()).doesNotContain("\u001b");
    }

    @Test
    void shouldPrintNoEscapeSequencesWhereTheUserWantsNone() {
        run(new Terminal(stream(out), stream(err), 80, 80, false), "--help");
        assertThat(out()).doesNotContain("\u001b");
    }

    @Test
    void shouldShowTheStackTraceOnlyWhenAsked() {
        assertThat(run("help", "nothing of the kind")).isEqualTo(2);
        assertThat(err()).hasLineCount(1);
        assertThat(run("help", "nothing", "--verbose")).isEqualTo(2);
        assertThat(err()).contains("\tat io.tickmark.cli.");
    }

    @Test
    void shouldPointFromTheJarToTheLauncherForTests() {
        assertThat(run("test")).isEqualTo(2);
        assertThat(err()).startsWith("tickmark: 'test' works from a source folder only");
    }

    @Test
    void shouldNotMixTwoRunsByHandInOneFolder(@TempDir final Path folder) throws IOException {
        Files.writeString(folder.resolve("stats.csv"), "of another run");

        assertThat(run("stream", "sub", "--channel", "shm://x", "--out", folder.toString()))
                .isEqualTo(2);
        assertThat(err())
                .isEqualTo(
                        "tickmark: --out: %s is not empty; name a folder that is new or empty.%n"
                                .formatted(folder));
    }

    @ParameterizedTest
    @ValueSource(strings = {"run engine-matrix --quick", "run fix --vs rate=1k --quick"})
    void shouldNotDropQuickInSilenceWhereThereIsAComparison(final String line) {
        assertThat(run(line.split(" "))).isEqualTo(2);
        assertThat(err()).startsWith("tickmark: --quick: runs each test once, and a comparison");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--min-effect 5%", "--error-rate 0.1"})
    void shouldNotDropAnOptionOfComparisonsInSilenceWhereThereIsNone(final String option) {
        assertThat(run(("run fix " + option).split(" "))).isEqualTo(2);
        assertThat(err())
                .startsWith(
                        "tickmark: %s: only valid in a comparison;"
                                .formatted(option.split(" ")[0]));
    }

    private int run(final String... args) {
        return run(new Terminal(stream(out), stream(err), 0, 0, true), args);
    }

    private static int run(final Terminal terminal, final String... args) {
        return new FrontDoor(terminal).run(args);
    }

    private static PrintStream stream(final ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}

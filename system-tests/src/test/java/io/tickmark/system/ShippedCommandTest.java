package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.lab.plan.PlanLibrary;
import io.tickmark.lab.plan.RoleCatalog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShippedCommandTest {
    @TempDir private Path folder;

    @Test
    void shouldPrintItsCommands() {
        final Launch.Outcome outcome = Launch.tickmark("--help").run();
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out()).contains("Usage: tickmark COMMAND", "  engines ", "Exit codes:");
    }

    @Test
    void shouldUseNothingHeavyForThat() {
        assertThat(usedBy("--help"))
                .contains("'io/tickmark/cli/command/CommandTable'")
                .doesNotContain("'oshi/", "jackson", "'io/aeron/", "'org/agrona/", "'me/tongfei/");
    }

    /** Classes that are linked in an archive are loaded with it, and initialised when used. */
    private static String usedBy(final String command) {
        return Launch.tickmark(command)
                .with("TICKMARK_JAVA_OPTS", "-Xlog:class+init=info")
                .run()
                .out();
    }

    @Test
    void shouldListEveryPlanWithWhatItIsFor() {
        final PlanLibrary library = new PlanLibrary(RoleCatalog.load());
        final String out = Launch.here("plans").out().replaceAll("\\s+", " ");
        assertThat(library.names())
                .hasSizeGreaterThan(20)
                .allSatisfy(name ->
                        assertThat(out)
                                .contains(
                                        " " + name + " " + library.find(name).description() + " "));
    }

    @Test
    void shouldExpandNoPlanToListThem() {
        assertThat(usedBy("plans"))
                .contains("'io/tickmark/lab/plan/ShippedPlans'")
                .doesNotContain("/ObjectMapper'", "/PlanReader'", "/TestPlan'");
    }

    @Test
    void shouldSayHowLongEveryPlanTakes() {
        final List<String> lines = Launch.here("plans --times").out().lines().toList();
        assertThat(new PlanLibrary(RoleCatalog.load()).names())
                .allSatisfy(name ->
                        assertThat(lines)
                                .anyMatch(line ->
                                        line.matches(
                                                "  %s +([0-9.]+ (s|min|h)|n/a) +[A-Z0-9].*"
                                                        .formatted(name))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "latency | TICKMARK_SPIN_CORES | write a number of cores from 0 to 99999.",
                "stream pub | TICKMARK_SPIN_CORES | write a number of cores from 0 to 99999.",
                "latency | TICKMARK_MAX_TAKEN_PART | write a number from 0 to 1, for example 0.5.",
            })
    void shouldRefuseAWrongEnvironmentBeforeAnythingIsWritten(
            final String command,
            final String variable,
            final String advice,
            @TempDir final Path folder) {
        final Launch.Outcome outcome =
                Launch.tickmark(folder, command + " --channel shm: --out run")
                        .with(variable, "some")
                        .run();
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.errLines())
                .containsExactly("tickmark: %s is \"some\"; %s".formatted(variable, advice));
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void shouldSuggestTheCommandThatWasMeant() {
        final Launch.Outcome outcome = Launch.here("enginse");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.errLines())
                .containsExactly(
                        "tickmark: 'enginse' is not a command; did you mean 'tickmark engines'?");
    }

    @Test
    void shouldRefuseAnUnknownOptionInOneSentence() {
        final Launch.Outcome outcome = Launch.here("engines --colour");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.errLines())
                .containsExactly(
                        "tickmark: unknown option '--colour'; 'tickmark engines --help' lists them.");
    }

    @Test
    void shouldSayHowToUseItWhenNothingIsAsked() {
        final Launch.Outcome outcome = Launch.tickmark().run();
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).contains("Usage: tickmark COMMAND");
    }

    @Test
    void shouldWorkThroughASymbolicLinkFromAnyFolder() throws Exception {
        final Path elsewhere = Files.createDirectory(folder.resolve("else where"));
        final Path link =
                Files.createSymbolicLink(folder.resolve("a link"), Launch.ROOT.resolve("tickmark"));
        final Path second = Files.createSymbolicLink(elsewhere.resolve("tm"), Path.of("../a link"));
        assertThat(link).exists();
        final Launch.Outcome outcome =
                Launch.of(second, "--version")
                        .with("JAVA_HOME", System.getProperty("java.home"))
                        .with("TICKMARK_BUILD", "never")
                        .in(elsewhere)
                        .run();
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out()).startsWith("tickmark ").contains(", Java ");
    }
}

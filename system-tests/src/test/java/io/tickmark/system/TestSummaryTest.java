package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.spi.ToolProvider;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The last lines of {@code ./tickmark test}. */
class TestSummaryTest {
    private static final String PASSED = "<testcase classname='A' name='a' time='0.5'/>";
    private static final String FAILED =
            "<testcase classname='A' name='b' time='1'>"
                    + "<failure message='&#10;Expecting actual:&#10;  1&#10;not to be 2'/><failure message='again'/></testcase>";
    private static final String BROKEN =
            "<testcase classname='A' name='c' time='1'><error message='no such class'/></testcase>";
    private static final String SKIPPED =
            "<testcase classname='A' name='d' time='0'><skipped message='no chromium here'/></testcase>";

    @TempDir private static Path classes;
    @TempDir private Path root;

    /** Started as a source, as {@code ./tickmark test} does it, each would be compiled again. */
    @BeforeAll
    static void compile() {
        final String source = Launch.ROOT.resolve("config/TestSummary.java").toString();
        assertThat(
                        ToolProvider.findFirst("javac")
                                .orElseThrow()
                                .run(System.out, System.err, "-d", classes.toString(), source))
                .isZero();
    }

    @Test
    void shouldAddUpTheReportsOfAllModulesAndTools() throws IOException {
        report("kernel/target/surefire-reports", PASSED + PASSED);
        report("engines/aeron/target/failsafe-reports", PASSED + SKIPPED);
        report(
                "report/target/vitest-reports",
                "<testsuite name='nested'>" + PASSED + "</testsuite>");
        report("report/node_modules/x/target/surefire-reports", FAILED);
        final Launch.Outcome outcome = summary(0, "");
        assertThat(outcome.out())
                .contains(
                        "kernel ", "engines/aeron ", "report ", "skipped: A > d: no chromium here")
                .endsWith("\n4 passed, 0 failed, 1 skipped\n");
        assertThat(outcome.exitCode()).isZero();
    }

    @Test
    void shouldFailWithTheNamesOfTheTestsThatFailed() throws IOException {
        report("kernel/target/surefire-reports", PASSED + FAILED + BROKEN);
        final Launch.Outcome outcome = summary(1, "");
        assertThat(outcome.out())
                .contains(
                        "failed:  A > b: Expecting actual: 1 not to be 2",
                        "failed:  A > c: no such class")
                .endsWith("\n1 passed, 2 failed, 0 skipped\n");
        assertThat(outcome.exitCode()).isEqualTo(1);
    }

    /** As surefire reports a test that it ran again. */
    @Test
    void shouldTellWhatPassedOnlyWhenRunAgain() throws IOException {
        report(
                "kernel/target/surefire-reports",
                PASSED
                        + "<testcase classname='A' name='f' time='1'>"
                        + "<flakyFailure message='late'><stackTrace>at f</stackTrace></flakyFailure></testcase>"
                        + "<testcase classname='A' name='g' time='1'>"
                        + "<flakyError message='busy'><stackTrace>at g</stackTrace></flakyError></testcase>"
                        + "<testcase classname='A' name='i' time='1'>"
                        + "<flakyFailure message='[kept after kill 1, seed -42] 7'/></testcase>"
                        + "<testcase classname='A' name='h' time='1'>"
                        + "<failure message='wrong'/><rerunFailure message='still wrong'/></testcase>");
        final Launch.Outcome outcome = summary(1, "");
        assertThat(outcome.out())
                .contains(
                        "on 2nd try: A > f: late",
                        "on 2nd try: A > g: busy",
                        "failed:  A > i: [kept after kill 1, seed -42] 7",
                        "failed:  A > h: wrong")
                .endsWith("\n3 passed, 2 failed, 0 skipped\n");
        assertThat(outcome.exitCode()).isEqualTo(1);
    }

    @Test
    void shouldFailWhenTheBuildDidThoughNoTestFailed() throws IOException {
        report("kernel/target/surefire-reports", PASSED);
        final Launch.Outcome outcome = summary(1, "");
        assertThat(outcome.out())
                .contains("The build failed")
                .endsWith("\n1 passed, 0 failed, 0 skipped\n");
        assertThat(outcome.exitCode()).isEqualTo(1);
    }

    /** As a source. */
    @Test
    void shouldFailWhenItCannotBeWritten() throws IOException {
        report("kernel/target/surefire-reports", PASSED);
        final Launch.Outcome outcome =
                Launch.of(
                                Path.of("/bin/sh"),
                                "-c",
                                "exec '%s/bin/java' '%s' '%s' 0 > /dev/full"
                                        .formatted(
                                                System.getProperty("java.home"),
                                                Launch.ROOT.resolve("config/TestSummary.java"),
                                                root))
                        .run();
        assertThat(outcome.err()).contains("The summary cannot be written to standard output");
        assertThat(outcome.exitCode()).isEqualTo(1);
    }

    @Test
    void shouldFailWhenNoTestRan() {
        final Launch.Outcome outcome = summary(0, "");
        assertThat(outcome.out())
                .contains("No test ran.")
                .endsWith("\n0 passed, 0 failed, 0 skipped\n");
        assertThat(outcome.exitCode()).isEqualTo(1);
    }

    @Test
    void shouldFailForASkippedTestOnlyInCi() throws IOException {
        report("kernel/target/surefire-reports", PASSED + SKIPPED);
        assertThat(summary(0, "").exitCode()).isZero();
        assertThat(summary(0, "true").exitCode()).isEqualTo(1);
    }

    /** Of a dynamic test the reason is in the text. */
    @ParameterizedTest
    @ValueSource(
            strings = {"<skipped message='%s'/>", "<skipped type='x'><![CDATA[%s]]></skipped>"})
    void shouldCountWhatHasNoPackageAsSkippedAndNotFailInCi(final String reported)
            throws IOException {
        final String why = "names of plans ".repeat(40) + "Its server is not in the package lists.";
        final String skipped =
                "<testcase classname='A' name='e' time='0'>%s</testcase>"
                        .formatted(reported.formatted(why));
        report("kernel/target/surefire-reports", PASSED + skipped);
        final Launch.Outcome outcome = summary(0, "true");
        assertThat(outcome.out())
                .contains("skipped: A > e: ")
                .endsWith("\n1 passed, 0 failed, 1 skipped\n");
        assertThat(outcome.exitCode()).isZero();
        report("cli/target/surefire-reports", SKIPPED);
        assertThat(summary(0, "true").exitCode()).as("another one, too").isEqualTo(1);
    }

    @Test
    void shouldCountHalfAReportAndFail() throws IOException {
        report("kernel/target/surefire-reports", PASSED + "<testcase classname='A' na");
        final Launch.Outcome outcome = summary(0, "");
        assertThat(outcome.out())
                .contains("is not whole")
                .endsWith("\n1 passed, 0 failed, 0 skipped\n");
        assertThat(outcome.exitCode()).isEqualTo(1);
    }

    /**
     * Surefire, configured to continue after failures, also continues after the death of its JVM.
     */
    @Test
    void shouldFailForATestClassWithoutAReport() throws IOException {
        module("kernel", "ATest.java", "class ATest {}");
        module("kernel", "DeadTest.java", "class DeadTest {}");
        module("kernel", "ContractTest.java", "public abstract class ContractTest {}");
        module("kernel", "NestedTest.java", "class NestedTest {}");
        module("lab", "BTest.java", "class BTest {}");
        report("kernel/target/surefire-reports", "TEST-x.ATest.xml", PASSED);
        report("kernel/target/surefire-reports", "TEST-x.NestedTest$Inner.xml", PASSED);
        final Launch.Outcome outcome = summary(0, "", "all");
        assertThat(outcome.out().lines().filter(line -> line.startsWith("not run: ")))
                .satisfiesExactly(
                        line -> assertThat(line).contains("kernel: x.DeadTest left no report"),
                        line -> assertThat(line).contains("lab: none of its test classes (1)"));
        assertThat(outcome.out()).endsWith("\n2 passed, 0 failed, 0 skipped\n");
        assertThat(outcome.exitCode()).isEqualTo(1);
    }

    @Test
    void shouldAskOnlyForModulesThatWereBuiltSinceWhenSomeWereChosen() throws IOException {
        module("kernel", "ATest.java", "class ATest {}");
        module("wire", "WTest.java", "class WTest {}");
        module("lab", "BTest.java", "class BTest {}");
        final Path since = Files.createFile(root.resolve("since"));
        Files.setLastModifiedTime(since, FileTime.fromMillis(1_000_000));
        built("kernel", 1_001_000);
        built("wire", 1_001_000);
        built("lab", 999_000);
        report("kernel/target/surefire-reports", "TEST-x.ATest.xml", PASSED);
        final Launch.Outcome outcome = summary(0, "", since.toString());
        assertThat(outcome.out().lines().filter(line -> line.startsWith("not run: ")))
                .singleElement(InstanceOfAssertFactories.STRING)
                .contains("wire: none of its test classes (1)");
        assertThat(outcome.exitCode()).isEqualTo(1);
    }

    private void built(final String module, final long millis) throws IOException {
        Files.setLastModifiedTime(
                Files.createDirectories(root.resolve(module).resolve("target/test-classes")),
                FileTime.fromMillis(millis));
    }

    /** A module that the project names, with one class of tests. */
    private void module(final String name, final String file, final String source)
            throws IOException {
        final Path pom = root.resolve("pom.xml");
        final String line = "<module>" + name + "</module>";
        final String before = Files.exists(pom) ? Files.readString(pom) : "";
        Files.writeString(pom, before.contains(line) ? before : before + line + "\n");
        final Path folder = Files.createDirectories(root.resolve(name).resolve("src/test/java/x"));
        Files.writeString(folder.resolve(file), source);
    }

    private void report(final String directory, final String cases) throws IOException {
        report(directory, "TEST-A.xml", cases);
    }

    private void report(final String directory, final String name, final String cases)
            throws IOException {
        final Path file = Files.createDirectories(root.resolve(directory)).resolve(name);
        Files.writeString(
                file,
                "<?xml version='1.0'?><testsuites><testsuite name='A'>"
                        + cases
                        + "</testsuite></testsuites>");
    }

    private Launch.Outcome summary(
            final int buildStatus, final String ci, final String... shouldHaveRun) {
        return Launch.of(
                        Path.of(System.getProperty("java.home"), "bin/java"),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classes.toString(),
                        "TestSummary",
                        root.toString(),
                        String.valueOf(buildStatus))
                .and(shouldHaveRun)
                .with("CI", ci)
                .run();
    }
}

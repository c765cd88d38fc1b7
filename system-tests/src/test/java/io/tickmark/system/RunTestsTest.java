package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code ./tickmark test} runs, over a Maven that only notes how it was called. */
class RunTestsTest {
    private static final String REPORT =
            "<testsuite><testcase classname='x.ATest' name='a' time='1'>%s</testcase></testsuite>";

    @TempDir private Path folder;
    private Path project;
    private Path bin;

    @BeforeEach
    void layOutAProject() throws IOException {
        project = Files.createDirectories(folder.resolve("a project"));
        bin = Files.createDirectories(folder.resolve("bin"));
        Files.createDirectories(project.resolve("config"));
        for (final String file : List.of("config/run-tests", "config/TestSummary.java")) {
            Files.copy(
                    Launch.ROOT.resolve(file),
                    project.resolve(file),
                    StandardCopyOption.COPY_ATTRIBUTES);
        }
        Files.writeString(project.resolve("config/test-packages.txt"), "");
        Files.writeString(project.resolve("config/test-python.txt"), "");
        Files.writeString(project.resolve("pom.xml"), "<module>kernel</module>");
        final Path tests = Files.createDirectories(project.resolve("kernel/src/test/java/x"));
        Files.writeString(tests.resolve("ATest.java"), "class ATest {}");
        script("python3", "exit 1");
    }

    @Test
    void shouldTestAllModulesWhateverFailsAndCountAtTheEnd() throws IOException {
        script(
                "mvn",
                "printf '%s\\n' \"$@\" >../arguments",
                "mkdir -p kernel/target/surefire-reports",
                "printf %s \""
                        + REPORT.formatted("<failure message='no'/>")
                        + "\" >kernel/target/surefire-reports/TEST-x.ATest.xml");
        final Launch.Outcome outcome = tests().run();
        assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(1);
        assertThat(outcome.out()).endsWith("0 passed, 1 failed, 0 skipped\n");
        assertThat(arguments()).contains("-Dmaven.test.failure.ignore=true", "clean", "verify");
        assertThat(arguments()).noneMatch(word -> word.startsWith("-Dtest.timeout"));
    }

    /** All modules above one with a line that was too long were not tested. */
    @Test
    void shouldTestWhatIsNotFormattedAndFailAtTheEnd() throws IOException {
        script(
                "mvn",
                "case \"$*\" in *spotless:check*) exit 1 ;; esac",
                "printf '%s\\n' \"$@\" >../arguments",
                "mkdir -p kernel/target/surefire-reports",
                "printf %s \""
                        + REPORT.formatted("")
                        + "\" >kernel/target/surefire-reports/TEST-x.ATest.xml");
        final Launch.Outcome outcome = tests().run();
        assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isEqualTo(1);
        assertThat(outcome.out()).endsWith("1 passed, 0 failed, 0 skipped\n");
        assertThat(outcome.err()).contains("not formatted", "mvn spotless:apply");
        assertThat(arguments())
                .contains("-Dspotless.check.skip=true", "-Dsurefire.rerunFailingTestsCount=1");
    }

    @Test
    void shouldNameWhatLeftNoReportThoughMavenWasContent() throws IOException {
        script("mvn", "exit 0");
        final Launch.Outcome outcome = tests().run();
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.out()).contains("not run: kernel: none of its test classes (1)");
    }

    @Test
    void shouldRunBusyLoopsBesideTheTestsWithoutBoundsOfTime() throws Exception {
        script(
                "mvn",
                "printf '%s\\n' \"$@\" >../arguments",
                "cat /proc/$PPID/task/$PPID/children >../children",
                "mkdir -p kernel/target/surefire-reports",
                "printf %s \""
                        + REPORT.formatted("")
                        + "\" >kernel/target/surefire-reports/TEST-x.ATest.xml");
        final Launch.Outcome outcome = tests("--busy", "3", "-pl", "kernel").run();
        assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isZero();
        assertThat(arguments())
                .contains("-Dtest.timeout.mode=disabled", "-pl", "kernel")
                .doesNotContain("--busy", "3");
        final List<Long> children = children();
        assertThat(children).hasSize(4); // Maven itself and three loops
        Job.await("the end of the loops", () -> children.stream().noneMatch(RunTestsTest::isAlive));
    }

    /** A shell that is killed can end nothing; the loops look after it. */
    @Test
    void shouldLeaveNoLoopBehindWhenItIsKilled() throws Exception {
        script(
                "mvn",
                "cat /proc/$PPID/task/$PPID/children >../children.part",
                "mv ../children.part ../children",
                "exec sleep 600");
        try (Job job = Job.start(tests("--busy=2"), folder)) {
            Job.await("Maven", () -> Files.exists(folder.resolve("children")) || !job.isAlive());
            final List<Long> children = new ArrayList<>(children());
            assertThat(children).as(job.err()).hasSize(3).allMatch(RunTestsTest::isAlive);
            Job.await("Maven, here a sleep", () -> sleeping(children).isPresent());
            job.signal("KILL", false);
            // It was not started by the script: it continues.
            final ProcessHandle maven = sleeping(children).orElseThrow();
            children.remove(maven.pid());
            Job.await(
                    "the end of the loops",
                    () -> children.stream().noneMatch(RunTestsTest::isAlive));
            assertThat(maven.destroyForcibly()).isTrue();
        }
    }

    private static Optional<ProcessHandle> sleeping(final List<Long> children) {
        return children.stream()
                .flatMap(id -> ProcessHandle.of(id).stream())
                .filter(child -> child.info().command().orElse("").endsWith("sleep"))
                .findAny();
    }

    @Test
    void shouldSayWhatBusyTakes() throws IOException {
        for (final List<String> words :
                List.of(
                        List.of("--busy"),
                        List.of("--busy", "many"),
                        List.of("--busy=0"),
                        List.of("--busy=99999"))) {
            final Launch.Outcome outcome = tests().and(words.toArray(String[]::new)).run();
            assertThat(outcome.exitCode()).isEqualTo(2);
            assertThat(outcome.err()).contains("--busy takes the number of busy loops");
        }
    }

    @Test
    void shouldInstallTheClientsInPythonThatEnginesName() throws IOException {
        Files.writeString(project.resolve("config/test-python.txt"), "# for all\nshared==1\n");
        Files.writeString(
                Files.createDirectories(project.resolve("engines/one")).resolve("packages.txt"),
                "# of one\npython its-client==2 # the other end\n");
        script(
                "python3", // gets: -m venv FOLDER
                "mkdir -p \"$3/bin\"",
                "cat >\"$3/bin/python\" <<'END'",
                "#!/bin/sh",
                "echo \"$*\" >'" + folder.resolve("installed") + "'",
                "END",
                "chmod +x \"$3/bin/python\"");
        script("mvn", "echo \"$TICKMARK_TEST_PYTHON\" >../named");

        tests().run();

        assertThat(folder.resolve("installed"))
                .content()
                .endsWith("install its-client==2 shared==1\n");
        assertThat(Path.of(Files.readString(folder.resolve("named")).strip())).isExecutable();
    }

    private Launch tests(final String... words) {
        return Launch.of(project.resolve("config/run-tests"), words)
                .with("JAVA_HOME", System.getProperty("java.home"))
                .with("XDG_CACHE_HOME", folder.toString())
                .with("TICKMARK_MAVEN_OPTS", "")
                .with("CI", "")
                .with("PATH", bin + ":" + System.getenv("PATH"));
    }

    private List<String> arguments() throws IOException {
        return Files.readAllLines(folder.resolve("arguments"));
    }

    /** Process ids of what ran below the script when Maven began. */
    private List<Long> children() throws IOException {
        return Stream.of(Files.readString(folder.resolve("children")).strip().split("\\s+"))
                .map(Long::valueOf)
                .toList();
    }

    private static boolean isAlive(final long id) {
        return ProcessHandle.of(id).isPresent();
    }

    private void script(final String name, final String... lines) throws IOException {
        final Path file = bin.resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}

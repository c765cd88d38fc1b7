package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The launcher on machines that lack something: a copy of it in a folder where nothing is built
 * yet.
 */
class LauncherTest {
    private static final String GOOD_MAVEN = "echo Apache Maven 3.8.7";
    private static final String GOOD_NODE = "echo v24.1.0";

    @TempDir private Path folder;
    private Path copy;
    private Path bin;

    @BeforeEach
    void copyTheLauncher() throws IOException {
        copy = Files.createDirectories(folder.resolve("my projects/tick mark"));
        bin = Files.createDirectory(folder.resolve("bin"));
        Files.copy(Launch.ROOT.resolve("tickmark"), copy.resolve("tickmark"));
        Files.createDirectories(copy.resolve("config"));
    }

    @Test
    void shouldSayThatThereIsNoJdk() {
        shouldBeUnable(launch().with("JAVA_HOME", ""), "tickmark: no JDK 25 or newer found: ");
    }

    @Test
    void shouldNotTakeAnOldJdk() throws IOException {
        final Path jdk = jdk("17.0.13");
        shouldBeUnable(
                launch().with("JAVA_HOME", jdk.toString()), "tickmark: no JDK 25 or newer found: ");
    }

    @Test
    void shouldFindAJdkInTheUsualFolders() throws IOException {
        jdk("17.0.13");
        jdk("25.0.3");
        shouldBeUnable(
                launch().with("JAVA_HOME", folder.resolve("jdks/17.0.13").toString())
                        .with("TICKMARK_JDK_FOLDERS", "/nonexistent:" + folder.resolve("jdks")),
                "tickmark: Maven is missing: ");
    }

    @Test
    void shouldSayThatMavenIsMissing() {
        shouldBeUnable(launch(), "tickmark: Maven is missing: install Maven 3.8.7 or newer");
    }

    @Test
    void shouldSayThatNothingIsThereOnAnEmptyPath() {
        shouldBeUnable(launch().with("PATH", "/nonexistent"), "tickmark: Maven is missing: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.6.3", "3.8.6", "2.99.99"})
    void shouldNotTakeAnOldMaven(final String version) throws IOException {
        program("mvn", "echo Apache Maven " + version + " '(some build)'");
        shouldBeUnable(
                launch(), "tickmark: Maven " + version + " is too old: install 3.8.7 or newer");
    }

    @Test
    void shouldSayThatMavenDoesNotStart() throws IOException {
        program("mvn", "echo broken >&2; exit 1");
        shouldBeUnable(launch(), "tickmark: Maven does not start: ");
    }

    @Test
    void shouldSayThatNpmIsMissing() throws IOException {
        program("mvn", GOOD_MAVEN);
        program("node", GOOD_NODE);
        shouldBeUnable(launch(), "tickmark: npm is missing: ");
    }

    @Test
    void shouldNotTakeAnOldNode() throws IOException {
        program("mvn", GOOD_MAVEN);
        program("npm", "echo 9");
        program("node", "echo v18.19.0");
        shouldBeUnable(launch(), "tickmark: Node.js v18.19.0 is too old: ");
    }

    @Test
    void shouldRefuseAnOptionOfTheTestsThatMavenDoesNotHave() throws IOException {
        program(
                "mvn",
                "case $1 in --help) echo ' -o,--offline  Work offline'; exit 0 ;; esac; "
                        + GOOD_MAVEN);
        program("npm", "");
        program("node", GOOD_NODE);
        Files.writeString(copy.resolve("config/run-tests"), "#!/bin/sh\necho ran \"$@\"\n");
        assertThat(copy.resolve("config/run-tests").toFile().setExecutable(true)).isTrue();

        final Launch.Outcome refused = withSystemPath(launch("test", "--foo=1")).run();
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.errLines())
                .singleElement()
                .asString()
                .startsWith("tickmark: unknown option '--foo'; 'test' takes the options of Maven");
        final Launch.Outcome taken =
                withSystemPath(launch("test", "--offline", "-o", "-pl", "kernel", "-Dx=1")).run();
        assertThat(taken.errLines().toString()).contains("unknown option '-pl'");
        assertThat(withSystemPath(launch("test", "--offline", "-o", "-Dx=1")).run().out())
                .contains("ran --offline -o -Dx=1");
    }

    @Test
    void shouldSayThatTheBuildFailed() throws IOException {
        program("mvn", GOOD_MAVEN + "; case \"$*\" in *package*) exit 1 ;; esac");
        program("npm", "");
        program("node", GOOD_NODE);
        final Launch.Outcome outcome = withSystemPath(launch()).run();
        assertThat(outcome.exitCode()).isEqualTo(3);
        assertThat(outcome.errLines()).last().isEqualTo("tickmark: the build failed, see above.");
    }

    /** Results, and the site's page of them, name it. */
    @Test
    void shouldTellTheBuildWhichCommitItIsOf() throws IOException {
        final Path built = folder.resolve("built");
        program(
                "mvn",
                GOOD_MAVEN
                        + "; case \"$*\" in *package*) echo \"$@\" >'%s'; exit 1 ;; esac"
                                .formatted(built));
        program("npm", "");
        program("node", GOOD_NODE);
        program("git", "echo 0a1b2c3d4e5f-dirty");

        assertThat(withSystemPath(launch()).run().exitCode()).isEqualTo(3);
        assertThat(built).content().contains(" -Dbuild.commit=0a1b2c3d4e5f-dirty ");
    }

    @Test
    void shouldBuildOnceAndAgainWhenASourceIsNewer() throws IOException {
        fakeBuild();
        final Path results = Files.createDirectories(copy.resolve("results/kernel/src"));
        Files.createDirectories(copy.resolve("kernel/src/main"));
        final List<String> sources =
                List.of(
                        "kernel/src/main/A.java",
                        "report/src/main/page/main.ts",
                        "report/package-lock.json",
                        "report/page-build.mjs",
                        "config/jvm.options",
                        "engines/one/jvm.options",
                        "pom.xml");
        shouldBuild(true);
        shouldBuild(false);
        for (final String source : sources) {
            final Path file = copy.resolve(source);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "changed");
            Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(1)));
            shouldBuild(true);
            Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(60)));
            Files.setLastModifiedTime(
                    file.getParent(), FileTime.from(Instant.now().minusSeconds(60)));
            shouldBuild(false);
        }
        Files.writeString(results.resolve("noise.json"), "not a source");
        shouldBuild(false);
    }

    private void shouldBuild(final boolean expected) {
        final Launch.Outcome outcome = withSystemPath(launch("--version")).run();
        assertThat(outcome.err())
                .isEqualTo(
                        expected
                                ? "tickmark: building (the first time fetches the libraries) ...\n"
                                : "");
        assertThat(outcome.out()).startsWith("tickmark ");
        assertThat(outcome.exitCode()).isZero();
    }

    @Test
    void shouldRunAReleaseWithTheJavaThatItBrings() throws IOException {
        Files.createDirectory(copy.resolve("classpaths"));
        Files.createSymbolicLink(copy.resolve("lib"), Launch.ROOT.resolve("cli/target/dist/lib"));
        Files.createSymbolicLink(copy.resolve("runtime"), Path.of(System.getProperty("java.home")));

        final Launch.Outcome outcome =
                withSystemPath(launch("--version")).with("JAVA_HOME", "").run();

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out()).startsWith("tickmark ");
        shouldBeUnable(launch("test"), "tickmark: this is a release without sources: ");
    }

    /** One that had been refused had loaded little: its classes were all that was ever mapped. */
    @Test
    void shouldKeepTheClassesOfTheSecondCommandOfAReleaseThatMeasured() throws IOException {
        Files.createDirectory(copy.resolve("classpaths"));
        Files.createDirectory(copy.resolve("lib"));
        Files.createFile(copy.resolve("lib/tickmark-cli-1.jar"));
        final Path java = Files.createDirectories(copy.resolve("runtime/bin")).resolve("java");
        // refuses --wrong as the front door does, measures all else, and says how it was started
        Files.writeString(
                java,
                """
                #!/bin/sh
                for word; do
                    case $word in
                        -XX:ArchiveClassesAtExit=*) part=${word#*=} ;;
                        -XX:SharedArchiveFile=*) echo "mapped ${word##*/}" ;;
                    esac
                done
                [ -z "${part:-}" ] || echo "$*" >"$part"
                case "$*" in *--wrong*) exit 2 ;; esac
                [ -z "${part:-}" ] || touch "$part.whole"
                """);
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createFile(copy.resolve("runtime/bin/javac"));
        Files.createFile(copy.resolve("config/jvm.options"));

        withSystemPath(launch("quick")).run();
        try (Stream<Path> files = Files.list(copy.resolve("classes"))) {
            assertThat(files)
                    .as("nobody waits at the end of the first")
                    .containsExactly(copy.resolve("classes/front-door.used"));
        }
        assertThat(withSystemPath(launch("run", "--wrong")).run().out()).isEmpty();
        assertThat(withSystemPath(launch("run")).run().out()).as("not of a refused one").isEmpty();
        assertThat(withSystemPath(launch("plans")).run().out())
                .isEqualTo("mapped front-door.jsa\n");
        try (Stream<Path> files = Files.list(copy.resolve("classes"))) {
            assertThat(files).containsExactly(copy.resolve("classes/front-door.jsa"));
        }
        assertThat(copy.resolve("classes/front-door.jsa")).content().doesNotContain("--wrong");
    }

    /** Maven that builds what this project's own build left. */
    private void fakeBuild() throws IOException {
        final Path lib = Launch.ROOT.resolve("cli/target/dist/lib");
        program(
                "mvn",
                """
                case "$*" in
                    *package*) mkdir -p cli/target/dist; ln -sfn '%s' cli/target/dist/lib ;;
                    *) %s ;;
                esac
                """
                        .formatted(lib, GOOD_MAVEN));
        program("npm", "");
        program("node", GOOD_NODE);
    }

    private Launch launch(final String... arguments) {
        return Launch.of(copy.resolve("tickmark"), arguments)
                .with("JAVA_HOME", System.getProperty("java.home"))
                .with("PATH", bin.toString())
                .with("TICKMARK_JDK_FOLDERS", "/nonexistent")
                .with("TICKMARK_BUILD", "");
    }

    private Launch withSystemPath(final Launch launch) {
        return launch.with("PATH", bin + ":" + System.getenv("PATH"));
    }

    private void shouldBeUnable(final Launch launch, final String sentence) {
        final Launch.Outcome outcome = launch.run();
        assertThat(outcome.errLines()).singleElement().asString().startsWith(sentence);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.exitCode()).isEqualTo(3);
    }

    private Path jdk(final String version) throws IOException {
        final Path jdk = Files.createDirectories(folder.resolve("jdks").resolve(version));
        Files.createDirectory(jdk.resolve("bin"));
        script(jdk.resolve("bin/java"), "exit 99");
        script(jdk.resolve("bin/javac"), "exit 99");
        Files.writeString(
                jdk.resolve("release"),
                "IMPLEMENTOR=\"Somebody\"\nJAVA_VERSION=\"" + version + "\"\n");
        return jdk;
    }

    private void program(final String name, final String script) throws IOException {
        script(bin.resolve(name), script);
    }

    private static void script(final Path file, final String script) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}

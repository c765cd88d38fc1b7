package io.tickmark.lab.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rest is the JVM's: the system tests start roles that use an archive. */
class ClassArchiveTest {
    private static final Path JAVA = Path.of("/java");
    private static final String WRITES = "-XX:ArchiveClassesAtExit=";
    private static final String USES = "-XX:SharedArchiveFile=";

    private static final Instant FIRST_RUN = Instant.EPOCH;
    private static final Instant SECOND_RUN = Instant.now().plus(Duration.ofHours(1));

    @TempDir private Path home;
    private Path jar;

    @BeforeEach
    void jar() throws IOException {
        jar = Files.writeString(home.resolve("one.jar"), "classes");
    }

    /** In a run after the first one that used the class path. */
    private ClassArchive archive(final String... flags) {
        at(FIRST_RUN, flags);
        return at(SECOND_RUN, flags);
    }

    private ClassArchive at(final Instant run, final String... flags) {
        return ClassArchive.of(Optional.of(home), JAVA, List.of(flags), List.of(jar), run);
    }

    /** What the JVM writes when it ends. */
    private static void write(final ClassArchive archive) throws IOException {
        Files.writeString(
                Path.of(archive.flags().getFirst().substring(WRITES.length())), "an archive");
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(home.resolve(ClassArchive.FOLDER))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.endsWith(".used"))
                    .toList();
        }
    }

    private void make() throws IOException {
        final ClassArchive first = archive();
        write(first);
        first.keep(0);
    }

    /** It takes seconds, and somebody who tries the product waits for the result. */
    @Test
    void shouldNotWriteInTheFirstRun() throws IOException {
        assertThat(at(FIRST_RUN).flags()).isEmpty();
        assertThat(at(FIRST_RUN).flags()).as("a second process of it").isEmpty();
        assertThat(files()).isEmpty();
        assertThat(at(SECOND_RUN).flags().getFirst()).startsWith(WRITES);
    }

    @Test
    void shouldUseWhatTheFirstProcessWrote() throws IOException {
        assertThat(archive().flags().getFirst()).startsWith(WRITES);
        assertThat(archive().flags()).as("one is being written").isEmpty();
        files().forEach(file -> home.resolve(ClassArchive.FOLDER).resolve(file).toFile().delete());

        make();

        assertThat(archive().flags().getFirst())
                .isEqualTo(USES + home.resolve(ClassArchive.FOLDER).resolve(files().getFirst()));
        assertThat(archive("-Xmx1g").flags()).isEqualTo(archive().flags());
    }

    @Test
    void shouldKeepNothingOfAProcessThatWasKilled() throws IOException {
        final ClassArchive killed = archive();
        write(killed);
        killed.keep(137);
        assertThat(files()).isEmpty();

        final ClassArchive ended = archive();
        ended.keep(0);
        assertThat(files()).as("it wrote nothing").isEmpty();
    }

    @Test
    void shouldTakeItForOverAfterADayInTheMaking() throws IOException {
        archive();
        final Path part = home.resolve(ClassArchive.FOLDER).resolve(files().getFirst());
        final Instant yesterday = Instant.now().minus(Duration.ofDays(1));
        Files.setLastModifiedTime(part, FileTime.from(yesterday));

        assertThat(archive().flags().getFirst()).startsWith(WRITES);
        assertThat(part).doesNotExist();
        assertThat(files()).as("anew").hasSize(1);
    }

    /** It alone would have kept the archive; no other was made for twelve hours. */
    @Test
    void shouldWriteAnotherWhereTheProcessThatAnnouncedOneWasKilled() throws Exception {
        archive();
        final Path part = home.resolve(ClassArchive.FOLDER).resolve(files().getFirst());
        final Process killed = new ProcessBuilder("sleep", "60").start();
        killed.destroyForcibly().waitFor();
        final Path ofTheKilled =
                Files.move(
                        part,
                        part.resolveSibling(
                                part.getFileName()
                                        .toString()
                                        .replace(
                                                "." + ProcessHandle.current().pid() + ".",
                                                "." + killed.pid() + ".")));
        assertThat(ofTheKilled).isNotEqualTo(part);

        assertThat(archive().flags().getFirst()).startsWith(WRITES);
        assertThat(ofTheKilled).doesNotExist();
    }

    /** In a container each run may have the same one, and so may two at the same time. */
    @Test
    void shouldWriteAnotherWhereThatProcessHadTheNumberOfThisOne() throws IOException {
        archive();
        final Path part = home.resolve(ClassArchive.FOLDER).resolve(files().getFirst());
        Files.setLastModifiedTime(
                part,
                FileTime.from(
                        ProcessHandle.current()
                                .info()
                                .startInstant()
                                .orElseThrow()
                                .minus(Duration.ofMinutes(1))));

        assertThat(archive().flags().getFirst()).startsWith(WRITES);
        assertThat(files())
                .as("not the file that the other process may still write")
                .singleElement()
                .isNotEqualTo(part.getFileName().toString());
    }

    @Test
    void shouldWriteAnotherWhereAJarHasChanged() throws IOException {
        make();
        Files.writeString(jar, "other classes");
        assertThat(archive().flags().getFirst()).startsWith(WRITES);
    }

    @Test
    void shouldLeaveClassesToThoseWhoSeeToThem() {
        assertThat(archive("-Xshare:off").flags()).isEmpty();
        assertThat(archive("-javaagent:probe.jar").flags()).isEmpty();
        assertThat(archive("-XX:AOTCache=mine").flags()).isEmpty();
    }

    /** Its class path begins with the jars that the build wrote the archive of all roles for. */
    private ClassArchive ofThisInstallation(final Instant run, final String... flags)
            throws IOException {
        final Path lib = Files.createDirectories(home.resolve("lib"));
        final Path own = lib.resolve("tickmark-lab.jar");
        if (Files.notExists(own)) { // its time is in the name of an archive
            Files.writeString(own, "classes");
        }
        return ClassArchive.of(Optional.of(home), JAVA, List.of(flags), List.of(own, jar), run);
    }

    @Test
    void shouldUseWhatEveryRoleLoadsUntilItHasWrittenItsOwn() throws IOException {
        assertThat(ofThisInstallation(FIRST_RUN).flags()).as("there is none").isEmpty();
        final Path every = home.resolve(ClassArchive.OF_EVERY_ROLE);
        Files.createFile(every);

        assertThat(ofThisInstallation(FIRST_RUN).flags().getFirst()).isEqualTo(USES + every);
        final ClassArchive own = ofThisInstallation(SECOND_RUN);
        assertThat(own.flags().getFirst()).startsWith(WRITES);
        assertThat(ofThisInstallation(SECOND_RUN).flags().getFirst())
                .as("while that one writes")
                .isEqualTo(USES + every);
        write(own);
        own.keep(0);
        assertThat(ofThisInstallation(SECOND_RUN).flags().getFirst())
                .startsWith(USES)
                .isNotEqualTo(USES + every);
        assertThat(archive().flags().getFirst())
                .as("with the jars of another build")
                .startsWith(WRITES);
    }

    @Test
    void shouldWriteNothingForWhoWantsOnlyWhatIsThere() throws IOException {
        ofThisInstallation(FIRST_RUN);
        assertThat(ofThisInstallation(SECOND_RUN, "-Xshare:auto").flags()).isEmpty();
        Files.createFile(home.resolve(ClassArchive.OF_EVERY_ROLE));
        assertThat(ofThisInstallation(SECOND_RUN, "-Xshare:auto").flags().getFirst())
                .startsWith(USES);
    }

    @Test
    void shouldGoWithoutWhereNoneCanBe() throws IOException {
        assertThat(
                        ClassArchive.of(Optional.empty(), JAVA, List.of(), List.of(jar), SECOND_RUN)
                                .flags())
                .isEmpty();
        assertThat(
                        ClassArchive.of(
                                        Optional.of(home),
                                        JAVA,
                                        List.of(),
                                        List.of(home.resolve("absent.jar")),
                                        SECOND_RUN)
                                .flags())
                .isEmpty();
        Files.createDirectories(home).resolve(ClassArchive.FOLDER).toFile().createNewFile();
        assertThat(archive().flags()).as("no folder to write in").isEmpty();
    }
}

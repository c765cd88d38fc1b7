package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.lab.place.ClassArchive;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The folder that runs, as the lab's role processes rely on it. */
class DistTest {
    private static final Path DIST = Launch.ROOT.resolve("cli/target/dist");
    private static final Path ARCHIVES = DIST.resolve("classes");
    private static final String CLASS_PATH = "java_class_path (initial): ";

    /** Three are enough where no other run is killed. */
    private static final int MOST_RUNS = 6;

    @TempDir private Path folder;

    @Test
    void shouldHaveEveryJarOfEveryClassPath() throws IOException {
        for (final String module :
                List.of(
                        "kernel",
                        "transport",
                        "engine-aeron",
                        "workload-messaging",
                        "lab",
                        "report",
                        "cli")) {
            final List<String> jars = classPath("tickmark-" + module);
            assertThat(jars.getFirst()).startsWith("tickmark-" + module + "-");
            assertThat(jars)
                    .allSatisfy(
                            jar -> assertThat(DIST.resolve("lib").resolve(jar)).isRegularFile());
        }
    }

    @Test
    void shouldGiveAModuleOnlyWhatItUses() throws IOException {
        assertThat(classPath("tickmark-transport"))
                .anyMatch(jar -> jar.startsWith("agrona-"))
                .noneMatch(jar ->
                        jar.startsWith("jackson-")
                                || jar.startsWith("aeron-")
                                || jar.startsWith("picocli-"));
    }

    @Test
    void shouldShipTheLicencesOfWhatItShips() throws IOException {
        assertThat(Files.readString(DIST.resolve("THIRD-PARTY.txt")))
                .contains("org.agrona:agrona", "Apache-2.0");
    }

    /** The gate allows a licence by its spelling, whoever uses it. */
    @Test
    void shouldShipOnlyJeroMqUnderMozillasLicence() throws IOException {
        assertThat(Files.readAllLines(DIST.resolve("THIRD-PARTY.txt")))
                .filteredOn(line -> line.matches(" *\\(.*(Mozilla|MPL ).*\\) .*"))
                .filteredOn(line -> !line.contains("(Apache-2.0)")) // a choice of licences
                .singleElement()
                .asString()
                .contains("org.zeromq:jeromq");
    }

    @Test
    void shouldOpenTheSamePackagesFromTheManifestAsFromTheFlags() throws IOException {
        final Path jar = DIST.resolve("lib").resolve(classPath("tickmark-cli").getFirst());
        try (JarFile file = new JarFile(jar.toFile())) {
            final Attributes manifest = file.getManifest().getMainAttributes();
            assertThat(flags("--add-exports="))
                    .containsExactly(manifest.getValue("Add-Exports").split(" "));
            assertThat(flags("--add-opens="))
                    .containsExactly(manifest.getValue("Add-Opens").split(" "));
            assertThat(flags("--enable-native-access="))
                    .containsExactly(manifest.getValue("Enable-Native-Access"));
            final List<String> others = Files.readAllLines(DIST.resolve("config/jar.options"));
            assertThat(others)
                    .as("what a manifest cannot hold")
                    .isNotEmpty()
                    .noneMatch(flag -> flag.startsWith("--add-"));
            assertThat(Files.readAllLines(DIST.resolve("config/jvm.options")))
                    .filteredOn(flag -> !flag.matches("--(add|enable)-.*"))
                    .isEqualTo(others);
        }
    }

    @Test
    void shouldGiveEveryJvmTheFlagsThatEnginesNameInTheirFolders() throws IOException {
        final Set<String> flags = new LinkedHashSet<>(flagsIn(Launch.ROOT));
        try (Stream<Path> engines = Files.list(Launch.ROOT.resolve("engines"))) {
            for (final Path engine : engines.sorted().toList()) {
                flags.addAll(flagsIn(engine));
            }
        }

        assertThat(Files.readAllLines(DIST.resolve("config/jvm.options")))
                .hasSizeGreaterThan(flagsIn(Launch.ROOT).size())
                .containsExactlyElementsOf(flags);
    }

    /** Of the folder itself, or of its {@code config}; none where it has no file. */
    private static List<String> flagsIn(final Path folder) throws IOException {
        final Path own = folder.resolve("jvm.options");
        final Path file = Files.exists(own) ? own : folder.resolve("config/jvm.options");
        return Files.exists(file)
                ? Files.readAllLines(file).stream().filter(line -> line.startsWith("-")).toList()
                : List.of();
    }

    /**
     * Starts are faster for it; the second run with a class path writes the archive for the third,
     * where no other test's run was writing it and was killed meanwhile.
     */
    @Test
    void shouldMapTheClassesOfTheFrontDoorAndOfRolesFromArchives() throws Exception {
        final Path log = folder.resolve("front-door.txt");
        boolean isMapped = false;
        for (int number = 1; !isMapped; number++) {
            assertThat(number)
                    .as("runs without an archive of their own")
                    .isLessThanOrEqualTo(MOST_RUNS);
            final String run = "run" + number;
            Launch.tickmark(
                            folder,
                            "stream --channel shm: --messages 100 --jvm-warm-up 0 --no-noise --out "
                                    + run)
                    .with("TICKMARK_JAVA_OPTS", loaded(log))
                    .with("TICKMARK_ROLE_JAVA_OPTS", loaded(folder.resolve(run + "-%p.txt")))
                    .run()
                    .passedOrWasSaturated();
            final List<String> sources = sourcesOfRoles(run);
            assertThat(sources)
                    .hasSize(2)
                    .as("what every role loads, or better, but for the one that writes")
                    .anyMatch(source -> source.contains("shared objects file"));
            isMapped =
                    sources.stream()
                            .allMatch(source -> source.contains("shared objects file (top)"));
            if (!isMapped) {
                awaitArchives(run);
            }
        }

        assertThat(sourceOf("io.tickmark.cli.Main", log)).contains("shared objects file");
    }

    /** Another test's run may be writing the archives that the roles of a run would have used. */
    private void awaitArchives(final String run) throws Exception {
        for (final Path log : logsOfRoles(run)) {
            final String key =
                    ClassArchive.key(Path.of(System.getProperty("java.home")), jars(log));
            try (Stream<Path> files = Files.list(ARCHIVES)) {
                assertThat(files.map(file -> file.getFileName().toString()))
                        .as("the mark of that class path, or an archive")
                        .anyMatch(name -> name.startsWith(key + "."));
            }
            Job.await("the archive " + key, () -> !isInMaking(key));
        }
    }

    private static boolean isInMaking(final String key) {
        try {
            return ClassArchive.isInMaking(ARCHIVES, key);
        } catch (final NoSuchFileException e) {
            return true; // it is kept at this moment: look again
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The class path of a JVM, as it logs it. */
    private static List<Path> jars(final Path log) throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            final String all =
                    lines.filter(line -> line.contains(CLASS_PATH)).findFirst().orElseThrow();
            return Stream.of(
                            all.substring(all.indexOf(CLASS_PATH) + CLASS_PATH.length())
                                    .split(File.pathSeparator))
                    .map(Path::of)
                    .toList();
        }
    }

    private List<Path> logsOfRoles(final String run) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(each -> each.getFileName().toString().startsWith(run + "-"))
                    .toList();
        }
    }

    private List<String> sourcesOfRoles(final String run) throws IOException {
        final List<String> sources = new ArrayList<>();
        for (final Path file : logsOfRoles(run)) {
            sources.add(sourceOf("io.tickmark.lab.host.RoleHost", file));
        }
        return sources;
    }

    /** One for which the JVM needs other flags than it was made with is refused in silence. */
    @Test
    void shouldMapLinkedClassesWhereNoOptionOpensModules() throws IOException {
        final Path help = folder.resolve("help.txt");
        final Path byHand = folder.resolve("by-hand.txt");
        Launch.tickmark(folder, "latency --help").with("TICKMARK_JAVA_OPTS", loaded(help)).run();
        Launch.tickmark(folder, "latency pub --help")
                .with("TICKMARK_JAVA_OPTS", loaded(byHand))
                .run();
        final Path opening = folder.resolve("opening.txt");
        Launch.tickmark(folder, "latency --help")
                .with(
                        "TICKMARK_JAVA_OPTS",
                        "--add-opens=java.base/java.lang=ALL-UNNAMED " + loaded(opening))
                .run();

        for (final Path linked : List.of(help, byHand)) {
            for (final String type : List.of("io.tickmark.cli.Main", "picocli.CommandLine")) {
                assertThat(sourceOf(type, linked))
                        .as("linked, in one archive with the JDK's")
                        .endsWith("shared objects file");
            }
        }
        assertThat(sourceOf("io.tickmark.cli.Main", opening))
                .as("on top of the JDK's own archive")
                .endsWith("shared objects file (top)");
    }

    private static String loaded(final Path log) {
        return "-Xlog:class+load,arguments:file=" + log;
    }

    private static String sourceOf(final String type, final Path log) throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.filter(line -> line.contains(type + " source:")).findFirst().orElseThrow();
        }
    }

    private static List<String> classPath(final String artifactId) throws IOException {
        return Files.readAllLines(DIST.resolve("classpaths").resolve(artifactId + ".txt"));
    }

    private static Stream<String> flags(final String option) throws IOException {
        return Files.readAllLines(DIST.resolve("config/jvm.options")).stream()
                .filter(line -> line.startsWith(option))
                .map(line -> line.substring(option.length()).replace("=ALL-UNNAMED", ""));
    }
}

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Writes the classes that the front door loads as its JVM can map them (class data sharing, JEP 350), by a short
 * run that comes by most of them: {@code classes/front-door.jsa}. A short run takes a third less with it. Where it cannot
 * be made the front door goes without it, so this says why and never fails the build. Run by the build: {@code java
 * FrontDoorClasses.java DIST VERSION JVM_OPTIONS}. A release makes its own by the first command that measures.
 */
final class FrontDoorClasses {
    private static final int LONGEST_S = 120;

    private static final String PLAN =
            """
            schema: tickmark.plan/1
            name: first
            tests:
              - name: first
                workload: stream
                channels: ["shm:"]
                settings: {messages: 100, jvmWarmUp: 0}
                roles: [{role: stream-pub}, {role: stream-sub}]
            """;

    private FrontDoorClasses() {}

    public static void main(final String[] args) throws IOException, InterruptedException {
        final Path dist = Path.of(args[0]).toAbsolutePath();
        final Path folder = Files.createDirectories(dist.resolve("classes"));
        final Path archive = folder.resolve("front-door.jsa");
        final Path run = Files.createTempDirectory("tickmark-first-run");
        final Path log = run.resolve("log.txt");
        final Path plan = Files.writeString(run.resolve("first.yaml"), PLAN);
        final Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-XX:-UsePerfData",
                                "-XX:ArchiveClassesAtExit=" + archive,
                                "-Dtickmark.home=" + dist,
                                "-Dtickmark.jvm.options=" + Path.of(args[2]).toAbsolutePath(),
                                "-jar",
                                dist.resolve("lib/tickmark-cli-" + args[1] + ".jar").toString(),
                                "run",
                                plan.toString(),
                                "--noise",
                                "0",
                                "--no-history",
                                "--out",
                                run.resolve("result").toString())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        if (!process.waitFor(LONGEST_S, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        if (!Files.isRegularFile(archive)) {
            System.err.println("tickmark: starts take longer, because the front door's classes could not be archived:");
            Files.readAllLines(log).forEach(System.err::println);
        }
        try (Stream<Path> files = Files.walk(run)) {
            for (final Path file : List.copyOf(files.sorted(Comparator.reverseOrder()).toList())) {
                Files.deleteIfExists(file);
            }
        }
    }
}

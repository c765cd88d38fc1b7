import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Writes the classes that the front door, and its agents on other hosts, load as their JVM can map them, so that they are not
 * read and verified again. Run by the build: {@code java FrontDoorClasses.java DIST VERSION JVM_OPTIONS}. Where an archive
 * cannot be made they go without it, so this says why and never fails the build. A release makes its own, the first one, by the
 * first command that measures.
 *
 * <ul>
 *   <li>{@code classes/front-door.jsa} (class data sharing, JEP 350): what a short run loads, by the run itself. A short run
 *       takes a third less with it.
 *   <li>{@code classes/front-door-linked.jsa} (JEP 483): what that run and some other commands load, linked already, lambdas
 *       and the JDK's own classes included; a fifth less again. The JVM takes it only without options that open modules, so
 *       not for roles by hand, and not beside plug-ins.
 *   <li>{@code classes/agent.jsa}: what an agent loads, which is copied to hosts with the jars. An agent takes little more than
 *       half of the CPU time with it.
 * </ul>
 */
final class FrontDoorClasses {
    private static final int LONGEST_S = 600;

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

    /** What a controller asks of an agent, whose end is the last. */
    private static final List<String> ORDERS =
            List.of(
                    """
                    {"type": "greet", "run": "first", "address": "127.0.0.1"}""",
                    """
                    {"type": "echo", "token": 1, "isPatient": true}""",
                    """
                    {"type": "echo", "token": 2, "isPatient": false}""",
                    """
                    {"type": "time"}""",
                    """
                    {"type": "folder", "name": "first"}""",
                    """
                    {"type": "collect", "name": "first"}""",
                    """
                    {"type": "bye"}""");

    /** Commands that load what the run does not, in less than a second each. */
    private static final List<List<String>> OTHERS =
            List.of(List.of("--help"), List.of("latency", "--help"), List.of("engines"), List.of("plans"));

    private static final List<String> JVM = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData");

    private final Path dist;
    private final Path jar;
    private final Path agentJar;
    private final Path options;
    private final Path folder;

    private FrontDoorClasses(final Path dist, final String version, final Path options, final Path folder) {
        this.dist = dist;
        this.jar = dist.resolve("lib/tickmark-cli-" + version + ".jar");
        this.agentJar = dist.resolve("lib/tickmark-lab-" + version + ".jar");
        this.options = options;
        this.folder = folder;
    }

    public static void main(final String[] args) throws IOException, InterruptedException {
        final Path dist = Path.of(args[0]).toAbsolutePath();
        final Path folder = Files.createTempDirectory("tickmark-first-run");
        new FrontDoorClasses(dist, args[1], Path.of(args[2]).toAbsolutePath(), folder)
                .write(Files.createDirectories(dist.resolve("classes")));
        try (Stream<Path> files = Files.walk(folder)) {
            for (final Path file : List.copyOf(files.sorted(Comparator.reverseOrder()).toList())) {
                Files.deleteIfExists(file);
            }
        }
    }

    private void write(final Path classes) throws IOException, InterruptedException {
        final Path mapped = classes.resolve("front-door.jsa");
        final List<Path> lists = new ArrayList<>();
        lists.add(folder.resolve("run.lst"));
        frontDoor(
                List.of("-XX:ArchiveClassesAtExit=" + mapped, listing(lists.getLast())),
                List.of(
                        "run",
                        Files.writeString(folder.resolve("first.yaml"), PLAN).toString(),
                        "--noise",
                        "0",
                        "--no-history",
                        "--out",
                        folder.resolve("result").toString()));
        final List<List<String>> others = new ArrayList<>(OTHERS);
        others.add(List.of("wire", emptyCapture().toString()));
        for (final List<String> command : others) {
            lists.add(folder.resolve(lists.size() + ".lst"));
            frontDoor(List.of(listing(lists.getLast())), command);
        }
        final Path linked = classes.resolve("front-door-linked.jsa");
        final Path part = classes.resolve("front-door-linked.part");
        final boolean isWhole =
                java(
                        List.of(
                                "-Xshare:dump",
                                "-XX:+AOTClassLinking",
                                "-XX:SharedClassListFile=" + merged(lists),
                                "-XX:SharedArchiveFile=" + part,
                                "-cp",
                                jar.toString()));
        if (isWhole) {
            Files.move(part, linked, StandardCopyOption.REPLACE_EXISTING);
        }
        Files.deleteIfExists(part);
        final Path agent = classes.resolve("agent.jsa");
        agent(agent);
        for (final Path archive : List.of(mapped, linked, agent)) {
            if (!Files.isRegularFile(archive)) {
                System.err.println("tickmark: starts take longer, because " + archive.getFileName() + " could not be made:");
                Files.readAllLines(folder.resolve("log.txt")).forEach(System.err::println);
            }
        }
    }

    /** A capture of Ethernet frames without a packet: the header of a pcap file (draft-ietf-opsawg-pcap, section 4). */
    private Path emptyCapture() throws IOException {
        final ByteBuffer header = ByteBuffer.allocate(24);
        header.putInt(0xA1B2C3D4).putShort((short) 2).putShort((short) 4).putLong(0).putInt(65_535).putInt(1);
        return Files.write(folder.resolve("empty.pcap"), header.array());
    }

    private static String listing(final Path list) {
        return "-XX:DumpLoadedClassList=" + list;
    }

    /**
     * Numbers of classes hold within one list only. They are needed for classes of other loaders, which have a source and are
     * left out.
     */
    private Path merged(final List<Path> lists) throws IOException {
        final Set<String> lines = new LinkedHashSet<>();
        for (final Path list : lists) {
            if (Files.exists(list)) {
                Files.readAllLines(list).stream()
                        .filter(line -> !line.startsWith("#") && !line.contains(" source: "))
                        .map(line -> line.replaceFirst(" id: \\d+$", ""))
                        .forEach(lines::add);
            }
        }
        return Files.write(folder.resolve("merged.lst"), lines);
    }

    private void frontDoor(final List<String> flags, final List<String> command) throws IOException, InterruptedException {
        final List<String> words = new ArrayList<>(flags);
        words.add("-Dtickmark.home=" + dist);
        words.add("-Dtickmark.jvm.options=" + options);
        words.add("-jar");
        words.add(jar.toString());
        words.addAll(command);
        java(words);
    }

    /** Serves a controller that asks for everything but processes; each order is a frame: channel 0, length, text. */
    private void agent(final Path archive) throws IOException, InterruptedException {
        final Path orders = folder.resolve("orders");
        try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(orders))) {
            for (final String order : ORDERS) {
                final byte[] text = order.getBytes(StandardCharsets.UTF_8);
                out.writeInt(0);
                out.writeInt(text.length);
                out.write(text);
            }
        }
        final boolean isServed =
                java(
                        List.of(
                                "-XX:ArchiveClassesAtExit=" + archive,
                                "-Dtickmark.home=" + dist,
                                "-Dtickmark.jvm.options=" + options,
                                "-cp",
                                agentJar.toString(),
                                "io.tickmark.lab.hosts.HostAgentMain",
                                folder.resolve("agent").toString()),
                        ProcessBuilder.Redirect.from(orders.toFile()));
        if (!isServed) {
            Files.deleteIfExists(archive);
        }
    }

    private boolean java(final List<String> words) throws IOException, InterruptedException {
        return java(words, ProcessBuilder.Redirect.PIPE);
    }

    /** Whether it ended well, and in time. */
    private boolean java(final List<String> words, final ProcessBuilder.Redirect input)
            throws IOException, InterruptedException {
        final List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(JVM);
        line.addAll(words);
        final Process process =
                new ProcessBuilder(line)
                        .redirectInput(input)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log.txt").toFile()))
                        .start();
        if (!process.waitFor(LONGEST_S, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        return process.exitValue() == 0;
    }
}

import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the classes that the front door, roles, and agents on other hosts load as their JVM can map them, so that they are not
 * read and verified again. Run by the build: {@code java FrontDoorClasses.java DIST VERSION JVM_OPTIONS}. Where an archive
 * cannot be made they go without it, so this says why and never fails the build. A release makes its own, the first one, by the
 * first command that measures.
 *
 * <ul>
 *   <li>{@code classes/front-door.jsa} (class data sharing, JEP 350): what a short run loads, by the run itself. A short run
 *       takes a third less with it.
 *   <li>{@code classes/front-door-linked.jsa} (JEP 483): what that run, some other commands and roles by hand load, linked
 *       already, lambdas and the JDK's own classes included; a fifth less again. The JVM takes it only without options that
 *       open modules, so not beside plug-ins.
 *   <li>{@code classes/agent.jsa}: what an agent loads, which is copied to hosts with the jars. An agent takes little more than
 *       half of the CPU time with it.
 *   <li>{@code classes/role-VERSION.jsa}: what every role loads, of the jars that all their class paths begin with; copied to
 *       hosts as well. Roles write better ones of their own, but not in their first run.
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
                roles:
                  - {role: stream-pub, jvm: {options: ["-XX:DumpLoadedClassList=%1$s/role-1.lst"]}}
                  - {role: stream-sub, jvm: {options: ["-XX:DumpLoadedClassList=%1$s/role-2.lst"]}}
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

    /** Both sides of a test by hand. */
    private record RolePair(String scheme, List<String> publisher, List<String> subscriber) {}

    private static final List<RolePair> ROLES =
            List.of(
                    new RolePair(
                            "udp",
                            List.of("latency", "pub", "--sizes", "64", "--samples", "100", "--warm-up", "1ms"),
                            List.of("latency", "sub")),
                    new RolePair(
                            "tcp",
                            List.of("stream", "pub", "--messages", "100", "--jvm-warm-up", "1ms"),
                            List.of("stream", "sub")));

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
                        Files.writeString(folder.resolve("first.yaml"), PLAN.formatted(folder)).toString(),
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
        for (final RolePair pair : ROLES) {
            final int port = freePort();
            final List<Process> both = new ArrayList<>();
            for (final List<String> role : List.of(pair.publisher(), pair.subscriber())) {
                lists.add(folder.resolve(lists.size() + ".lst"));
                final List<String> command = new ArrayList<>(role);
                command.addAll(List.of("--channel", pair.scheme() + "://127.0.0.1:" + port, "--connect-timeout", "20s"));
                both.add(start(ofFrontDoor(List.of(listing(lists.getLast())), command), ProcessBuilder.Redirect.PIPE));
            }
            for (final Process role : both) {
                hasEnded(role);
            }
        }
        final Path linked = classes.resolve("front-door-linked.jsa");
        dump(linked, lists, jar.toString(), List.of("-XX:+AOTClassLinking"));
        final Path agent = classes.resolve("agent.jsa");
        agent(agent);
        final Path role = classes.resolve("role-" + Runtime.version() + ".jsa");
        final Path lib = agentJar.getParent();
        dump(
                role,
                List.of(folder.resolve("role-1.lst"), folder.resolve("role-2.lst")),
                Files.readAllLines(dist.resolve("classpaths/tickmark-lab.txt")).stream()
                        .map(lib::resolve)
                        .map(Path::toString)
                        .collect(Collectors.joining(File.pathSeparator)),
                List.of());
        for (final Path archive : List.of(mapped, linked, agent, role)) {
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

    /** The classes of lists that are on a class path, as one archive. */
    private void dump(final Path archive, final List<Path> lists, final String classPath, final List<String> how)
            throws IOException, InterruptedException {
        final Path part = archive.resolveSibling(archive.getFileName() + ".part");
        final List<String> words = new ArrayList<>(how);
        words.addAll(
                List.of(
                        "-Xshare:dump",
                        "-XX:SharedClassListFile=" + merged(lists),
                        "-XX:SharedArchiveFile=" + part,
                        "-cp",
                        classPath));
        if (java(words)) {
            Files.move(part, archive, StandardCopyOption.REPLACE_EXISTING);
        }
        Files.deleteIfExists(part);
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

    /** Free for datagrams where it is free for connections, as a rule: otherwise the roles load less. */
    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private void frontDoor(final List<String> flags, final List<String> command) throws IOException, InterruptedException {
        java(ofFrontDoor(flags, command));
    }

    private List<String> ofFrontDoor(final List<String> flags, final List<String> command) {
        final List<String> words = new ArrayList<>(flags);
        words.add("-Dtickmark.home=" + dist);
        words.add("-Dtickmark.jvm.options=" + options);
        words.add("-jar");
        words.add(jar.toString());
        words.addAll(command);
        return words;
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
                                "io.tickmark.lab.hosts.HostAgent",
                                folder.resolve("agent").toString()),
                        ProcessBuilder.Redirect.from(orders.toFile()));
        if (!isServed) {
            Files.deleteIfExists(archive);
        }
    }

    private boolean java(final List<String> words) throws IOException, InterruptedException {
        return java(words, ProcessBuilder.Redirect.PIPE);
    }

    private boolean java(final List<String> words, final ProcessBuilder.Redirect input)
            throws IOException, InterruptedException {
        return hasEnded(start(words, input));
    }

    private Process start(final List<String> words, final ProcessBuilder.Redirect input) throws IOException {
        final List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(JVM);
        line.addAll(words);
        return new ProcessBuilder(line)
                .redirectInput(input)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log.txt").toFile()))
                .start();
    }

    /** Whether it ended well, and in time. */
    private static boolean hasEnded(final Process process) throws InterruptedException {
        if (!process.waitFor(LONGEST_S, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        return process.exitValue() == 0;
    }
}

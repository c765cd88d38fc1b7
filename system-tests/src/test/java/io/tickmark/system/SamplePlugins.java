package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Builds jars of a user's own: the policy of the samples, and an engine. */
final class SamplePlugins {
    static final String SERVICES = "META-INF/services/";
    private static final Path SAMPLE = Launch.ROOT.resolve("samples/conflation-policy");

    /**
     * All that an engine of somebody else needs: here one that sends as the UDP of the bench does.
     */
    private static final String ENGINE =
            """
            package mine;
            import io.tickmark.transport.*;
            public final class MineTransport implements Transport {
                private final Transport udp = new io.tickmark.transport.udp.UdpTransport();
                public String scheme() { return "mine"; }
                public String summary() { return "An engine from a plug-in."; }
                public Class<? extends Record> parameters() { return udp.parameters(); }
                public TransportTraits traits(ChannelUri channel) { return udp.traits(channel); }
                public Publication publication(ChannelUri channel, Topic topic) {
                    return udp.publication(channel, topic);
                }
                public Subscription subscription(ChannelUri channel, Topic topic) {
                    return udp.subscription(channel, topic);
                }
                public Exchange exchange(ChannelUri channel, Topic topic, ExchangeSide side, int cookie) {
                    return udp.exchange(channel, topic, side, cookie);
                }
            }
            """;

    private SamplePlugins() {}

    /** Both, into this folder: conflation {@code moves} and channels {@code mine://}. */
    static void build(final Path plugins) throws IOException {
        jar(plugins.resolve("moves-1.0.jar"), SAMPLE.resolve("MovesPolicy.java"), SAMPLE);
        final Path mine = Files.createDirectories(plugins.resolve("source"));
        Files.createDirectories(mine.resolve(SERVICES));
        Files.writeString(
                mine.resolve(SERVICES + "io.tickmark.transport.Transport"), "mine.MineTransport\n");
        final Path source = Files.writeString(mine.resolve("MineTransport.java"), ENGINE);
        jar(plugins.resolve("mine.jar"), source, mine);
    }

    /** Former classes of ours, which are on the class path when an old plug-in is compiled. */
    private static final String MOVED =
            "package io.tickmark.spi; public class Moved { public static int port() { return 1; } }";

    /**
     * Plug-ins of an older version: in {@code class/} an engine that extends a class which is gone,
     * in {@code method/} one that calls a method which is gone, in {@code constructor/} one that
     * calls a constructor which is gone, in {@code interface/} one without a method that every
     * engine has to implement now.
     */
    static void buildOld(final Path folder) throws IOException {
        final Path moved = Files.createDirectories(folder.resolve("io/tickmark/spi"));
        final Path gone = Files.writeString(moved.resolve("Moved.java"), MOVED);
        old(
                folder.resolve("class"),
                "Moved",
                ENGINE.replace(
                                "implements Transport {",
                                "extends io.tickmark.spi.Moved implements Transport {")
                        .replace("MineTransport", "MovedTransport"),
                gone);
        old(
                folder.resolve("method"),
                "Called",
                calling("called", "ChannelUri.former();"),
                former(
                        folder,
                        "transport/src/main/java/io/tickmark/transport/ChannelUri.java",
                        "public static int former() { return 1; }"));
        old(
                folder.resolve("constructor"),
                "Built",
                calling("built", "new io.tickmark.kernel.role.HotThread(\"x\", true);"),
                former(
                        folder,
                        "kernel/src/main/java/io/tickmark/kernel/role/HotThread.java",
                        "public HotThread(String name, boolean primary) { this(name); }"));
        final Path former = former(folder, TRANSPORT, "");
        Files.writeString(former, Files.readString(former).replace("String summary();", ""));
        old(
                folder.resolve("interface"),
                "Bare",
                ENGINE.lines()
                        .filter(line -> !line.contains("String summary()"))
                        .collect(Collectors.joining("\n"))
                        .replace("return \"mine\"", "return \"bare\"")
                        .replace("MineTransport", "BareTransport"),
                former);
    }

    private static final String TRANSPORT =
            "transport/src/main/java/io/tickmark/transport/Transport.java";

    /** The engine, which does something more before it says what a channel can do. */
    private static String calling(final String scheme, final String statement) {
        return ENGINE.replace("return \"mine\"", "return \"" + scheme + "\"")
                .replace("return udp.traits(channel);", statement + " return udp.traits(channel);")
                .replace(
                        "MineTransport",
                        Character.toUpperCase(scheme.charAt(0))
                                + scheme.substring(1)
                                + "Transport");
    }

    /** A class of ours as it was, with a member that is gone. */
    private static Path former(final Path folder, final String source, final String member)
            throws IOException {
        final String now = Files.readString(Launch.ROOT.resolve(source));
        final Path former = folder.resolve(source.substring(source.indexOf("io/tickmark")));
        Files.createDirectories(former.getParent());
        return Files.writeString(former, now.substring(0, now.lastIndexOf('}')) + member + " }");
    }

    /** Compiles an engine against a class of ours that the installation does not have so. */
    private static void old(
            final Path folder, final String name, final String engine, final Path former)
            throws IOException {
        final Path sources = Files.createDirectories(folder.resolve("source"));
        final Path source = Files.writeString(sources.resolve(name + "Transport.java"), engine);
        Files.createDirectories(sources.resolve(SERVICES));
        Files.writeString(
                sources.resolve(SERVICES + "io.tickmark.transport.Transport"),
                "mine." + name + "Transport\n");
        final Path classes = folder.resolve("classes.d");
        run(
                "javac",
                "-cp",
                classPath(),
                "-d",
                classes.toString(),
                former.toString(),
                source.toString());
        jar(
                folder.resolve(name.toLowerCase(java.util.Locale.ROOT) + ".jar"),
                "-C",
                classes.toString(),
                "mine",
                "-C",
                sources.toString(),
                "META-INF");
    }

    private static final String CONTRACT =
            """
            package mine;
            import io.tickmark.transport.*;
            import java.util.List;
            public class MineContractTest extends TransportContractTest {
                protected Transport transport() { return new MineTransport(); }
                protected ChannelUri channel() { return ChannelUri.parse("mine://127.0.0.1:0"); }
                protected List<ChannelUri> badAddresses() {
                    return List.of(ChannelUri.parse("mine://127.0.0.1:70000"));
                }
                protected boolean subscriptionBinds() { return true; }
            }
            """;

    /** As docs/plugins.md says: from the jars of an installation, JUnit and AssertJ. */
    static Launch.Outcome contractTests(final Path plugins, final Path folder) throws IOException {
        final Path dist = Launch.ROOT.resolve("cli/target/dist");
        final String theirs =
                Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                        .filter(jar ->
                                jar.matches(
                                        ".*/(junit-|opentest4j|assertj|byte-buddy|apiguardian|jspecify)[^/]*[.]jar"))
                        .collect(Collectors.joining(File.pathSeparator));
        final String path =
                String.join(
                        File.pathSeparator,
                        plugins.resolve("mine.jar").toString(),
                        classPath(),
                        jars(dist.resolve("contract")),
                        theirs);
        final Path source = Files.writeString(folder.resolve("MineContractTest.java"), CONTRACT);
        final Path classes = folder.resolve("contract-classes");
        run("javac", "-cp", path, "-d", classes.toString(), source.toString());
        return Launch.of(
                        Path.of(System.getProperty("java.home"), "bin", "java"),
                        "@" + Launch.ROOT.resolve("cli/target/dist/config/jvm.options"),
                        "-cp",
                        classes + File.pathSeparator + path,
                        "io.tickmark.transport.ContractTests",
                        "mine.MineContractTest")
                .run();
    }

    /** All of {@code lib}: the star of a shell's javac is not understood here. */
    private static String classPath() throws IOException {
        return jars(Launch.ROOT.resolve("cli/target/dist/lib"));
    }

    private static String jars(final Path folder) throws IOException {
        try (Stream<Path> jars = Files.list(folder)) {
            return jars.filter(jar -> jar.toString().endsWith(".jar"))
                    .map(Path::toString)
                    .collect(Collectors.joining(File.pathSeparator));
        }
    }

    /** As docs/plugins.md says. */
    private static void jar(final Path jar, final Path source, final Path services)
            throws IOException {
        final Path classes = jar.resolveSibling("classes-" + jar.getFileName() + ".d");
        run("javac", "-cp", classPath(), "-d", classes.toString(), source.toString());
        jar(jar, "-C", classes.toString(), ".", "-C", services.toString(), "META-INF");
    }

    static void jar(final Path jar, final String... content) {
        final List<String> words = new ArrayList<>(List.of("--create", "--file", jar.toString()));
        words.addAll(List.of(content));
        run("jar", words.toArray(String[]::new));
    }

    private static void run(final String tool, final String... words) {
        assertThat(ToolProvider.findFirst(tool).orElseThrow().run(System.out, System.err, words))
                .as(tool)
                .isZero();
    }
}

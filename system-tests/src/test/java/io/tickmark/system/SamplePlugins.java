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

    /** All of {@code lib}: the star of a shell's javac is not understood here. */
    private static String classPath() throws IOException {
        try (Stream<Path> jars = Files.list(Launch.ROOT.resolve("cli/target/dist/lib"))) {
            return jars.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
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

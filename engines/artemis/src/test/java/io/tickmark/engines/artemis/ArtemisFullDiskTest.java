package io.tickmark.engines.artemis;

import static io.tickmark.transport.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tickmark.kernel.host.FreePort;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.Topic;
import io.tickmark.transport.broker.ServerSpec;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.ServerProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server of ours whose disk is full: it ends, and nothing that it acknowledged is lost. */
@Timeout(120)
class ArtemisFullDiskTest {
    /** Two files of the journal and of the bindings fit, a third of the journal does not. */
    private static final String BYTES = "30m";

    private final ArtemisTransport artemis = new ArtemisTransport();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[50_000]);

    @TempDir private Path folder;

    @Test
    void shouldEndOnAFullDiskAndHaveWhatItAcknowledgedOnceThereIsRoom() throws Exception {
        try (SmallDisk disk = new SmallDisk(folder, BYTES);
                Server server = new Server(disk)) {
            final long acknowledged;
            try (DurablePublication publication =
                    artemis.durablePublication(server.channel(), Topic.DEFAULT)) {
                until(
                        "the server has ended",
                        () -> {
                            publication.offer(message, 0, message.capacity());
                            return publication.isLost();
                        });
                assertThat(publication.trouble()).isEqualTo("the server has ended");
                acknowledged = publication.stablePosition();
            }
            assertThat(acknowledged).isPositive();
            assertThat(server.complaints())
                    .anyMatch(said -> said.contains("No space left on device"));

            disk.enlarge("200m");
            server.start();

            try (DurableSubscription subscription =
                    artemis.durableSubscription(server.channel(), Topic.DEFAULT, 0)) {
                for (long ordinal = 0; ordinal <= acknowledged; ordinal++) {
                    until(
                            "a message that was acknowledged",
                            () -> subscription.poll((buffer, offset, length) -> {}, 1) > 0);
                    assertThat(subscription.ordinal()).isEqualTo(ordinal);
                }
                assertThat(subscription.engineErrors()).isEmpty();
            }
        }
    }

    /** A file system of its own, in a mount namespace of its own, which needs no rights. */
    private static final class SmallDisk implements AutoCloseable {
        private final Path folder;
        private final Path mounted;
        private final ServerProcess keeper;

        SmallDisk(final Path folder, final String bytes) throws IOException {
            this.folder = folder;
            mounted = Files.createDirectory(folder.resolve("small")).toAbsolutePath();
            keeper =
                    ServerProcess.start(
                            List.of(
                                    "unshare",
                                    "-rm",
                                    "sh",
                                    "-c",
                                    "mount -t tmpfs -o size=$1 tmpfs \"$0\" && echo mounted && exec sleep 1000",
                                    mounted.toString(),
                                    bytes),
                            Map.of(),
                            folder.resolve("disk.log"));
            assumeTrue(
                    keeper.awaitReady("mounted", "", Duration.ofSeconds(60)).isEmpty(),
                    "this machine allows no mount namespace to try a full disk in");
        }

        /** A command that has the disk. */
        List<String> on(final List<String> command) {
            final List<String> all =
                    new ArrayList<>(
                            List.of(
                                    "nsenter",
                                    "--preserve-credentials",
                                    "-U",
                                    "-m",
                                    "-t",
                                    Long.toString(keeper.pid())));
            all.addAll(command);
            return all;
        }

        /** A path on it, for this process. */
        Path outside(final Path inside) {
            return Path.of("/proc/%d/root%s".formatted(keeper.pid(), inside));
        }

        void enlarge(final String bytes) throws Exception {
            assertThat(
                            new ProcessBuilder(
                                            on(
                                                    List.of(
                                                            "mount",
                                                            "-o",
                                                            "remount,size=" + bytes,
                                                            "tmpfs",
                                                            mounted.toString())))
                                    .start()
                                    .waitFor())
                    .isZero();
        }

        @Override
        public void close() {
            keeper.close();
        }
    }

    /** One of ours, on that disk. */
    private final class Server implements AutoCloseable {
        private final SmallDisk disk;
        private final int port;
        private final ServerSpec spec;
        private ServerProcess process;

        Server(final SmallDisk disk) throws IOException {
            this.disk = disk;
            final InetAddress host = InetAddress.getLoopbackAddress();
            port = FreePort.tcp(host);
            final Path member = disk.mounted.resolve("member");
            spec =
                    artemis.server(
                            artemis.channel(ChannelUri.parse("artemis:")),
                            new ServerSpec.Member(
                                    1,
                                    new HostPort(host.getHostAddress(), host, port),
                                    port,
                                    member),
                            List.of(),
                            true);
            Files.createDirectory(disk.outside(member));
            for (final Map.Entry<String, String> file : spec.files().entrySet()) {
                Files.writeString(disk.outside(member.resolve(file.getKey())), file.getValue());
            }
            start();
        }

        void start() {
            process =
                    ServerProcess.start(
                            disk.on(spec.command()), Map.of(), disk.folder.resolve("server.log"));
            assertThat(process.awaitReady(spec.ready(), spec.failed(), spec.startPatience()))
                    .isEmpty();
        }

        ChannelUri channel() {
            return ChannelUri.parse("artemis://127.0.0.1:" + port);
        }

        /** What a run would report of its log. */
        List<String> complaints() {
            return spec.complaints().stream()
                    .flatMap(mark -> process.complaints(mark, 9).stream())
                    .toList();
        }

        @Override
        public void close() {
            process.close();
        }
    }
}

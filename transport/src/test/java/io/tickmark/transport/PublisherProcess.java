package io.tickmark.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.store.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;

/** The main class of a process that publishes a thousand messages a second until it is killed. */
public final class PublisherProcess {
    private static final String READY = "publishes";
    private static final int LENGTH = 100;

    private PublisherProcess() {}

    /**
     * Starts one.
     *
     * @param channel to publish to
     * @param folder for its log
     * @return the process, which publishes
     */
    public static ServerProcess start(final ChannelUri channel, final Path folder) {
        final ServerProcess process =
                ServerProcess.start(
                        ServerProcess.java(
                                List.of(
                                        "-XX:TieredStopAtLevel=1",
                                        "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED"),
                                PublisherProcess.class,
                                List.of(channel.toString())),
                        Map.of(),
                        folder.resolve("publisher.log"));
        assertThat(process.awaitReady(READY, "", Duration.ofSeconds(120))).isEmpty();
        return process;
    }

    static void main(final String[] args) {
        final ChannelUri channel = ChannelUri.parse(args[0]);
        try (Publication publication =
                new Transports().of(channel).publication(channel, Topic.DEFAULT)) {
            System.out.println(READY);
            final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
            while (true) {
                publication.offer(message, 0, LENGTH);
                publication.doWork();
                LockSupport.parkNanos(1_000_000);
            }
        }
    }
}

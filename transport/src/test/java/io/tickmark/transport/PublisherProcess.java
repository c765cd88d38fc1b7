package io.tickmark.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.broker.Standstill;
import io.tickmark.transport.store.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The main class of a process that publishes a thousand numbered messages a second until it is
 * killed.
 */
public final class PublisherProcess {
    private static final String READY = "publishes";
    private static final int LENGTH = 100;
    private static final int MOST = 1000;
    private static final int SILENT_LOOKS = 500;
    private static final long ANY = -1;

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

    /**
     * Suspends one and lets it go on: a subscriber hears nothing meanwhile and stays connected, and
     * misses nothing afterwards.
     *
     * @param subscription to the process, which may still be connecting
     */
    public static void standStill(final Subscription subscription) {
        final long[] next = {ANY};
        final MessageHandler numbered =
                (buffer, offset, length) -> {
                    final long number = buffer.getLong(offset);
                    assertThat(number).isEqualTo(next[0] == ANY ? number : next[0]);
                    next[0] = number + 1;
                };
        Waiting.until("a message", () -> subscription.poll(numbered, MOST) > 0);
        try (Standstill _ = new Standstill()) {
            int silent = 0;
            while (silent < SILENT_LOOKS) { // all that was on its way has arrived
                silent = subscription.poll(numbered, MOST) == 0 ? silent + 1 : 0;
                LockSupport.parkNanos(1_000_000);
            }
            assertThat(subscription.isConnected()).isTrue();
            assertThat(subscription.engineErrors()).isEmpty();
        }
        final long further = next[0] + MOST;
        Waiting.until(
                "a thousand further messages",
                () -> {
                    subscription.poll(numbered, MOST);
                    return next[0] > further;
                });
        assertThat(subscription.engineErrors()).isEmpty();
    }

    static void main(final String[] args) {
        final ChannelUri channel = ChannelUri.parse(args[0]);
        try (Publication publication =
                new Transports().of(channel).publication(channel, Topic.DEFAULT)) {
            System.out.println(READY);
            final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
            long number = 0;
            while (true) {
                message.putLong(0, number);
                if (publication.offer(message, 0, LENGTH) > 0) {
                    number++;
                }
                publication.doWork();
                LockSupport.parkNanos(1_000_000);
            }
        }
    }
}

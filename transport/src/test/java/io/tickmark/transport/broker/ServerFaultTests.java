package io.tickmark.transport.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Closing;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.DurablePublication;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What users are told where a server does not match a channel, stands still or is gone. An engine's
 * tests extend it beside {@link SharedStore}, and add what only the engine can say.
 */
@Timeout(180)
public abstract class ServerFaultTests {
    /** Length of an ordinary message. */
    protected static final int LENGTH = 100;

    /** Longer than a busy machine keeps a thread from a core, shorter than clients' time-outs. */
    private static final long LONGEST_OFFER_NS =
            5_000_000_000L * Integer.getInteger("tickmark.test.patience", 1);

    /** Messages were refused for so long: what could be written to the connection is full. */
    private static final long STUCK_NS = 500_000_000;

    /** First byte of messages that are sent once the server goes on. */
    private static final byte AFTERWARDS = 1;

    /** What is sent, of any length up to its own. */
    protected final UnsafeBuffer message = new UnsafeBuffer(new byte[6 << 20]);

    /** For files of the test. */
    @TempDir protected Path folder;

    /** For tests of an engine. */
    protected ServerFaultTests() {}

    /** {@return the engine} */
    protected abstract BrokerStoreTransport<?> transport();

    /** {@return a channel whose publication may have little under way} */
    protected ChannelUri narrow() {
        return SharedStore.given().with("sendPendingBytes", "262144");
    }

    /**
     * What is said where a plain channel is refused.
     *
     * @param channel to open
     * @return the error
     */
    protected final UserError refused(final ChannelUri channel) {
        return checked(() -> transport().publication(channel, Topic.DEFAULT).close());
    }

    /**
     * What is said where something is refused that this machine, or the server, is not able to.
     *
     * @param refused does it
     * @return the error, one sentence without words of libraries
     */
    protected static UserError checked(final Runnable refused) {
        final UserError error = catchThrowableOfType(UserError.class, refused::run);
        assertThat(error).isNotNull();
        assertThat(error.kind()).isEqualTo(UserError.Kind.ENVIRONMENT);
        assertThat(error.getMessage()).endsWith(".").doesNotContain("\n", "Exception", "reqId");
        return error;
    }

    /**
     * Waits until the time of the test is over.
     *
     * @param done what is waited for
     */
    protected static void until(final BooleanSupplier done) {
        until(() -> "", done);
    }

    /**
     * The same where there is something to tell of what does not happen.
     *
     * @param how it stands
     * @param done what is waited for
     */
    protected static void until(final Supplier<String> how, final BooleanSupplier done) {
        while (!done.getAsBoolean()) {
            LockSupport.parkNanos(100_000);
            // taken back, as what a test undoes afterwards would fail at once, and tell of that
            // alone
            assertThat(Thread.interrupted()).as(() -> "the time is over; " + how.get()).isFalse();
        }
    }

    /**
     * Sends until a message is received.
     *
     * @param publication that sends
     * @param subscription that receives
     */
    protected final void untilMessagesPass(
            final Publication publication, final Subscription subscription) {
        until(() -> {
            publication.offer(message, 0, LENGTH);
            return subscription.poll((buffer, offset, length) -> {}, 1) > 0;
        });
    }

    /**
     * Stores the next message.
     *
     * @param publication that stores
     * @param length of the message
     */
    protected final void write(final DurablePublication publication, final int length) {
        final long ordinal = publication.nextOrdinal();
        until(() -> publication.offer(message, 0, length) == ordinal);
        until(() -> publication.stablePosition() == ordinal);
    }

    @Test
    void shouldSayThatThePortIsInUse() {
        assertThat(refused(SharedStore.given().with("start", "true")))
                .hasMessageContaining("is in use; choose another, or 0 for any free one");
    }

    @Test
    void shouldRefuseAMessageAboveTheLimitOfItsChannel() {
        final ChannelUri channel = SharedStore.given().with("maxPayloadBytes", "64");
        try (Publication publication = transport().publication(channel, Topic.DEFAULT)) {
            assertThat(publication.offer(message, 0, 65)).isEqualTo(Publication.TOO_LONG);
            until(() -> publication.offer(message, 0, 64) > 0);
        }
    }

    /** As one whose disk is full: it answers no good-bye either. A role closes all its topics. */
    @Test
    void shouldCloseThoughTheServerAnswersNothing() {
        final ChannelUri plain = narrow();
        final ChannelUri storing = SharedStore.given();
        final List<Publication> publications = new ArrayList<>();
        final List<Subscription> subscriptions = new ArrayList<>();
        final List<DurablePublication> stored = new ArrayList<>();
        for (final Topic topic : Topic.of(List.of("first", "second", "third"))) {
            publications.add(transport().publication(plain, topic));
            subscriptions.add(transport().subscription(plain, topic));
            untilMessagesPass(publications.getLast(), subscriptions.getLast());
            stored.add(transport().durablePublication(storing, topic));
            write(stored.getLast(), LENGTH);
        }
        try (Standstill _ = new Standstill()) {
            stored.forEach(each -> each.offer(message, 0, LENGTH));
            publications.forEach(this::untilStuck);
            Closing.soon("the publications to a store", stored);
            Closing.soon("the publications", publications);
            Closing.soon("the subscriptions", subscriptions);
        }
    }

    /**
     * Sends until the server, which takes nothing, has been refusing for so long that the client
     * cannot write any more.
     *
     * @param publication that may have little under way
     */
    protected final void untilStuck(final Publication publication) {
        final long[] takenNs = {SystemNanoClock.INSTANCE.nanoTime()};
        until(() -> {
            final long nowNs = SystemNanoClock.INSTANCE.nanoTime();
            if (publication.offer(message, 0, 65_536) > 0) {
                takenNs[0] = nowNs;
            }
            return nowNs - takenNs[0] > STUCK_NS;
        });
    }

    /** Its connections are open, and nothing tells that it takes nothing. */
    @Test
    void shouldRefuseInsteadOfWaitingForAServerThatStandsStill() {
        final ChannelUri channel = narrow();
        try (Publication publication = transport().publication(channel, Topic.DEFAULT);
                Subscription subscription = transport().subscription(channel, Topic.DEFAULT)) {
            untilMessagesPass(publication, subscription);
            final long[] longestNs = {0};
            try (Standstill _ = new Standstill()) {
                until(() -> {
                    final long startNs = SystemNanoClock.INSTANCE.nanoTime();
                    final long offered = publication.offer(message, 0, 65_536);
                    longestNs[0] =
                            Math.max(longestNs[0], SystemNanoClock.INSTANCE.nanoTime() - startNs);
                    return offered == Publication.BACK_PRESSURED;
                });
            }
            assertThat(longestNs[0]).as("longest offer, ns").isLessThan(LONGEST_OFFER_NS);
            message.putByte(0, AFTERWARDS);
            final boolean[] isNew = {false};
            until(() -> {
                publication.offer(message, 0, LENGTH);
                subscription.poll(
                        (buffer, offset, length) ->
                                isNew[0] |= buffer.getByte(offset) == AFTERWARDS,
                        100);
                return isNew[0];
            });
        }
    }
}

package io.tickmark.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * What every transport has to do, according to the traits it declares. An engine is tested by a
 * subclass that supplies its channels; see {@link TransportFixture}.
 *
 * <p>Both ends are driven from one thread wherever possible, so that what is tested does not depend
 * on luck; every wait has a deadline.
 */
public abstract class TransportContractTest extends TransportLifeContract {
    private static final int MESSAGES = 500;
    private static final int FLOOD_LENGTH = 1024;

    /** More than any batch holds. */
    private static final int TOGETHER = 150;

    /** For subclasses. */
    protected TransportContractTest() {}

    @Test
    void shouldDeliverAOneWayStreamInOrder() {
        final Ends stream = stream();

        final int sent = sendUntilReceived(stream, List.of(stream), MESSAGES, 0);

        assertDelivered(stream.inbox(), traits(stream.publication().channel()), sent);
    }

    @Test
    void shouldCarryMessagesBothWaysBetweenOneBinderAndSeveralConnectors() {
        final Exchange bound = bind(channel());
        final TransportTraits traits = traits(bound.channel());
        final Ends binder = ends(bound, BINDER);
        final List<Ends> connectors = connectors(bound, traits.fansOut() ? 3 : 1);
        meet(binder, connectors.toArray(Ends[]::new));

        final int sent = sendUntilReceived(binder, connectors, MESSAGES, 0);
        for (final Ends connector : connectors) {
            final long before = binder.inbox().received();
            final long wanted = before + 10;
            final int[] sequence = {connector.id() * 1000};
            // Messages that others sent before may still be in transit through a broker.
            until(
                    "BIND receives from cookie " + connector.id(),
                    () -> {
                        send(
                                connector.outbox(),
                                connector.publication(),
                                sequence[0]++,
                                LENGTH,
                                binder::pump);
                        binder.pump();
                        return binder.inbox().received() >= wanted
                                && binder.inbox().lastSource() == connector.id();
                    });
        }

        for (final Ends connector : connectors) {
            assertDelivered(connector.inbox(), traits, sent);
            assertThat(connector.inbox().lastSource()).isEqualTo(BINDER);
        }
        assertThat(binder.publication().subscriberCount())
                .isIn(connectors.size(), Publication.UNKNOWN_COUNT);
        assertThat(binder.inbox().damaged()).isZero();
    }

    @Test
    void shouldRefuseOrCountWhatASlowReaderCannotTake() {
        final Ends stream = stream();
        final TransportTraits traits = traits(stream.publication().channel());
        final int length = Math.min(FLOOD_LENGTH, traits.maxPayloadBytes());
        final long most = bufferedBytes() / length;
        int sent = 0;
        long code = 0;
        while (sent < most && code != Publication.BACK_PRESSURED) {
            code = stream.outbox().offer(stream.publication(), sent, length);
            sent += code >= 0 ? 1 : 0;
            stream.publication().doWork();
        }
        if (traits.backPressured()) {
            assertThat(code).isEqualTo(Publication.BACK_PRESSURED);
        }

        sent = sendUntilReceived(stream, List.of(stream), 0, sent);

        assertDelivered(stream.inbox(), traits, sent);
        assertThat(stream.subscription().lost())
                .isLessThanOrEqualTo(sent - stream.inbox().received());
    }

    @Test
    void shouldCarryTheLargestMessageAndRefuseALargerOne() {
        final Ends stream = stream();
        final int largest = traits(stream.publication().channel()).maxPayloadBytes();
        final Outbox outbox = new Outbox(BINDER, largest + 1);
        assertThat(outbox.offer(stream.publication(), 0, largest + 1))
                .isEqualTo(Publication.TOO_LONG);

        final int[] sequence = {0};
        until(
                "the largest message arrives",
                () -> {
                    if (outbox.offer(stream.publication(), sequence[0], largest) >= 0) {
                        sequence[0]++;
                    }
                    stream.publication().flush();
                    stream.pump();
                    return stream.inbox().received() > 0;
                });

        assertThat(stream.inbox().lastLength()).isEqualTo(largest);
        assertThat(stream.inbox().damaged()).isZero();
    }

    @Test
    void shouldTakeSeveralMessagesAtOnceInOrder() {
        final Ends stream = stream();
        final UnsafeBuffer messages =
                new UnsafeBuffer(ByteBuffer.allocateDirect(TOGETHER * LENGTH));
        for (int i = 0; i < TOGETHER; i++) {
            Outbox.fill(new UnsafeBuffer(messages, i * LENGTH, LENGTH), i, LENGTH, stream.id());
        }

        final int[] taken = {0};
        until(
                "all messages are taken",
                () -> {
                    final int count =
                            stream.publication()
                                    .offerAll(
                                            messages,
                                            taken[0] * LENGTH,
                                            LENGTH,
                                            TOGETHER - taken[0]);
                    assertThat(count).isNotZero().isLessThanOrEqualTo(TOGETHER - taken[0]);
                    taken[0] += Math.max(0, count);
                    stream.pump();
                    return taken[0] == TOGETHER;
                });
        stream.publication().flush();
        final int sent = sendUntilReceived(stream, List.of(stream), 1, TOGETHER);

        assertDelivered(stream.inbox(), traits(stream.publication().channel()), sent);
        assertThat(stream.publication().offerAll(messages, 0, LENGTH, 1)).isOne();
        stream.publication().close();
        assertThat(stream.publication().offerAll(messages, 0, LENGTH, 2))
                .isEqualTo((int) Publication.CLOSED);
    }

    @Test
    void shouldSendWhatIsCommittedAndNotWhatIsAborted() {
        final Ends stream = stream();
        final Claim claim = new Claim();
        if (!traits(stream.publication().channel()).claims()) {
            assertThatThrownBy(() -> stream.publication().tryClaim(LENGTH, claim))
                    .isInstanceOf(IllegalStateException.class);
            return;
        }
        for (int sequence = 0; sequence < 100; sequence++) {
            claim(stream, sequence, claim);
            if (sequence % 10 == 3) {
                claim.abort();
            } else {
                claim.commit();
            }
        }

        until(
                "the last committed message arrives",
                () -> {
                    stream.pump();
                    return stream.inbox().lastSequence() == 99;
                });

        assertThat(stream.inbox().received()).isEqualTo(90);
        assertThat(stream.inbox().missing()).isEqualTo(10);
        assertThat(stream.inbox().damaged()).isZero();
        assertThat(stream.publication().tryClaim(Integer.MAX_VALUE, claim))
                .isEqualTo(Publication.TOO_LONG);
    }

    private void claim(final Ends stream, final int sequence, final Claim claim) {
        until(
                "a claim is granted",
                () -> {
                    final boolean granted = stream.publication().tryClaim(LENGTH, claim) >= 0;
                    if (!granted) {
                        stream.pump();
                    }
                    return granted;
                });
        Outbox.fill(claim.buffer(), sequence, LENGTH, stream.id());
    }

    @Test
    void shouldResolveTheChannelOfTheBindingSideToOneThatCanBeReached() {
        final Exchange bound = bind(channel());

        assertThat(ChannelUri.parse(bound.channel().toString())).isEqualTo(bound.channel());
        assertThat(bound.channel().authority()).isNotEmpty().doesNotEndWith(":0");
        meet(ends(bound, BINDER), ends(connect(bound, 1), 1));
    }

    @Test
    void shouldWaitNoLongerThanAskedAndDeliverAfterwards() {
        final Ends stream = stream();

        stream.subscription().await(1_000_000);

        sendUntilReceived(stream, List.of(stream), 1, 0);
        assertThat(stream.inbox().damaged()).isZero();
    }

    @Test
    void shouldCloseMoreThanOnceAndRefuseAfterwards() {
        final Exchange bound = bind(channel());
        final Exchange connected = connect(bound, 1);
        final Ends binder = ends(bound, BINDER);
        meet(binder, ends(connected, 1));

        connected.close();
        connected.close();
        bound.close();
        bound.close();

        assertThat(binder.outbox().offer(binder.publication(), 0, LENGTH))
                .isEqualTo(Publication.CLOSED);
        assertThat(binder.subscription().poll(binder.inbox(), 1)).isZero();
        assertThat(binder.publication().doWork()).isZero();
    }

    /** Sends until every reader has received enough and the newest message. */
    final int sendUntilReceived(
            final Ends sender, final List<Ends> readers, final int wanted, final int fromSequence) {
        final int[] sequence = {fromSequence};
        final Runnable pumpAll =
                () -> {
                    sender.publication().doWork();
                    readers.forEach(Ends::pump);
                };
        until(
                "every reader received " + wanted + " and the newest message",
                () -> {
                    final int marker = sequence[0]++;
                    send(sender.outbox(), sender.publication(), marker, LENGTH, pumpAll);
                    for (int turn = 0; turn < 1000 && !allReceived(readers, marker); turn++) {
                        pumpAll.run();
                        Thread.yield();
                    }
                    return marker - fromSequence + 1 >= wanted && allReceived(readers, marker);
                });
        return sequence[0];
    }

    private static boolean allReceived(final List<Ends> readers, final int sequence) {
        return readers.stream().allMatch(reader -> reader.inbox().lastSequence() >= sequence);
    }

    private List<Ends> connectors(final Exchange bound, final int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(cookie -> ends(connect(bound, cookie), cookie))
                .toList();
    }

    private TransportTraits traits(final ChannelUri channel) {
        return transport().traits(channel);
    }

    private static void assertDelivered(
            final Inbox inbox, final TransportTraits traits, final long sent) {
        assertThat(inbox.damaged()).isZero();
        assertThat(inbox.received()).isPositive().isLessThanOrEqualTo(sent);
        if (traits.ordered()) {
            assertThat(inbox.outOfOrder()).isZero();
        }
        if (traits.reliable()) {
            assertThat(inbox.received()).isEqualTo(sent);
        }
    }
}

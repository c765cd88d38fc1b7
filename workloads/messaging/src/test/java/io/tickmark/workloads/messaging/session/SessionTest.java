package io.tickmark.workloads.messaging.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.role.TestContext;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import io.tickmark.transport.Transports;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(180)
final class SessionTest {
    private static final ChannelUri CHANNEL = ChannelUri.parse("udp://127.0.0.1:0");

    private final Transport transport = new Transports().of(CHANNEL);
    private final TestContext context = new TestContext(1, 1);
    private Exchange publishing;

    @BeforeEach
    void bind() {
        publishing = transport.exchange(CHANNEL, Topic.DEFAULT, ExchangeSide.BIND, 0);
    }

    @AfterEach
    void close() {
        publishing.close();
    }

    private CompletableFuture<Void> countIn(final PublisherSession session) {
        return CompletableFuture.runAsync(() -> session.countIn(publishing.channel()));
    }

    private SubscriberSession introduce(
            final Exchange exchange, final int cookie, final TestContext host) {
        final SubscriberSession session =
                new SubscriberSession(
                        List.of(exchange), List.of(Topic.DEFAULT), null, cookie, host);
        session.introduce(
                (buffer, offset, length) ->
                        session.onControl(buffer, offset, length, Stamp.flags(buffer, offset)),
                publishing.channel());
        return session;
    }

    private Exchange connect() {
        return transport.exchange(publishing.channel(), Topic.DEFAULT, ExchangeSide.CONNECT, 1);
    }

    @Test
    void shouldSayWhichTopicsThereAreWhereNoneIsWanted() {
        final CompletableFuture<Void> counting =
                countIn(
                        new PublisherSession(
                                List.of(publishing), Topic.of(List.of("a", "b")), 1, context));
        try (Exchange exchange = connect()) {
            final SubscriberSession session =
                    new SubscriberSession(
                            List.of(exchange),
                            Topic.of(List.of("c", "d")),
                            null,
                            1,
                            new TestContext(1, 1));

            assertThatThrownBy(() ->
                            session.introduce(
                                    (buffer, offset, length) ->
                                            session.onControl(
                                                    buffer,
                                                    offset,
                                                    length,
                                                    Stamp.flags(buffer, offset)),
                                    publishing.channel()))
                    .isInstanceOf(UserError.class)
                    .hasMessageContainingAll("--topics c, d: the publisher at ", " has a, b;");
        }
        context.stop();
        assertThatThrownBy(counting::join).hasCauseInstanceOf(UserError.class);
    }

    @Test
    void shouldShowSubscribersBeingCountedIn() {
        final PublisherSession session =
                new PublisherSession(List.of(publishing), List.of(Topic.DEFAULT), 2, context);
        final CompletableFuture<Void> counting = countIn(session);
        try (Exchange first = connect();
                Exchange second = connect()) {
            final TestContext higher = new TestContext(2, 2);
            final TestContext lower = new TestContext(1, 2);
            final SubscriberSession subscriber = introduce(second, 2, higher);
            introduce(first, 1, lower);
            counting.join();

            assertThat(subscriber.trialId()).isEqualTo(session.trialId());
            assertThat(subscriber.isPublisherOnThisHost()).isTrue();
            assertThat(context.lines())
                    .containsExactly(
                            "Publishing on " + publishing.channel(),
                            "Waiting for 2 receivers...",
                            "Waiting for 2 receivers...[1]...",
                            "Waiting for 2 receivers...[1]...[2]...");
            assertThat(higher.lines()).isEmpty();
            assertThat(lower.lines())
                    .containsExactly(
                            "--cookie 1: a subscriber with a higher cookie connected before; the order does not matter.");
        }
    }

    @Test
    void shouldRefuseACookieThatIsTaken() {
        final CompletableFuture<Void> counting =
                countIn(
                        new PublisherSession(
                                List.of(publishing), List.of(Topic.DEFAULT), 2, context));
        try (Exchange first = connect();
                Exchange second = connect()) {
            introduce(first, 1, new TestContext(1, 2));

            assertThatThrownBy(() -> introduce(second, 1, new TestContext(1, 2)))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("--cookie 1: another subscriber");
        }
        context.stop();
        assertThatThrownBy(counting::join).hasCauseInstanceOf(UserError.class);
    }

    @Test
    void shouldRefuseACookieAboveTheNumberOfSubscribers() {
        final CompletableFuture<Void> counting =
                countIn(
                        new PublisherSession(
                                List.of(publishing), List.of(Topic.DEFAULT), 1, context));
        try (Exchange exchange = connect()) {
            assertThatThrownBy(() -> introduce(exchange, 2, new TestContext(2, 2)))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("--subscribers 2 or more");
        }
        context.stop();
        assertThatThrownBy(counting::join).hasCauseInstanceOf(UserError.class);
    }

    @Test
    void shouldSayHowManySubscribersCameWhenSomeAreMissing() {
        final AtomicLong aheadNs = new AtomicLong();
        final TestContext impatient =
                new TestContext(1, 1, () -> SystemNanoClock.INSTANCE.nanoTime() + aheadNs.get());
        final PublisherSession session =
                new PublisherSession(List.of(publishing), List.of(Topic.DEFAULT), 2, impatient);
        final CompletableFuture<Void> counting = countIn(session);
        try (Exchange exchange = connect()) {
            introduce(exchange, 1, new TestContext(1, 2));

            aheadNs.set(impatient.connectTimeoutNs());

            assertThatThrownBy(counting::join)
                    .hasCauseInstanceOf(UserError.class)
                    .hasMessageContaining(
                            "--subscribers 2: 1 of 2 subscribers connected to "
                                    + publishing.channel());
        }
    }

    @ParameterizedTest
    @CsvSource({"-1, 1", "1073741824, 65535", "0, 1", "1, 2"})
    void shouldTakeNoAcknowledgementOfWhatIsNotThere(final int topic, final int cookie) {
        final PublisherSession session =
                new PublisherSession(
                        List.of(publishing), List.of(Topic.DEFAULT), 1, context.connectingFor(1));
        try (Exchange exchange = connect()) {
            acknowledge(session, exchange, topic, cookie);
            context.stop();

            assertThat(session.end(0, new long[] {0, 1}, true)).isFalse();
            assertThat(session.notConfirmed()).isEqualTo(1);
        }
    }

    /** A publisher that left took what its server still kept for a slow subscriber with it. */
    @Test
    void shouldWaitForASubscriberThatHasFallenBehind() throws InterruptedException {
        final PublisherSession session =
                new PublisherSession(List.of(publishing), List.of(Topic.DEFAULT), 1, context);
        final CompletableFuture<Void> counting = countIn(session);
        try (Exchange exchange = connect()) {
            introduce(exchange, 1, new TestContext(1, 1));
            counting.join();
            final CountDownLatch begun = new CountDownLatch(1);
            final CompletableFuture<Boolean> ended =
                    CompletableFuture.supplyAsync(() -> {
                        begun.countDown();
                        return session.end(0, new long[] {0, 1}, true);
                    });

            begun.await();
            LockSupport.parkNanos(1_500_000_000);
            assertThat(ended).isNotDone();
            acknowledge(session, exchange, 1, 1);

            assertThat(ended.join()).isTrue();
            assertThat(session.notConfirmed()).isZero();
        }
    }

    private static void acknowledge(
            final PublisherSession session,
            final Exchange exchange,
            final int topic,
            final int cookie) {
        final UnsafeBuffer reply = new UnsafeBuffer(new byte[Stamp.FULL_LENGTH]);
        Stamp.write(reply, 0, 0, topic, Stamp.END | Stamp.REPLY, 0, cookie);
        Stamp.writeTrialId(reply, 0, session.trialId());
        exchange.publication().offer(reply, 0, Stamp.FULL_LENGTH);
    }

    @Test
    void shouldSayThatNoPublisherAnswers() {
        try (Exchange exchange = connect()) {
            assertThatThrownBy(() ->
                            introduce(
                                    exchange, 1, new TestContext(1, 1).connectingFor(200_000_000)))
                    .isInstanceOfSatisfying(
                            UserError.class,
                            e -> assertThat(e.kind()).isEqualTo(UserError.Kind.ENVIRONMENT))
                    .hasMessageContaining("no publisher answered");
        }
    }
}

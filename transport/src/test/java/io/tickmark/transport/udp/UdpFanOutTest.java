package io.tickmark.transport.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.host.Errno;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Waiting;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UdpFanOutTest extends UdpFixture {
    private final Collected first = new Collected();
    private final Collected second = new Collected();

    @Test
    void shouldSendToEveryAddressOfTheList() {
        final Subscription one = subscription("udp://127.0.0.1:0");
        final Subscription two = subscription("udp://localhost:0");
        final Publication publication =
                publication("udp://" + one.channel().authority() + "," + two.channel().authority());

        Collected.offer(publication, "both");

        assertThat(first.await(one, 1).messages()).containsExactly("both");
        assertThat(second.await(two, 1).messages()).containsExactly("both");
    }

    @Test
    void shouldNotBindToAList() {
        assertThatThrownBy(() -> bind("udp://127.0.0.1:1,127.0.0.1:2"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("names several addresses where one is needed");
    }

    @Test
    void shouldBeConnectedOnceAPeerHasGreeted() {
        final Exchange bound = bind("udp://127.0.0.1:0");
        assertThat(Collected.offer(bound.publication(), "nobody"))
                .isEqualTo(Publication.NOT_CONNECTED);
        final Exchange peer = connect(bound.channel());

        Collected.greet(peer);
        first.await(bound.subscription(), 1);

        assertThat(bound.publication().subscriberCount()).isEqualTo(1);
        assertThat(Collected.offer(bound.publication(), "welcome")).isPositive();
        assertThat(second.await(peer.subscription(), 1).messages()).containsExactly("welcome");
    }

    @Test
    void shouldCountAPeerOnceHoweverOftenItGreets() {
        final Exchange bound = bind("udp://127.0.0.1:0");
        final Exchange one = connect(bound.channel());
        final Exchange two = connect(bound.channel());

        for (int turn = 1; turn <= 3; turn++) {
            Collected.greet(one);
            Collected.greet(two);
            first.await(bound.subscription(), 2 * turn);
        }

        assertThat(bound.publication().subscriberCount()).isEqualTo(2);
    }

    @Test
    void shouldHearAndAnswerNewcomersWhileTheFirstPeerKeepsTalking() {
        final Exchange bound = bind("udp://127.0.0.1:0");
        final Exchange talker = connect(bound.channel());
        Collected.greet(talker);
        first.await(bound.subscription(), 1);
        final Exchange newcomer = connect(bound.channel());

        Collected.greet(newcomer);
        Waiting.until(() -> {
            Collected.offer(talker.publication(), "talk");
            bound.subscription().poll(first, 1);
            return bound.publication().subscriberCount() == 2;
        });
        Collected.offer(bound.publication(), "both");

        assertThat(second.await(newcomer.subscription(), 1).messages()).containsExactly("both");
        assertThat(new Collected().await(talker.subscription(), 1).messages())
                .containsExactly("both");
    }

    @Test
    void shouldStillRefuseASecondBinderOnceAPeerHasASocketOfItsOwn() {
        final Exchange bound = bind("udp://127.0.0.1:0");
        Collected.greet(connect(bound.channel()));
        first.await(bound.subscription(), 1);

        assertThatThrownBy(() -> bind(bound.channel().toString()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is in use");
        assertThat(bound.publication().facts()).doesNotContainKey("noDirectSocket");
    }

    @Test
    void shouldWakeUpForTheFirstPeerAndForNewcomers() {
        final Exchange bound = bind("udp://127.0.0.1:0?batch=4");
        final Exchange one = connect(bound.channel());
        final Exchange two = connect(bound.channel());
        Collected.greet(one);
        new Collected().await(bound.subscription(), 1);

        for (int turn = 0; turn < 3; turn++) {
            Collected.offer(one.publication(), "one");
            one.publication().flush();
            first.await(bound.subscription(), 2 * turn + 1);
            Collected.offer(two.publication(), "two");
            two.publication().flush();
            first.await(bound.subscription(), 2 * turn + 2);
        }

        assertThat(first.messages()).containsExactly("one", "two", "one", "two", "one", "two");
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp://0.0.0.0:0", "udp://0.0.0.0:0?batch=2"})
    void shouldServeSeveralPeersWhenBoundToEveryAddress(final String channel) {
        final Exchange bound = bind(channel);
        final Exchange one = connect(bound.channel());
        final Exchange two = connect(bound.channel());
        for (final Exchange peer : List.of(one, two)) {
            Collected.greet(peer);
        }
        first.await(bound.subscription(), 2);

        Collected.offer(bound.publication(), "all");
        bound.publication().flush();

        assertThat(second.await(one.subscription(), 1).messages()).containsExactly("all");
        assertThat(new Collected().await(two.subscription(), 1).messages()).containsExactly("all");
    }

    @Test
    void shouldGoOnAfterAPeerWentAway() {
        final Exchange bound = bind("udp://127.0.0.1:0");
        final Exchange leaver = connect(bound.channel());
        final Exchange stayer = connect(bound.channel());
        Collected.greet(leaver);
        Collected.greet(stayer);
        first.await(bound.subscription(), 2);

        leaver.close();
        for (int i = 0; i < 10; i++) {
            assertThat(Collected.offer(bound.publication(), "m" + i)).isPositive();
            bound.subscription().poll(first, 10);
        }

        assertThat(second.await(stayer.subscription(), 10).messages()).endsWith("m9");
    }

    @Test
    void shouldSurviveAnAddressWhereNobodyListens() {
        final Subscription gone = subscription("udp://127.0.0.1:0");
        gone.close();
        final Exchange lonely = connect(gone.channel());

        for (int i = 0; i < 10; i++) {
            assertThat(Collected.offer(lonely.publication(), "anyone?")).isPositive();
            assertThat(lonely.subscription().poll(first, 10)).isZero();
        }
        final Subscription back = subscription(gone.channel().toString());
        Collected.offer(lonely.publication(), "back");

        assertThat(second.await(back, 1).messages()).containsExactly("back");
    }

    @Test
    void shouldBringAMessageThatSomeCouldNotTakeToTheOthersLater() {
        final Subscription one = subscription("udp://127.0.0.1:0");
        final Subscription two = subscription("udp://127.0.0.1:0");
        final FullSocket socket = opened(new FullSocket(one.channel()));
        final UdpPublication publication =
                new UdpPublication(socket, to(one, two), one.channel(), 0, 1000);

        socket.takes = 1;
        assertThat(Collected.offer(publication, "m1")).isPositive();
        assertThat(Collected.offer(publication, "m2")).isEqualTo(Publication.BACK_PRESSURED);
        assertThat(publication.flush()).isEqualTo((int) Publication.BACK_PRESSURED);
        socket.takes = Integer.MAX_VALUE;
        assertThat(publication.doWork()).isEqualTo(1);
        assertThat(Collected.offer(publication, "m3")).isPositive();

        assertThat(first.await(one, 2).messages()).containsExactly("m1", "m3");
        assertThat(second.await(two, 2).messages()).containsExactly("m1", "m3");
    }

    @Test
    void shouldNotChangeABatchThatSomeHaveAlready() {
        final Subscription one = subscription("udp://127.0.0.1:0");
        final Subscription two = subscription("udp://127.0.0.1:0");
        final FullSocket socket = opened(new FullSocket(one.channel()));
        final UdpPublication publication =
                new UdpPublication(socket, to(one, two), one.channel(), 4, 1000);
        socket.takes = 1;
        Collected.offer(publication, "m1");
        Collected.offer(publication, "m2");
        assertThat(publication.flush()).isEqualTo((int) Publication.BACK_PRESSURED);

        assertThat(Collected.offer(publication, "m3")).isEqualTo(Publication.BACK_PRESSURED);
        socket.takes = Integer.MAX_VALUE;
        assertThat(Collected.offer(publication, "m4")).isPositive();
        assertThat(publication.flush()).isEqualTo(1);

        assertThat(first.await(one, 3).messages()).containsExactly("m1", "m2", "m4");
        assertThat(second.await(two, 3).messages()).containsExactly("m1", "m2", "m4");
    }

    private static Destinations to(final Subscription... subscriptions) {
        final List<UdpEndpoint> endpoints =
                List.of(subscriptions).stream()
                        .map(each -> UdpEndpoint.of(each.channel()))
                        .toList();
        return Destinations.fixed(endpoints, 0);
    }

    /** A socket whose send buffer is full after some datagrams, which loopback never is. */
    private static final class FullSocket extends UdpSocket {
        private int takes = Integer.MAX_VALUE;

        FullSocket(final ChannelUri channel) {
            super(channel, false);
        }

        @Override
        long send(final long bytes, final int length, final long name, final int nameLength) {
            return takes-- > 0 ? super.send(bytes, length, name, nameLength) : -Errno.EAGAIN;
        }

        @Override
        long sendBatch(
                final long bytes,
                final int length,
                final int count,
                final long name,
                final int nameLength) {
            return takes-- > 0
                    ? super.sendBatch(bytes, length, count, name, nameLength)
                    : -Errno.EAGAIN;
        }
    }
}

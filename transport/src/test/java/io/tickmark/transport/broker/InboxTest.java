package io.tickmark.transport.broker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sleeps in these tests have no end of their own that a test would wait for. */
@Timeout(60)
class InboxTest {
    private static final long FOR_EVER_NS = Long.MAX_VALUE;

    private final Inbox<byte[]> inbox = new Inbox<>(message -> message.length, 100);

    /** The thread that takes, once it is asleep. */
    private Thread sleeping() throws InterruptedException {
        final Thread taker = Thread.ofPlatform().daemon().start(() -> inbox.await(FOR_EVER_NS));
        while (taker.getState() != Thread.State.TIMED_WAITING) {
            Thread.sleep(1);
        }
        return taker;
    }

    @Test
    void shouldWakeItsReaderWhenAMessageArrives() throws Exception {
        final Thread taker = sleeping();
        inbox.add(new byte[1]);
        taker.join();
        assertThat(inbox.isEmpty()).isFalse();
    }

    @Test
    void shouldWakeItsReaderWithoutAMessage() throws Exception {
        final Thread taker = sleeping();
        inbox.wake();
        taker.join();
        assertThat(inbox.isEmpty()).isTrue();
    }

    @Test
    void shouldNotSleepWhileAMessageWaits() {
        inbox.add(new byte[1]);
        inbox.await(FOR_EVER_NS);
        assertThat(inbox.poll()).hasSize(1);
    }

    @Test
    void shouldDropAndCountWhatDoesNotFit() {
        inbox.addOrDrop(new byte[60]);
        inbox.addOrDrop(new byte[60]);
        assertThat(inbox.dropped()).isEqualTo(1);

        assertThat(inbox.poll()).hasSize(60);
        inbox.addOrDrop(new byte[200]);
        assertThat(inbox.dropped()).as("one alone is accepted, however long").isEqualTo(1);
        assertThat(inbox.poll()).hasSize(200);
        assertThat(inbox.poll()).isNull();
    }
}

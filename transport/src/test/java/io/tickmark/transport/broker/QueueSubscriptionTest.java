package io.tickmark.transport.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.HostPort;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class QueueSubscriptionTest {
    private record NoParameters() {}

    /** A queue whose client takes each acknowledgement, and hears later what became of it. */
    private static final class LateAnswers extends QueueSubscription<Integer> {
        private int asked;
        private int looked;

        LateAnswers(final ChannelUri uri) {
            super(
                    new BrokerChannel<>(uri, List.of(HostPort.of(uri)), new NoParameters()),
                    new Inbox<>(StoredMessage::payloadBytes, 1_000),
                    true,
                    0,
                    0);
        }

        void deliver(final long ordinal) {
            received(new StoredMessage<>(ordinal, true, new byte[1], 1, (int) ordinal));
        }

        void refuse(final String why) {
            acknowledgementRefused(why);
        }

        void meet(final String problem) {
            found(problem);
        }

        @Override
        protected String acknowledgeUpTo(final Integer receipt) {
            asked++;
            return "";
        }

        @Override
        protected boolean isServed() {
            looked++;
            return false;
        }

        @Override
        protected void end() {}
    }

    private final LateAnswers queue = new LateAnswers(ChannelUri.parse("queue://127.0.0.1:1"));

    @AfterEach
    void close() {
        queue.close();
    }

    @Test
    void shouldCountAnAcknowledgementThatIsRefusedAfterTheCall() {
        queue.deliver(0);
        queue.deliver(1);
        assertThat(queue.poll((buffer, offset, length) -> {}, 10)).isEqualTo(2);
        queue.acknowledge(0);
        assertThat(queue.asked).isOne();
        assertThat(queue.facts()).containsEntry("acknowledgementsRefused", 0L);

        queue.refuse("it is closed");

        assertThat(queue.facts()).containsEntry("acknowledgementsRefused", 1L);
        assertThat(queue.engineErrors())
                .contains(
                        "The server did not accept an acknowledgement (it is closed): the messages concerned may be"
                                + " delivered again.");
    }

    /** The reader settles, and then closes, which settles too. */
    @Test
    void shouldWaitOnceForTheMessageBehindTheLastAcknowledgedOne() {
        queue.deliver(0);
        queue.poll((buffer, offset, length) -> {}, 10);
        queue.acknowledge(0);
        queue.settleAcknowledgements();
        final int looked = queue.looked;
        assertThat(looked).as("it was waited for").isPositive();

        queue.settleAcknowledgements();
        assertThat(queue.looked).isEqualTo(looked);
    }

    @Test
    void shouldReportProblemsOfReadingInOneSentence() {
        queue.meet("it delivers no more messages (timeout)");
        assertThat(queue.engineErrors())
                .contains(
                        "Reading the queue met a problem: it delivers no more messages (timeout).");

        queue.meet("a message whose checksum is wrong; it is left out");
        assertThat(queue.engineErrors())
                .contains(
                        "Reading the queue met 2 problems, the first: it delivers no more messages (timeout).");
    }
}

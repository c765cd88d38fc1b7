package io.tickmark.transport.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class BrokerPlainPublicationTest {
    private record NoParameters() {}

    /** Takes every message, and answers when it is told to. */
    private static final class Sending extends BrokerPlainPublication {
        Sending() {
            super(
                    new BrokerChannel<>(ChannelUri.parse("any:"), List.of(), new NoParameters()),
                    100,
                    new Flight(10, 1000));
        }

        void answer() {
            answered();
        }

        @Override
        protected long send(final byte[] message) {
            return 0;
        }
    }

    /** A server that never came back had no failures, though nobody knows what became of these. */
    @Test
    void shouldReportHowManyMessagesHaveNoAnswer() {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
        final Sending publication = new Sending();
        for (int sent = 1; sent <= 3; sent++) {
            assertThat(publication.offer(message, 0, 8)).isEqualTo(sent);
        }
        publication.answer();

        assertThat(publication.facts())
                .containsEntry("unanswered", 2L)
                .containsEntry("sendFailures", 0L);
        assertThat(publication.isCount("unanswered")).as("of several topics").isTrue();
    }
}

package io.tickmark.transport.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Which messages are stable, by the answers that a client gives in the order of sending. */
class BrokerDurablePublicationTest {
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
    private final Sending publication = new Sending();

    private record NoParameters() {}

    /** Its connection stands, whatever happens. */
    private static final class Sending extends BrokerDurablePublication {
        Sending() {
            super(
                    new BrokerChannel<>(ChannelUri.parse("any:"), List.of(), new NoParameters()),
                    100,
                    new Flight(10, 1000),
                    7);
        }

        void answer(final boolean isStored) {
            answered(isStored);
        }

        @Override
        protected boolean isServed() {
            return true;
        }

        @Override
        protected boolean store(
                final DirectBuffer buffer, final int offset, final int length, final long ordinal) {
            return true;
        }

        @Override
        protected void end() {}
    }

    @Test
    void shouldCallStableWhatWasStored() {
        offer(3);

        publication.answer(true);
        publication.answer(true);

        assertThat(publication.stablePosition()).isEqualTo(8);
        assertThat(publication.isLost()).isFalse();
    }

    /** Its place is that of the message before, which is missing. */
    @Test
    void shouldCallNothingStableBehindAMessageThatWasNotAnswered() {
        offer(3);
        publication.answer(true);

        publication.answer(false);
        publication.answer(true);

        assertThat(publication.stablePosition()).isEqualTo(7);
        assertThat(publication.isLost()).isTrue();
        assertThat(publication.failure()).isEmpty();
        assertThat(publication.offer(message, 0, 8)).isEqualTo(Publication.NOT_CONNECTED);
    }

    private void offer(final int messages) {
        for (int sent = 0; sent < messages; sent++) {
            assertThat(publication.offer(message, 0, 8)).isEqualTo(7 + sent);
        }
    }
}

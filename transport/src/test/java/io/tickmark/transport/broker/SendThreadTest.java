package io.tickmark.transport.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SendThreadTest {
    private static final long PATIENCE_S = 60;

    /** The thread ended with it, and what followed was in flight for ever. */
    @Test
    void shouldTellWhatASenderThrowsAndSendTheNextMessage() throws InterruptedException {
        final BlockingQueue<Object> told = new LinkedBlockingQueue<>();
        final SendThread.Sender sender =
                message -> {
                    switch (message.length) {
                        case 0 -> throw new IllegalArgumentException("empty");
                        case 1 -> throw new NoClassDefFoundError("of the client");
                        default -> told.add(message.length);
                    }
                };
        final SendThread thread = SendThread.named("send");
        try {
            thread.join(sender, error -> told.add(error.getMessage()));
            for (int length = 0; length < 3; length++) {
                thread.add(sender, new byte[length]);
            }

            assertThat(told.poll(PATIENCE_S, TimeUnit.SECONDS)).isEqualTo("empty");
            assertThat(told.poll(PATIENCE_S, TimeUnit.SECONDS)).isEqualTo("of the client");
            assertThat(told.poll(PATIENCE_S, TimeUnit.SECONDS)).isEqualTo(2);
        } finally {
            thread.stop();
        }
    }
}

package io.tickmark.lab.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.lab.control.RunEvents.LinkEvent;
import io.tickmark.lab.protocol.FromRole;
import io.tickmark.lab.protocol.Lines;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RoleLinkTest {
    private static final int LINES_IN_PORTION = 100;
    private static final int MORE_THAN_MAY_WAIT =
            RoleLink.MOST_WAITING / LINES_IN_PORTION + 2; // portions

    private final RunEvents events = new RunEvents();

    @Test
    void shouldTakeAnyNumberOfLinesInALongLife() throws IOException {
        final Teller teller = new Teller(MORE_THAN_MAY_WAIT, 1);
        final RoleLink link = new RoleLink("teller", teller, Optional.empty(), events.queue());
        int lines = 0;
        LinkEvent event = next();
        while (event instanceof LinkEvent.Said) {
            if (++lines % LINES_IN_PORTION == 0) {
                teller.goOn();
            }
            event = next();
        }
        link.kill();

        assertThat(event).isInstanceOf(LinkEvent.Ended.class);
        assertThat(lines).isEqualTo(MORE_THAN_MAY_WAIT * LINES_IN_PORTION);
    }

    @Test
    void shouldNotLetAProcessFillTheMemoryWithLinesThatTheControllerDoesNotTake() throws Exception {
        final RoleLink link =
                new RoleLink(
                        "teller",
                        new Teller(MORE_THAN_MAY_WAIT, MORE_THAN_MAY_WAIT),
                        Optional.empty(),
                        events.queue());
        int lines = 0;
        LinkEvent event = events.queue().take(); // without the answer that poll gives
        while (event instanceof LinkEvent.Said) {
            lines++;
            event = events.queue().take();
        }

        assertThat(lines).isEqualTo(RoleLink.MOST_WAITING);
        assertThat(event)
                .isEqualTo(
                        new LinkEvent.Unbearable(
                                link,
                                "The process of teller sent too many messages for the user."));
        assertThat(events.queue().take()).isInstanceOf(LinkEvent.Ended.class);
        link.kill();
    }

    /** A role's figures were silently dropped, and the others judged. */
    @Test
    void shouldNotGoOnWithoutAMessageThatNativeCodePrintedInto() throws Exception {
        final RoleLink link =
                new RoleLink(
                        "printer",
                        new Teller(
                                """
                                printed alone
                                {"some": "json"}
                                printed into talk {"type":"progress","id":"role-1"
                                printed into {"type":"step","id":"role-1","step":{
                                """
                                        .getBytes(StandardCharsets.UTF_8)),
                        Optional.empty(),
                        events.queue());

        assertThat(events.queue().take())
                .isEqualTo(
                        new LinkEvent.Unbearable(
                                link,
                                "The process of printer printed into one of its messages, which is lost."));
        assertThat(events.queue().take()).isInstanceOf(LinkEvent.Ended.class);
        link.kill();
    }

    private LinkEvent next() {
        return events.poll(Duration.ofSeconds(50).toNanos());
    }

    /** A process that prints a number of portions of lines; each needs a permit. */
    private static final class Teller extends SilentProcess {
        private final byte[] portion;
        private final Semaphore permits;
        private int left;
        private int at;

        Teller(final byte[] only) {
            portion = only;
            at = portion.length;
            left = 1;
            permits = new Semaphore(1);
        }

        Teller(final int portions, final int permits) throws IOException {
            final ByteArrayOutputStream lines = new ByteArrayOutputStream();
            for (int i = 0; i < LINES_IN_PORTION; i++) {
                Lines.send(lines, new FromRole.Output("role-1", "well"));
            }
            portion = lines.toByteArray();
            at = portion.length;
            left = portions;
            this.permits = new Semaphore(permits);
        }

        void goOn() {
            permits.release();
        }

        @Override
        public InputStream output() {
            return new InputStream() {
                @Override
                public int read() {
                    throw new UnsupportedOperationException("read by the chunk");
                }

                @Override
                public int read(final byte[] chunk, final int offset, final int length) {
                    if (at == portion.length) {
                        if (left == 0) {
                            return -1;
                        }
                        permits.acquireUninterruptibly();
                        left--;
                        at = 0;
                    }
                    final int count = Math.min(length, portion.length - at);
                    System.arraycopy(portion, at, chunk, offset, count);
                    at += count;
                    return count;
                }
            };
        }
    }
}

package io.tickmark.wire.match;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.wire.fix.FixFramer;
import io.tickmark.wire.fix.FixFramer.Garbled;
import io.tickmark.wire.fix.FixText;
import io.tickmark.wire.match.FixStream.FixHandler;
import io.tickmark.wire.match.FixStream.KeptBytes;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class FixStreamTest {
    private static final String FIRST = FixText.message("35=W|55=EUR|");
    private static final String SECOND = FixText.message("35=W|55=USD|268=1|269=0|270=1.25|");

    private final List<String> seen = new ArrayList<>();
    private final KeptBytes kept = new KeptBytes();
    private final FixStream stream =
            new FixStream(
                    null,
                    FixSide.IN,
                    new FixFramer(4096),
                    new FixHandler() {
                        @Override
                        public void onMessage(
                                final FixStream from,
                                final DirectBuffer buffer,
                                final FixFramer at,
                                final long timeNs) {
                            seen.add(
                                    buffer.getStringWithoutLengthAscii(at.begin(), at.length())
                                                    .replace('\u0001', '|')
                                            + "@"
                                            + timeNs);
                        }

                        @Override
                        public void onGarbled(
                                final FixStream from, final Garbled reason, final long position) {
                            seen.add("garbled " + reason);
                        }

                        @Override
                        public void onCut(final FixStream from) {
                            seen.add("cut");
                        }
                    },
                    kept);

    @Test
    void shouldFindSeveralMessagesInOneSegment() {
        take(FIRST + SECOND + FIRST, 1);

        assertThat(seen).containsExactly(FIRST + "@1", SECOND + "@1", FIRST + "@1");
    }

    @Test
    void shouldPutMessagesTogetherHoweverTheyAreCut() {
        final String text = FIRST + SECOND + FIRST + SECOND;
        for (int piece = 1; piece < text.length(); piece++) {
            seen.clear();
            for (int at = 0; at < text.length(); at += piece) {
                take(text.substring(at, Math.min(text.length(), at + piece)), at / piece);
            }
            final int last = (text.length() - 1) / piece;
            assertThat(seen)
                    .containsExactly(
                            FIRST + "@" + (FIRST.length() - 1) / piece,
                            SECOND + "@" + (FIRST.length() + SECOND.length() - 1) / piece,
                            FIRST + "@" + (2 * FIRST.length() + SECOND.length() - 1) / piece,
                            SECOND + "@" + last);
        }
    }

    @Test
    void shouldGoOnBehindGarbledBytesWhereverTheyAreCut() {
        final String garbled = "8=FIX.4.4|9=5000|35=W|";
        final String text = FIRST + garbled + SECOND;
        for (int piece = 1; piece < text.length(); piece++) {
            seen.clear();
            for (int at = 0; at < text.length(); at += piece) {
                take(text.substring(at, Math.min(text.length(), at + piece)), 0);
            }
            assertThat(seen).containsExactly(FIRST + "@0", "garbled TOO_LONG", SECOND + "@0");
        }
    }

    @Test
    void shouldFindTheNextMessageBehindAGap() {
        take(FIRST + SECOND.substring(0, 30), 1);
        stream.onGap();
        take(FIRST.substring(17) + SECOND, 2);

        assertThat(seen).containsExactly(FIRST + "@1", "cut", SECOND + "@2");
    }

    @Test
    void shouldBeginInTheMiddleOfAMessage() {
        stream.onGap();
        take(FIRST.substring(5), 1);
        take(SECOND, 2);

        assertThat(seen).containsExactly(SECOND + "@2");
    }

    /** What a message says of its length is not believed before its bytes are there. */
    @Test
    void shouldKeepRoomForTheBytesThatCameAndNotForThoseThatAreSaid() {
        leave(2 * 512);
        take("8=FIX.4.4|9=3900|35=W|", 1);

        assertThat(kept.take(512)).as("512 bytes are in use").isTrue();
        assertThat(kept.take(1)).isFalse();
        assertThat(seen).isEmpty();
    }

    @Test
    void shouldLoseAMessageAndGoOnWhereThereIsNoRoomForItsBeginning() {
        leave(0);
        take(FIRST + SECOND.substring(0, 20), 1);
        take(SECOND.substring(20) + FIRST, 2);

        assertThat(seen).containsExactly(FIRST + "@1", "cut", FIRST + "@2");
    }

    @Test
    void shouldGiveItsRoomBackAtAGap() {
        leave(512);
        take(FIRST.substring(0, 20), 1);
        assertThat(kept.take(1)).isFalse();
        stream.onGap();

        assertThat(kept.take(512)).isTrue();
    }

    private void leave(final int bytes) {
        for (long left = KeptBytes.MAX_TOTAL_BYTES - bytes; left > 0; left -= 1 << 20) {
            assertThat(kept.take((int) Math.min(left, 1 << 20))).isTrue();
        }
    }

    private void take(final String text, final long timeNs) {
        final UnsafeBuffer bytes = FixText.buffer("7" + text);
        stream.onBytes(bytes, 1, bytes.capacity() - 1, timeNs, 0);
    }
}

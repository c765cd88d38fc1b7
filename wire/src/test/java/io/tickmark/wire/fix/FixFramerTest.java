package io.tickmark.wire.fix;

import static io.tickmark.wire.fix.FixText.buffer;
import static io.tickmark.wire.fix.FixText.framed;
import static io.tickmark.wire.fix.FixText.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tickmark.wire.fix.FixFramer.FixFraming;
import io.tickmark.wire.fix.FixFramer.Garbled;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FixFramerTest {
    private static final String HEARTBEAT = message("35=0|49=A|56=B|34=2|52=20260101-00:00:00|");

    private final FixFramer framer = new FixFramer(4096);

    @ParameterizedTest
    @ValueSource(strings = {"FIX.4.0", "FIX.4.2", "FIX.4.4", "FIXT.1.1"})
    void shouldFindAMessage(final String version) {
        final String text = framed(version, "35=W|55=EUR|");
        final UnsafeBuffer bytes = buffer("xx" + text + "yy");

        assertThat(framer.frame(bytes, 2, bytes.capacity())).isEqualTo(FixFraming.MESSAGE);
        assertThat(framer.begin()).isEqualTo(2);
        assertThat(framer.length()).isEqualTo(text.length());
        assertThat(framer.end()).isEqualTo(2 + text.length());
        assertThat(
                        bytes.getStringWithoutLengthAscii(
                                framer.bodyBegin(), framer.bodyEnd() - framer.bodyBegin()))
                .isEqualTo("35=W\u000155=EUR\u0001");
    }

    @Test
    void shouldWaitForEveryByteOfAMessage() {
        final UnsafeBuffer bytes = buffer(HEARTBEAT);

        for (int limit = 0; limit < bytes.capacity(); limit++) {
            assertThat(framer.frame(bytes, 0, limit))
                    .as("%d", limit)
                    .isEqualTo(FixFraming.INCOMPLETE);
            assertThat(framer.end()).isZero();
            assertThat(framer.neededBytes()).isIn(0, bytes.capacity());
        }
        assertThat(framer.neededBytes()).isEqualTo(bytes.capacity());
        assertThat(framer.frame(bytes, 0, bytes.capacity())).isEqualTo(FixFraming.MESSAGE);
    }

    @Test
    void shouldFindMessagesOneBehindTheOther() {
        final UnsafeBuffer bytes = buffer(HEARTBEAT + HEARTBEAT);

        assertThat(framer.frame(bytes, 0, bytes.capacity())).isEqualTo(FixFraming.MESSAGE);
        assertThat(framer.frame(bytes, framer.end(), bytes.capacity()))
                .isEqualTo(FixFraming.MESSAGE);
        assertThat(framer.end()).isEqualTo(bytes.capacity());
        assertThat(framer.frame(bytes, framer.end(), bytes.capacity()))
                .isEqualTo(FixFraming.INCOMPLETE);
    }

    @ParameterizedTest
    @CsvSource({
        "BEGIN_STRING, 9=5|35=0|10=161|",
        "BEGIN_STRING, 8=FIX|9=5|35=0|10=161|",
        "BEGIN_STRING, 8=FAX.4.4|9=5|35=0|10=161|",
        "BEGIN_STRING, 8=FIX.4.4.4.4.4.4.4.4|9=5|35=0|10=161|",
        "BODY_LENGTH, 8=FIX.4.4|35=0|9=5|10=161|",
        "BODY_LENGTH, 8=FIX.4.4|9=|35=0|10=161|",
        "BODY_LENGTH, 8=FIX.4.4|9=5x|35=0|10=161|",
        "BODY_LENGTH, 8=FIX.4.4|9=-5|35=0|10=161|",
        "TOO_LONG, 8=FIX.4.4|9=5000|35=0|10=161|",
        "TOO_LONG, 8=FIX.4.4|9=99999999999999999999|35=0|10=161|",
        "MSG_TYPE, 8=FIX.4.4|9=5|34=0|10=161|",
        "MSG_TYPE, 8=FIX.4.4|9=0|10=161|",
        "CHECKSUM_PLACE, 8=FIX.4.4|9=6|35=0|10=161|",
        "CHECKSUM_PLACE, 8=FIX.4.4|9=12|35=0|58=Text|10=161|",
        "CHECKSUM_PLACE, 8=FIX.4.4|9=5|35=0|10=16|",
        "CHECKSUM_PLACE, 8=FIX.4.4|9=5|35=0|10=16:|",
        "CHECKSUM_PLACE, 8=FIX.4.4|9=5|35=0|10=1/1|",
        "CHECKSUM_PLACE, 8=FIX.4.4|9=5|35=0|10=?61|",
        "CHECKSUM, 8=FIX.4.4|9=5|35=0|10=162|"
    })
    void shouldSayWhyAMessageIsGarbledAndGoOnWithTheNext(final Garbled why, final String text) {
        final UnsafeBuffer bytes = buffer(text + HEARTBEAT);

        assertThat(framer.frame(bytes, 0, bytes.capacity())).isEqualTo(FixFraming.GARBLED);
        assertThat(framer.reason()).isEqualTo(why);
        assertThat(framer.end()).isEqualTo(text.length());
        assertThat(framer.frame(bytes, framer.end(), bytes.capacity()))
                .isEqualTo(FixFraming.MESSAGE);
    }

    /** What was right before makes nothing else right. */
    @Test
    void shouldTellBeginningsApartWhateverCameBefore() {
        for (final String before : List.of("FIX.4.2", "FIX.4.4", "FIXT.1.1")) {
            for (final String after : List.of("FIX.4.2", "FIX.4.4", "FIXT.1.1", "FIX.4.44")) {
                final String first = framed(before, "35=0|");
                final UnsafeBuffer good = buffer(first + framed(after, "35=0|"));
                assertThat(framer.frame(good, 0, good.capacity())).isEqualTo(FixFraming.MESSAGE);
                assertThat(framer.frame(good, framer.end(), good.capacity()))
                        .isEqualTo(FixFraming.MESSAGE);

                final UnsafeBuffer bad = buffer(first + framed(after + "x", "35=0|"));
                assertThat(framer.frame(bad, 0, bad.capacity())).isEqualTo(FixFraming.MESSAGE);
                assertThat(framer.frame(bad, framer.end(), bad.capacity()))
                        .isEqualTo(FixFraming.GARBLED);
                assertThat(framer.reason()).isEqualTo(Garbled.BEGIN_STRING);
            }
        }
    }

    @Test
    void shouldKeepAMessageInsideOfAMessageWithAWrongChecksumToItself() {
        final String inner = message("35=D|");
        final String outer = message("35=n|213=" + inner).replaceAll("10=\\d+\\|$", "10=999|");
        final UnsafeBuffer bytes = buffer(outer);

        assertThat(framer.frame(bytes, 0, bytes.capacity())).isEqualTo(FixFraming.GARBLED);
        assertThat(framer.end()).as("the inner one is not taken out").isEqualTo(outer.length());
    }

    @Test
    void shouldNotTakeTheTailOfAnotherTagForABeginning() {
        final UnsafeBuffer bytes = buffer("8=FIX.4.4|9=x|58=FIX.4.4|9=5|" + HEARTBEAT);

        framer.frame(bytes, 0, bytes.capacity());

        assertThat(framer.end()).isEqualTo(bytes.capacity() - HEARTBEAT.length());
    }

    @Test
    void shouldKeepABeginningThatIsCutOff() {
        final UnsafeBuffer bytes = buffer("junk|8=F");

        assertThat(framer.frame(bytes, 0, bytes.capacity())).isEqualTo(FixFraming.GARBLED);
        assertThat(framer.end()).isEqualTo(5);
        assertThat(framer.frame(bytes, 5, bytes.capacity())).isEqualTo(FixFraming.INCOMPLETE);
    }

    @Test
    void shouldTakeAMessageAsLongAsTheLimitAndNoLonger() {
        final FixFramer small = new FixFramer(64);
        final String longest = message("35=B|58=" + "x".repeat(64 - 31) + "|");
        final UnsafeBuffer fits = buffer(longest);
        final UnsafeBuffer tooLong = buffer(message("35=B|58=" + "x".repeat(64 - 30) + "|"));

        assertThat(longest).hasSize(64);
        assertThat(small.frame(fits, 0, fits.capacity())).isEqualTo(FixFraming.MESSAGE);
        assertThat(small.frame(tooLong, 0, 20)).isEqualTo(FixFraming.GARBLED);
        assertThat(small.reason()).isEqualTo(Garbled.TOO_LONG);
    }

    @Test
    void shouldRefuseALimitThatNoMessageFits() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FixFramer(10))
                .withMessageContaining("maxMessageBytes 10");
    }
}

package io.tickmark.wire.fix;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tickmark.wire.fix.FixFramer.FixFraming;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;

final class FixFuzzTest {
    private static final int LIMIT = 512;

    @Tag("fuzzed")
    @FuzzTest(maxDuration = "1m")
    void shouldFrameAnyBytesAndEndTheSameInPieces(final byte[] bytes) {
        final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        final FixFramer framer = new FixFramer(LIMIT);
        final FixFields fields = new FixFields();
        int at = 0;
        FixFraming framing;
        while ((framing = framer.frame(buffer, at, bytes.length)) != FixFraming.INCOMPLETE) {
            assertThat(framer.end()).isGreaterThan(at).isLessThanOrEqualTo(bytes.length);
            if (framing == FixFraming.MESSAGE) {
                assertThat(framer.length()).isLessThanOrEqualTo(LIMIT);
                fields.wrap(buffer, framer.bodyBegin(), framer.bodyEnd());
                int last = -1;
                while (fields.next()) {
                    assertThat(fields.valueBegin()).isGreaterThan(last);
                    last = fields.valueBegin() + fields.valueLength();
                }
                assertAPieceIsIncomplete(framer, buffer, at);
            }
            at = framer.end();
        }
        assertThat(bytes.length - at).as("kept").isLessThan(LIMIT);
    }

    private static void assertAPieceIsIncomplete(
            final FixFramer framer, final UnsafeBuffer buffer, final int at) {
        final int end = framer.end();
        for (int limit = at; limit < end; limit++) {
            assertThat(framer.frame(buffer, at, limit)).isEqualTo(FixFraming.INCOMPLETE);
        }
        assertThat(framer.frame(buffer, at, end)).isEqualTo(FixFraming.MESSAGE);
    }
}

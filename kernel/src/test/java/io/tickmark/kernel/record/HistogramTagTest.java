package io.tickmark.kernel.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HistogramTagTest {
    @Test
    void shouldReadWhatItWrites() {
        final HistogramTag tag = new HistogramTag("roundTripNs", 12, 3);

        assertThat(tag).hasToString("roundTripNs.r12.s3");
        assertThat(HistogramTag.parse("roundTripNs.r12.s3")).contains(tag);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "roundTripNs", "a.r1", "a.r1.s", "a b.r1.s0", "a.r99999999999.s0"})
    void shouldNotReadTagsOfOthers(final String text) {
        assertThat(HistogramTag.parse(text)).isEmpty();
    }

    @Test
    void shouldRefuseNamesThatWouldBreakTheLog() {
        assertThatThrownBy(() -> new HistogramTag("a,b", 1, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new HistogramTag("a", -1, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

package io.tickmark.workloads.fix.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimestampTextTest {
    private static final DateTimeFormatter SHAPE =
            DateTimeFormatter.ofPattern("yyyyMMdd-HH:mm:ss.SSS").withZone(ZoneOffset.UTC);

    private static long parse(final String text) {
        final byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return TimestampText.parse(new UnsafeBuffer(bytes), 0, bytes.length);
    }

    @Test
    void shouldWriteAndReadTimesOfAllYears() {
        final TimestampText text = new TimestampText();
        for (long ms = 0; ms < 4_102_444_800_000L; ms += 86_399_123L * 37) {
            text.update(ms);
            final String shown = new String(text.bytes(), StandardCharsets.US_ASCII);
            assertThat(shown).isEqualTo(SHAPE.format(Instant.ofEpochMilli(ms)));
            assertThat(parse(shown)).isEqualTo(ms);
            assertThat(text.sum()).isEqualTo(shown.chars().sum());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "20240229-12:30:59",
                "20240229-12:30:59.5",
                "20240229-12:30:59.500",
                "20240229-12:30:59.500123",
                "20240229-12:30:59.500123456"
            })
    void shouldReadEveryPrecision(final String text) {
        assertThat(parse(text) / 1_000)
                .isEqualTo(Instant.parse("2024-02-29T12:30:59Z").getEpochSecond());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "20240229",
                "20240229 12:30:59",
                "20241329-12:30:59",
                "20240229-25:30:59",
                "20240229-12:30:5x",
                "20240229-12:30:59.",
                "20240229-12:30:59.x",
                "2024022912:30:59.123456"
            })
    void shouldRefuseWhatIsNoTime(final String text) {
        assertThat(parse(text)).isEqualTo(-1);
    }
}

package io.tickmark.kernel.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.OffsetDateTime;
import org.junit.jupiter.api.Test;

class RunResultTest {
    @Test
    void shouldWriteTheSecondsOfItsStartInAnyCase() {
        assertThat(RunResult.timeOf(OffsetDateTime.parse("2026-11-20T09:30:00.123+01:00")))
                .isEqualTo("2026-11-20T09:30:00+01:00");
        assertThat(RunResult.timeOf(OffsetDateTime.parse("2026-11-20T09:30:07.9Z")))
                .isEqualTo("2026-11-20T09:30:07Z");
    }
}

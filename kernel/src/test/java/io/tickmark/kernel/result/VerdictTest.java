package io.tickmark.kernel.result;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class VerdictTest {
    @Test
    void shouldKeepTheWorseOfTwo() {
        assertThat(Verdict.PASS.worse(Verdict.FAIL)).isEqualTo(Verdict.FAIL);
        assertThat(Verdict.VOID.worse(Verdict.FAIL)).isEqualTo(Verdict.VOID);
        assertThat(Verdict.PASS.worse(Verdict.PASS)).isEqualTo(Verdict.PASS);
    }

    @Test
    void shouldEndWithZeroOnlyWhenPassed() {
        assertThat(Verdict.PASS.exitCode()).isZero();
        assertThat(Verdict.FAIL.exitCode()).isEqualTo(1);
        assertThat(Verdict.VOID.exitCode()).isEqualTo(1);
    }
}

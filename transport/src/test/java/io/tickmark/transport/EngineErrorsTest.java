package io.tickmark.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class EngineErrorsTest {
    private final EngineErrors errors =
            new EngineErrors("It said: %s.", "It said %d things, the first: %s.");

    @Test
    void shouldSayNothingOfNone() {
        assertThat(errors.sentence()).isEmpty();
    }

    @Test
    void shouldSayOneInOneLine() {
        errors.add(new IOException("broken\n  pipe."));

        assertThat(errors.sentence()).contains("It said: broken pipe.");
    }

    @Test
    void shouldCountAllAndKeepTheFirst() {
        errors.add("one");
        errors.add(new IllegalStateException());
        errors.add("x".repeat(1000));

        assertThat(errors.sentence()).contains("It said 3 things, the first: one.");
        errors.takeBack();
        assertThat(errors.count()).isEqualTo(2);
    }

    @Test
    void shouldCountABreakOnceWhenItIsRestored() {
        errors.mended();
        errors.broke("it hung up.");
        errors.broke("no answer");
        assertThat(errors.count()).isZero();

        errors.mended();
        errors.mended();
        assertThat(errors.sentence()).contains("It said: it hung up.");
    }

    /** It was left out where an earlier one had been mended. */
    @Test
    void shouldCountABreakThatLastsBesideOneThatWasMended() {
        errors.broke("it hung up");
        errors.mended();
        errors.broke(Break.ago("no answer", 3_000_000_000L));

        assertThat(errors.sentence()).contains("It said 2 things, the first: it hung up.");
        assertThat(errors.count()).isOne();

        errors.mended();
        assertThat(errors.sentence()).contains("It said 2 things, the first: it hung up.");
    }

    @Test
    void shouldForgetABreakWithoutCountingIt() {
        errors.broke("refused");
        errors.forgetBreak();
        errors.mended();
        assertThat(errors.sentence()).isEmpty();

        errors.broke("it hung up");
        errors.mended();
        errors.forgetBreak();
        assertThat(errors.sentence()).contains("It said: it hung up.");
    }
}

package io.tickmark.transport.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

class PatienceTest {
    @Test
    void shouldEndWithItsTime() {
        assertThat(new Patience(Duration.ofDays(1), Duration.ZERO).lasts()).isTrue();
        assertThat(new Patience(Duration.ofNanos(-1), Duration.ZERO).lasts()).isFalse();
    }

    @Test
    void shouldEndWhereTheThreadIsInterruptedAndLeaveThatToTheCaller() {
        final Patience patience = new Patience(Duration.ofDays(1), Duration.ofDays(1));
        Thread.currentThread().interrupt();

        assertThat(patience.lasts()).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void shouldAskAgainWhileARefusalMayPass() throws IOException {
        final Patience patience = new Patience(Duration.ofDays(1), Duration.ZERO);
        final Iterator<String> answers = List.of("not yet", "not yet", "yes").iterator();

        assertThat(patience.ask(() -> answer(answers.next()), e -> true)).isEqualTo("yes");
    }

    @Test
    void shouldThrowARefusalThatDoesNotPassAndTheLastOneInTheEnd() {
        final Patience lasting = new Patience(Duration.ofDays(1), Duration.ZERO);
        final Patience over = new Patience(Duration.ofNanos(-1), Duration.ZERO);

        assertThatThrownBy(() -> lasting.ask(() -> answer("not yet"), e -> false))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> over.ask(() -> answer("not yet"), e -> true))
                .isInstanceOf(IOException.class);
    }

    private static String answer(final String its) throws IOException {
        if (its.equals("not yet")) {
            throw new IOException(its);
        }
        return its;
    }
}

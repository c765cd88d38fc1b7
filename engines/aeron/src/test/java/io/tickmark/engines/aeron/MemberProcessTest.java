package io.tickmark.engines.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aeron.exceptions.AeronException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemberProcessTest {
    private final List<RuntimeException> mended = new ArrayList<>();

    private String launch(final String... failures) {
        final Deque<String> left = new ArrayDeque<>(List.of(failures));
        return MemberProcess.patiently(
                () -> {
                    if (!left.isEmpty()) {
                        throw new AeronException(left.poll());
                    }
                    return "there";
                },
                mended::add);
    }

    /** A process without a core for seconds; there is nothing in its files to verify. */
    @Test
    void shouldLaunchAgainWhatTheDriverGaveUpWhileItStarted() {
        final String givenUp = "unexpected close of heartbeat timestamp counter: 66";
        final String late = "service interval exceeded: timeout=5s, interval=5168354483ns";
        assertThat(launch(givenUp, "active mark file detected", late)).isEqualTo("there");
        assertThat(mended).isEmpty();
    }

    @Test
    void shouldMendAnythingElseOnce() {
        assertThat(launch("catalog is not valid")).isEqualTo("there");
        assertThat(mended).hasSize(1);

        assertThatThrownBy(() -> launch("catalog is not valid", "still not"))
                .isInstanceOf(AeronException.class)
                .hasMessageContaining("still not");
    }
}

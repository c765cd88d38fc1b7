package io.tickmark.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.bench.contest.NotMeasured;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ChildrenTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir private Path folder;

    @Test
    void shouldGiveTheOutputOfOneThatEndsWell() {
        try (Children children = new Children(folder)) {
            final Child child = children.start("echo", List.of("sh", "-c", "echo figures"));

            assertThat(child.await(LONG, List.of(0))).isEqualTo("figures\n");
        }
    }

    @Test
    void shouldSayHowOneEnded() {
        try (Children children = new Children(folder)) {
            final Child child = children.start("bad", List.of("sh", "-c", "echo no >&2; exit 3"));

            assertThatThrownBy(() -> child.await(LONG, List.of(0)))
                    .isInstanceOf(NotMeasured.class)
                    .hasMessage("bad ended with exit code 3: no");
        }
    }

    @Test
    void shouldNotWaitForOneThatHangs() {
        final Child child;
        try (Children children = new Children(folder)) {
            child = children.start("hung", List.of("sleep", "600"));

            assertThatThrownBy(() -> child.await(Duration.ofMillis(1), List.of(0)))
                    .isInstanceOf(NotMeasured.class)
                    .hasMessageContaining("hung took more than");
        }
        assertThat(child.isAlive()).isFalse();
    }

    @Test
    void shouldLeaveNoneBehindThatIgnoresBeingAsked() {
        final Child child;
        try (Children children = new Children(folder, Duration.ofMillis(50))) {
            child =
                    children.start(
                            "stubborn",
                            List.of("sh", "-c", "trap '' TERM; echo ready; sleep 600 & wait"));
        }
        assertThat(child.isAlive()).isFalse();
    }

    @Test
    void shouldStartNoneAfterTheEnd() {
        final Children children = new Children(folder);
        children.close();

        assertThatThrownBy(() -> children.start("late", List.of("true")))
                .isInstanceOf(NotMeasured.class)
                .hasMessageContaining("late is not started any more");
    }

    @Test
    void shouldSayThatAProgramIsNotThere() {
        try (Children children = new Children(folder)) {
            assertThatThrownBy(() -> children.start("none", List.of("/nonexistent/program")))
                    .isInstanceOf(NotMeasured.class)
                    .hasMessageContaining("none cannot be started");
        }
    }
}

package io.tickmark.kernel.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoopGroupTest {
    private final LoopContext context = new LoopContext(Optional.empty());
    private final LoopGroup group = new LoopGroup(context, "connection");

    private void awaitEnd() {
        while (!group.isOver()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldRunEachLoopOnAThreadTheFirstOnTheCallers() {
        final Set<String> threads = new ConcurrentSkipListSet<>();
        final Runnable loop = () -> threads.add(Thread.currentThread().getName());
        group.run("consumer", number -> List.of("core " + number), List.of(loop, loop, loop));
        assertThat(threads)
                .containsExactlyInAnyOrder(
                        Thread.currentThread().getName(), "consumer-2", "consumer-3");
        assertThat(group.warnings()).containsExactlyInAnyOrder("core 1", "core 2", "core 3");
        assertThat(group.isOver()).isFalse();
    }

    @Test
    void shouldEndAllLoopsWhereOneFails() {
        final Runnable broken =
                () -> {
                    throw new IllegalStateException("oh");
                };
        group.run("consumer", number -> List.of(), List.of(this::awaitEnd, broken));
        assertThat(group.failure())
                .isEqualTo(
                        "The connection 2 failed by a defect: java.lang.IllegalStateException: oh.");
        group.requireGoodInput();
    }

    @Test
    void shouldKeepTheFirstReason() {
        group.fail("first");
        group.fail("second");
        assertThat(group.failure()).isEqualTo("first");
    }

    @Test
    void shouldNotTakeBadInputForATestThatFailed() {
        group.run(
                "consumer",
                number -> List.of(),
                List.of(() -> {
                    throw UserError.usage("no such item");
                }));
        assertThat(group.failure()).isEqualTo("no such item");
        assertThatThrownBy(group::requireGoodInput)
                .isInstanceOf(UserError.class)
                .hasMessage("no such item");
    }

    @Test
    void shouldEndWithoutAFailureWhereItIsToldTo() {
        context.isStopped = true;
        assertThat(group.isOver()).isTrue();
        assertThat(group.failure()).isEmpty();
    }
}

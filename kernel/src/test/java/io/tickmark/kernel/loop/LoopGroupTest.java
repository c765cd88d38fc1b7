package io.tickmark.kernel.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.TestContext;
import io.tickmark.kernel.settings.UserError;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Timeout(180)
class LoopGroupTest {
    private final TestContext context = new TestContext(1, 1);
    private final LoopGroup group =
            new LoopGroup(context, "connection", HotThread.numbered("consumer", 3, IdleMode.PARK));

    private void awaitEnd() {
        while (!group.isOver() && !Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldRunEachLoopOnAThreadTheFirstOnTheCallers() {
        final Set<String> threads = new ConcurrentSkipListSet<>();
        final Runnable loop = () -> threads.add(Thread.currentThread().getName());
        group.run(List.of(loop, loop, loop));
        assertThat(threads)
                .containsExactlyInAnyOrder(
                        Thread.currentThread().getName(), "consumer-2", "consumer-3");
        assertThat(context.pinned())
                .containsExactlyInAnyOrder("consumer-1", "consumer-2", "consumer-3");
        assertThat(group.isOver()).isFalse();
    }

    /**
     * The first thread may be pinned; a new thread begins with the mask of the one that starts it.
     */
    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldNotKeepTheOtherThreadsOnTheCoreOfTheFirst() throws InterruptedException {
        final List<Integer> allowed = Affinity.allowedCores();
        final List<List<Integer>> seen = new CopyOnWriteArrayList<>();
        final Thread first =
                new Thread(() -> {
                    Affinity.pin(allowed.getLast());
                    group.run(List.of(() -> {}, () -> seen.add(Affinity.currentCores())));
                });
        first.start();
        first.join();
        assertThat(seen).containsExactly(allowed);
    }

    @Test
    void shouldEndAllLoopsWhereOneFails() {
        final Runnable broken =
                () -> {
                    throw new IllegalStateException("oh");
                };
        group.run(List.of(this::awaitEnd, broken));
        assertThat(group.failure())
                .isEqualTo(
                        "The connection 2 failed because of a defect: java.lang.IllegalStateException: oh.");
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
                List.of(() -> {
                    throw UserError.usage("no such item");
                }));
        assertThat(group.failure()).isEqualTo("no such item");
        assertThatThrownBy(group::requireGoodInput)
                .isInstanceOf(UserError.class)
                .hasMessage("no such item");
    }

    @Test
    void shouldEndWithoutAFailureWhenTheHostStopsIt() {
        context.stop();
        assertThat(group.isOver()).isTrue();
        assertThat(group.failure()).isEmpty();
    }
}

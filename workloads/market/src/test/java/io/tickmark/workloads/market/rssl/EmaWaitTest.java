package io.tickmark.workloads.market.rssl;

import static org.assertj.core.api.Assertions.assertThat;

import com.refinitiv.ema.access.OmmConsumer;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.IdleStrategies;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On a library whose dispatch takes as long as it may where nothing arrives. */
class EmaWaitTest {
    private static final long FOR_NS = 5_000_000;
    private static final long US_NS = 1_000;

    /** How long the library was to wait, in us, each time. */
    private final List<Long> dispatches = new ArrayList<>();

    private long nowNs;

    private EmaWait waiting(final IdleMode mode, final int answer) {
        return new EmaWait(
                IdleStrategies.of(mode, () -> nowNs += 500),
                us -> {
                    dispatches.add(us);
                    nowNs += us * US_NS;
                    return answer;
                });
    }

    @ParameterizedTest
    @CsvSource({"SPIN, 0", "YIELD, 0", "PARK, 0", "BLOCK, 100"})
    void shouldSleepInTheLibraryWhereTheModeDoesSo(final IdleMode mode, final int times) {
        final EmaWait wait = waiting(mode, OmmConsumer.DispatchReturn.TIMEOUT);
        for (int i = 0; i < 100; i++) {
            wait.idle(FOR_NS, true);
        }
        assertThat(dispatches).hasSize(times).allMatch(us -> us * US_NS <= FOR_NS);
    }

    @Test
    void shouldSpinFirstWhereItIsAdaptive() {
        final EmaWait wait = waiting(IdleMode.ADAPTIVE, OmmConsumer.DispatchReturn.TIMEOUT);
        int spins = 0;
        while (dispatches.isEmpty()) {
            wait.idle(FOR_NS, true);
            spins++;
        }
        assertThat(spins).isGreaterThan(10);
        assertThat(dispatches.getFirst() * US_NS).isBetween(FOR_NS / 2, FOR_NS);

        wait.idle(FOR_NS, true);
        assertThat(dispatches).as("nothing has arrived: it sleeps again").hasSize(2);
    }

    @Test
    void shouldSpinAgainWhereTheLibraryHasCalledBack() {
        final EmaWait wait = waiting(IdleMode.ADAPTIVE, OmmConsumer.DispatchReturn.DISPATCHED);
        while (dispatches.isEmpty()) {
            wait.idle(FOR_NS, true);
        }
        wait.idle(FOR_NS, true);
        assertThat(dispatches).hasSize(1);
    }

    /** 0 waits for ever. */
    @Test
    void shouldPollWithoutWaiting() {
        final EmaWait wait = waiting(IdleMode.BLOCK, OmmConsumer.DispatchReturn.TIMEOUT);
        wait.poll();
        assertThat(dispatches).containsExactly((long) OmmConsumer.DispatchTimeout.NO_WAIT);
    }

    @Test
    void shouldNotDispatchWhereAnotherDoes() {
        waiting(IdleMode.BLOCK, OmmConsumer.DispatchReturn.TIMEOUT).idle(FOR_NS, false);
        assertThat(dispatches).isEmpty();
    }
}

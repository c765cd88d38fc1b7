package io.tickmark.engines.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentInvoker;
import org.junit.jupiter.api.Test;

class DutyCycleTest {
    private final Counted driver = new Counted();
    private final Counted client = new Counted();
    private final DutyCycle duty = new DutyCycle(client.invoker(), driver.invoker());

    @Test
    void shouldDriveTheDriverOnEveryTurnAndTheClientNowAndThen() {
        for (int turn = 0; turn < 32; turn++) {
            duty.turn();
        }

        assertThat(driver.calls).isEqualTo(32);
        assertThat(client.calls).isEqualTo(2);
        assertThat(duty.turns()).isEqualTo(32);
    }

    @Test
    void shouldTakeNoTurnWhileAnotherOwnsIt() {
        assertThat(duty.own(0)).isTrue();

        assertThat(duty.turn()).isEqualTo(DutyCycle.TAKEN);
        assertThat(duty.own(0)).isFalse();
        duty.disown();

        assertThat(duty.turn()).isEqualTo(1);
        assertThat(driver.calls).isEqualTo(1);
    }

    @Test
    void shouldTakeNoTurnOnAnInterruptedThread() {
        Thread.currentThread().interrupt();
        try {
            assertThat(duty.turn()).isEqualTo(DutyCycle.TAKEN);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(driver.calls).isZero();
    }

    @Test
    void shouldGiveTheOwnershipToNobodyOnceItHasEnded() {
        duty.own(0);
        duty.end();

        assertThat(duty.own(Long.MAX_VALUE)).isFalse();
        assertThat(duty.turn()).isEqualTo(DutyCycle.TAKEN);
    }

    @Test
    void shouldTakeATurnForEachIdleCallOnlyWhereTurnsBringMessages() {
        final IdleTurns udp = new IdleTurns(duty, false);
        final IdleTurns ipc = new IdleTurns(duty, true);

        for (int call = 0; call < 256; call++) {
            udp.take();
        }
        assertThat(driver.calls).isEqualTo(256);
        for (int call = 0; call < 256; call++) {
            ipc.take();
        }
        assertThat(driver.calls).isEqualTo(257);
    }

    private static final class Counted implements Agent {
        private int calls;

        AgentInvoker invoker() {
            final AgentInvoker invoker =
                    new AgentInvoker(
                            error -> {
                                throw new AssertionError(error);
                            },
                            null,
                            this);
            invoker.start();
            return invoker;
        }

        @Override
        public int doWork() {
            calls++;
            return 1;
        }

        @Override
        public String roleName() {
            return "counted";
        }
    }
}

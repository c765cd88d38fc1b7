package io.tickmark.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class ProcessIdentityTest {
    @Test
    void shouldFindThisProcessAlive() {
        assertThat(ProcessIdentity.current().isAlive()).isTrue();
    }

    @Test
    void shouldFindAnEndedProcessDead() throws Exception {
        assertThat(new ProcessIdentity(ended(), 0).isAlive()).isFalse();
    }

    @Test
    void shouldNotTakeALaterProcessOfTheSameNumberForTheOldOne() {
        final ProcessIdentity self = ProcessIdentity.current();

        assertThat(new ProcessIdentity(self.id(), self.startTicks() + 1).isAlive()).isFalse();
        assertThat(new ProcessIdentity(self.id(), 0).isAlive()).isTrue();
    }

    /** Number of a process that has ended and was waited for. */
    static long ended() throws IOException, InterruptedException {
        final Process process = new ProcessBuilder("true").start();
        process.waitFor();
        return process.pid();
    }
}

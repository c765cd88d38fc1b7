package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.JsonNode;

/**
 * Each side a separate command, and one subscriber loses messages because its process stood: both
 * sides say so, though the publisher sees nothing of it itself.
 */
@ResourceLock(DdsNeeds.DOMAINS)
class LossByHandTest {
    /** Long enough that more arrives than the ring or the reader's queue holds. */
    private static final long STOOD_MS = 700;

    private static final long BETWEEN_MS = 400;
    private static final int TIMES = 4;
    private static final int MOST_TRIES = 4;
    private static final String NOT_ACKNOWLEDGED = "Not every subscriber acknowledged the end";

    @TempDir private Path folder;

    @Test
    void shouldFailOnBothSidesWhereASharedRingOverwroteWhatASubscriberHadNotRead()
            throws Exception {
        shouldFailOnBothSides(
                "shm://tickmark-loss-"
                        + ProcessHandle.current().pid()
                        + "?lossy&capacityBytes=1048576");
    }

    /** Strict reliable promises that nothing is lost, and over shared memory cannot keep it. */
    @Test
    void shouldFailOnBothSidesWhereReliableDdsOverSharedMemoryLostMessages() throws Exception {
        DdsNeeds.library();
        DdsNeeds.daemon();
        shouldFailOnBothSides("dds://" + DdsNeeds.domain(0) + "?reliable&transport=shm");
    }

    /**
     * Where the machine stood the end may not be acknowledged in time, which the publisher warns
     * of, or the publisher sends nothing while a subscriber stands.
     */
    private void shouldFailOnBothSides(final String channel) throws Exception {
        boolean hasStood = true;
        for (int tries = 1; hasStood; tries++) {
            final Path runs = Files.createDirectory(folder.resolve("try-" + tries));
            try (MachineWatch machine = new MachineWatch()) {
                if (hasFailedOnBothSides(channel, runs)) {
                    return;
                }
                hasStood = tries < MOST_TRIES && machine.hasStood(runs);
            }
        }
        fail("without a loss or its acknowledgement, and not because the machine stood");
    }

    /** The folder has the runs of those that are not stopped here. */
    private boolean hasFailedOnBothSides(final String channel, final Path runs) throws Exception {
        final String common = " --connect-timeout 60s --json --channel " + channel;
        try (Job publisher =
                        start(
                                "stream pub --subscribers 2 --payload-bytes 200 --rate 20k --duration 8s --jvm-warm-up 50ms"
                                        + common
                                        + " --out "
                                        + runs.resolve("pub"));
                Job standing = start("stream sub --cookie 1" + common);
                Job other =
                        start(
                                "stream sub --cookie 2"
                                        + common
                                        + " --out "
                                        + runs.resolve("other"))) {
            publisher.awaitErr("[2]");
            for (int i = 0; i < TIMES; i++) {
                Thread.sleep(BETWEEN_MS);
                standing.signal("STOP", false);
                Thread.sleep(STOOD_MS);
                standing.signal("CONT", false);
            }
            final Launch.Outcome sent = publisher.await();
            final long lostByStanding = lost(standing.await());
            final long lostByOther = lost(other.await());

            if (lostByStanding == 0) {
                return false;
            }
            if (sent.out().contains(NOT_ACKNOWLEDGED)) {
                failed(sent); // what a subscriber received is not known then
                return false;
            }
            final JsonNode trial = failed(sent);
            assertThat(trial.at("/counts/lostAtSubscribers").asLong())
                    .isEqualTo(lostByStanding + lostByOther);
            assertThat(trial.path("reasons").toString()).contains("Lost ");
            return true;
        }
    }

    /** What a subscriber has lost, for which it fails. */
    private static long lost(final Launch.Outcome subscriber) {
        final long lost = ResultDocument.parse(subscriber.out()).trial().path("lost").asLong();
        assertThat(subscriber.exitCode()).as(subscriber.out()).isEqualTo(lost > 0 ? 1 : 0);
        return lost;
    }

    private static JsonNode failed(final Launch.Outcome outcome) {
        assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isEqualTo(1);
        return ResultDocument.parse(outcome.out()).trial();
    }

    private Job start(final String line) throws IOException {
        return Job.start(Launch.tickmark(folder, line), folder);
    }
}

package io.tickmark.report;

import io.tickmark.kernel.record.RoleFiles;
import io.tickmark.kernel.result.TailSummary;
import io.tickmark.kernel.result.TailSummary.Undisturbed;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.stall.MessageLog;
import io.tickmark.kernel.stall.StallRecording;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.lab.result.ResultFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Rows whose role noted a thousand messages, one each millisecond, and that its thread was stalled
 * for four milliseconds once it had sent the hundredth.
 */
public final class NotedMessages {
    private static final int MESSAGES = 1_000;
    private static final long EVERY_NS = 1_000_000;
    private static final long TAKES_NS = 20;
    private static final int STALLED_AT = 100;
    private static final long STALLED_FROM_NS = STALLED_AT * EVERY_NS + 5;
    private static final long STALLED_TO_NS = STALLED_FROM_NS + 4 * EVERY_NS;
    private static final RoleSummary ROLE = new RoleSummary("latency-pub", 1, Map.of(), List.of());

    private NotedMessages() {}

    /**
     * A row on a channel.
     *
     * @param channel of the test {@code latency}
     * @return the row, whose tail is attributed
     */
    public static TrialResult row(final String channel) {
        return Trials.openLoop()
                .channel(channel)
                .roles(ROLE)
                .row()
                .withTail(
                        new TailSummary(
                                MESSAGES,
                                MESSAGES,
                                TAKES_NS,
                                List.of(),
                                List.of(),
                                List.of(),
                                List.of(),
                                List.of(),
                                new Undisturbed(0, "", Trials.latency(TAKES_NS)),
                                List.of(),
                                "",
                                ""),
                        List.of());
    }

    /**
     * Writes what its role noted.
     *
     * @param run folder of the result
     * @param channel of the row
     * @return the folder of the role
     * @throws IOException if it cannot be written
     */
    public static Path in(final Path run, final String channel) throws IOException {
        final Path role =
                Files.createDirectories(
                        run.resolve(ResultFolder.ROLES)
                                .resolve(ResultFolder.nameOf("latency", channel, "latency-pub-1")));
        try (StallRecording recording = new StallRecording(Optional.of(role), 1, () -> 0)) {
            recording.watch("publisher", StallWatch.Part.SEND_AND_RECEIVE, "");
            final MessageLog log = recording.messages(0, MESSAGES);
            for (int i = 0; i < MESSAGES; i++) {
                final long ns = EVERY_NS * i;
                final boolean isSentLate = ns > STALLED_FROM_NS && ns < STALLED_TO_NS;
                final boolean isReadLate = isSentLate || i == STALLED_AT;
                log.add(
                        ns,
                        isSentLate ? STALLED_TO_NS + i : ns + 1,
                        (isReadLate ? STALLED_TO_NS + i : ns) + TAKES_NS);
            }
        }
        Files.writeString(
                role.resolve(RoleFiles.STALLS),
                "stall,1,0,%d,%d,4000000,4000000,0,1,0,0,0,4000000%n"
                        .formatted(STALLED_FROM_NS, STALLED_TO_NS),
                StandardOpenOption.APPEND);
        return role;
    }
}

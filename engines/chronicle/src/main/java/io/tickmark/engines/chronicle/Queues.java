package io.tickmark.engines.chronicle;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import net.openhft.chronicle.queue.ChronicleQueue;

/** Opens queues. Touches the library, which reads its properties when it is loaded. */
final class Queues {
    /** A writer that died in the midst of a message holds the next one up for so long. */
    private static final long DEAD_WRITER_MS = 1000;

    /** A new queue takes some; more is taken step by step. */
    private static final long ROOM_BYTES = 4L << 20;

    static {
        System.setProperty("chronicle.analytics.disable", "true");
        System.setProperty("chronicle.announcer.disable", "true");
        // Room on the disk is looked after by DiskRoom.
        System.setProperty("chronicle.disk.monitor.disable", "true");
    }

    private Queues() {}

    /**
     * Opens a queue, and makes it where it is not there yet. Its clock stands still, so that it
     * stays in one file and the place of a message is its ordinal.
     *
     * @throws UserError if its folder is none of ours, or has no room
     */
    static ChronicleQueue open(final QueueAddress address, final Path queue) {
        try {
            final Optional<String> foreign = address.foreign(queue);
            if (foreign.isPresent()) {
                throw address.unusable(queue, foreign.get(), null);
            }
            Files.createDirectories(queue);
            final long usable = Files.getFileStore(queue).getUsableSpace();
            if (usable < ROOM_BYTES) {
                throw UserError.environment(
                        "--channel %s: no room for a queue in %s (%d KiB are free); make room, or give another folder."
                                .formatted(address.channel(), queue, usable >> 10));
            }
        } catch (final IOException e) {
            throw address.unusable(queue, IoReason.of(e), e);
        }
        try {
            return ChronicleQueue.singleBuilder(queue)
                    .blockSize(address.parameters().blockBytes())
                    .timeProvider(() -> 0)
                    .timeoutMS(DEAD_WRITER_MS)
                    .build();
        } catch (final RuntimeException | AssertionError | InternalError e) {
            throw address.unusable(queue, reason(e), e);
        }
    }

    /** What the library said, on one line. */
    static String reason(final Throwable error) {
        return (error.getMessage() == null ? error.getClass().getSimpleName() : error.getMessage())
                .lines()
                .findFirst()
                .orElse("");
    }
}

package io.tickmark.engines.chronicle;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import net.openhft.chronicle.queue.ChronicleQueue;

/** Opens queues. Loads the library, which reads its properties when it is loaded. */
final class Queues {
    /** A writer that died in the middle of a message blocks the next one for this long. */
    private static final long DEAD_WRITER_MS = 1000;

    /** A new queue needs some; more is taken step by step. */
    private static final long ROOM_BYTES = 4L << 20;

    static {
        System.setProperty("chronicle.analytics.disable", "true");
        System.setProperty("chronicle.announcer.disable", "true");
        // Room on the disk is managed by DiskRoom.
        System.setProperty("chronicle.disk.monitor.disable", "true");
    }

    private Queues() {}

    /**
     * Opens a queue, and creates it where it does not exist yet. Its clock does not advance, so
     * that it stays in one file and the position of a message is its ordinal.
     *
     * @throws UserError if its folder is not one of ours, or there is no room
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

    /** The library's message, on one line. */
    static String reason(final Throwable error) {
        return (error.getMessage() == null ? error.getClass().getSimpleName() : error.getMessage())
                .lines()
                .findFirst()
                .orElse("");
    }
}

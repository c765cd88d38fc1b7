package io.tickmark.engines.aeron.archive;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.store.StoreServer;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Cuts off what a crash left after the last whole frame of each recording: the archive itself takes
 * the beginning of a frame for a whole one where it does not cross a page.
 */
public final class TornTails {
    private TornTails() {}

    /**
     * Cuts off the tails of all recordings of an archive that does not run.
     *
     * @param archive its directory, which need not exist
     * @param crc whether its frames carry checksums
     * @return what was cut
     * @throws UserError if there are whole messages after what looks torn, which would be lost with
     *     it; the file is not changed; or if a file cannot be read or written
     */
    public static List<StoreServer.Cut> cut(final Path archive, final boolean crc) {
        try {
            return cutAll(archive, crc);
        } catch (final UncheckedIOException e) {
            throw UserError.environment(
                    "The files of %s cannot be read (%s); repair their disk, or start with an empty folder."
                            .formatted(archive, IoReason.of(e.getCause())),
                    e);
        }
    }

    private static List<StoreServer.Cut> cutAll(final Path archive, final boolean crc) {
        final List<StoreServer.Cut> cuts = new ArrayList<>();
        if (!Files.isDirectory(archive)) {
            return cuts; // before its first start
        }
        for (final ArchiveRecording recording : ArchiveRecording.all(archive, crc)) {
            final long position = recording.segments().lastKey();
            final SegmentFile segment = recording.open(position);
            SegmentFile.Frame frame = segment.advance();
            while (frame != SegmentFile.Frame.END && frame != SegmentFile.Frame.TORN) {
                frame = segment.advance();
            }
            if (frame == SegmentFile.Frame.TORN) {
                cuts.add(cut(recording.segments().get(position), segment));
            }
        }
        return cuts;
    }

    private static StoreServer.Cut cut(final Path file, final SegmentFile torn) {
        final OptionalInt whole = torn.wholeBehind();
        if (whole.isPresent()) {
            throw UserError.environment(
                    ("%s is damaged at byte %d: a whole message follows, at byte %d, and would be lost when its archive is "
                                    + "started; restore an undamaged copy, or start with an empty folder.")
                            .formatted(file, torn.offset(), whole.getAsInt()));
        }
        final long bytes = torn.bytesLeft();
        SegmentFile.cut(file, torn.offset(), bytes);
        return new StoreServer.Cut(file, torn.offset(), bytes);
    }
}

package io.tickmark.engines.aeron.archive;

import java.nio.file.Path;

/**
 * Cuts what a crash left behind the last whole frame of each recording: the archive itself takes
 * the beginning of a frame for a whole one where it does not cross a page.
 */
public final class TornTails {
    private TornTails() {}

    /**
     * Cuts the tails of all recordings of an archive that does not run.
     *
     * @param archive its directory, which need not exist
     * @param crc whether its frames carry checksums
     */
    public static void cut(final Path archive, final boolean crc) {
        for (final Recording recording : Recording.all(archive, crc)) {
            final long position = recording.segments().lastKey();
            final SegmentFile segment = recording.open(position);
            SegmentFile.Frame frame = segment.advance();
            while (frame != SegmentFile.Frame.END && frame != SegmentFile.Frame.TORN) {
                frame = segment.advance();
            }
            if (frame == SegmentFile.Frame.TORN) {
                SegmentFile.cut(
                        recording.segments().get(position), segment.offset(), segment.bytesLeft());
            }
        }
    }
}

package io.tickmark.engines.aeron.cluster;

import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.client.AeronCluster;
import io.tickmark.engines.aeron.archive.ArchiveRecording;
import io.tickmark.engines.aeron.archive.SegmentFile;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.DurableContractTest;
import io.tickmark.transport.store.DurableTransport;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.agrona.concurrent.UnsafeBuffer;

/** The store's contract on a cluster of one, whose only disk can be torn and corrupted. */
class ClusterContractTest extends DurableContractTest {
    static final String SMALL = "termBytes=1048576&segmentBytes=1048576&markFile=remove";

    @Override
    protected DurableTransport transport() {
        return new ClusterTransport();
    }

    @Override
    protected ChannelUri channel(final boolean receiverPaced) {
        return ChannelUri.parse(
                "cluster:?members=1&"
                        + SMALL
                        + "&livenessTimeout=20s&deletion="
                        + (receiverPaced ? "acknowledged" : "kept"));
    }

    @Override
    protected boolean deletesAcknowledged() {
        return false;
    }

    private static ArchiveRecording recording(final Path data) {
        return ArchiveRecording.of(
                        ClusterFiles.archive(ClusterFiles.member(data, 1)),
                        ConsensusModule.Configuration.LOG_STREAM_ID_DEFAULT,
                        true)
                .getLast();
    }

    private static Path file(final ArchiveRecording recording) {
        return recording.segments().lastEntry().getValue();
    }

    @Override
    protected void tearTail(final Path data, final Topic topic) throws IOException {
        final ArchiveRecording recording = recording(data);
        final SegmentFile segment = recording.open(recording.segments().lastKey());
        SegmentFile.Frame frame = segment.advance();
        while (frame != SegmentFile.Frame.END) {
            frame = segment.advance();
        }
        // A header as the archive writes it, and some of its message.
        final UnsafeBuffer torn = new UnsafeBuffer(new byte[40]);
        torn.putInt(0, 132, ByteOrder.LITTLE_ENDIAN);
        torn.putByte(5, (byte) 0xc0);
        torn.putShort(6, (short) 1, ByteOrder.LITTLE_ENDIAN);
        torn.putInt(12, 0x0909_0909, ByteOrder.LITTLE_ENDIAN);
        torn.putInt(
                16, ConsensusModule.Configuration.LOG_STREAM_ID_DEFAULT, ByteOrder.LITTLE_ENDIAN);
        torn.setMemory(32, 8, (byte) 7);
        try (RandomAccessFile file = new RandomAccessFile(file(recording).toFile(), "rw")) {
            file.seek(segment.offset());
            file.write(torn.byteArray());
        }
    }

    @Override
    protected void corrupt(final Path data, final Topic topic) throws IOException {
        final ArchiveRecording recording = recording(data);
        final SegmentFile segment = recording.open(recording.segments().lastKey());
        boolean isMessage = false;
        while (!isMessage) {
            isMessage =
                    segment.advance() == SegmentFile.Frame.DATA
                            && ClusterFrames.isMessage(
                                    segment.buffer(),
                                    segment.messageOffset(),
                                    segment.messageLength(),
                                    topic.id());
        }
        final int at =
                segment.offset()
                        + 32
                        + AeronCluster.SESSION_HEADER_LENGTH
                        + ClusterFrames.LENGTH
                        + 50;
        try (RandomAccessFile file = new RandomAccessFile(file(recording).toFile(), "rw")) {
            file.seek(at);
            final int before = file.read();
            file.seek(at);
            file.write(before ^ 1);
        }
    }
}

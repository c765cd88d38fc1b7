package io.tickmark.kernel.record;

import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Writes {@link RoleFiles#EACH_LATENCY}; one thread at a time. Makes no garbage, because it may
 * write many lines while the role measures.
 */
final class EachLatencyFile {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int LONGEST_LINE = 256;

    private final RoleFolder folder;
    private final RoleFolder.File file;
    private final int repeat;
    private final byte[] bytes = new byte[BUFFER_BYTES];
    private final UnsafeBuffer lines = new UnsafeBuffer(bytes);
    private int used;
    private long notWritten;

    EachLatencyFile(final RoleFolder folder, final int repeat) {
        this.folder = folder;
        this.file = folder.open(RoleFiles.EACH_LATENCY);
        this.repeat = repeat;
        if (file.isFresh()) {
            putText("repeat,step,kind,sentNs,receivedNs,latencyNs,source,sequence\n");
        }
    }

    void drain(final LatencyLog log) {
        final byte[] kind = log.kind().getBytes(StandardCharsets.US_ASCII);
        // a read stops at the end of the ring's memory, so it takes two to see all of it; no more,
        // because the hot side may be filling it as fast as it is emptied
        for (int half = 0; half < 2; half++) {
            log.drain((type, buffer, index, length) -> write(kind, type, buffer, index));
        }
    }

    private void write(
            final byte[] kind, final int messageType, final DirectBuffer buffer, final int index) {
        final int step = LatencyLog.stepOf(messageType);
        if (step == LatencyLog.NO_STEP) {
            return;
        }
        if (folder.hasFailed()) {
            notWritten++;
            return;
        }
        if (used > BUFFER_BYTES - LONGEST_LINE) {
            flush();
        }
        putNumber(repeat, ',');
        putNumber(step, ',');
        lines.putBytes(used, kind);
        used += kind.length;
        lines.putByte(used++, (byte) ',');
        putNumber(buffer.getLong(index + LatencyLog.SENT_OFFSET), ',');
        putNumber(buffer.getLong(index + LatencyLog.RECEIVED_OFFSET), ',');
        putNumber(buffer.getLong(index + LatencyLog.LATENCY_OFFSET), ',');
        putNumber(buffer.getInt(index + LatencyLog.SOURCE_OFFSET), ',');
        putNumber(Integer.toUnsignedLong(buffer.getInt(index + LatencyLog.SEQUENCE_OFFSET)), '\n');
    }

    private void putNumber(final long number, final char end) {
        used += lines.putLongAscii(used, number);
        lines.putByte(used++, (byte) end);
    }

    private void putText(final String text) {
        used += lines.putStringWithoutLengthAscii(used, text);
    }

    void flush() {
        file.write(bytes, 0, used);
        used = 0;
    }

    /** Latencies that came after the disk had failed. */
    long notWritten() {
        return notWritten;
    }

    void close() {
        flush();
        file.close();
    }
}

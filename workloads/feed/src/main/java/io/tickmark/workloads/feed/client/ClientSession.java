package io.tickmark.workloads.feed.client;

import io.tickmark.workloads.feed.session.BinaryFrame;
import java.nio.ByteOrder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.DirectBuffer;

/**
 * One client's view of its session: checks that no number is missing or comes twice, and knows what
 * to acknowledge. One thread; allocates for notes only.
 */
final class ClientSession {
    private static final int COUNT_AT = 4;
    private static final int FRAME_AT = 8;
    private static final int ORDINAL_AT = 24;
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
    private static final Pattern MEMBER = Pattern.compile("\"(\\w+)\":(?:\"([^\"]*)\"|(-?\\d+))");

    private final Tally tally;
    private long lastOrdinal;
    private long lastFrame;
    private long missing;
    private long duplicated;
    private long received;
    private long bytesSinceAck;
    private long ackedFrame;
    private String id = "";
    private boolean isOpen;
    private boolean isOver;
    private String endReason = "";
    private long sentByServer;

    ClientSession(final Tally tally) {
        this.tally = tally;
    }

    /** A binary frame. */
    void onFrame(final DirectBuffer buffer, final int offset, final int length, final long nowNs) {
        if (buffer.getByte(offset + 1) == BinaryFrame.NOTE) {
            final int bytes = buffer.getInt(offset + COUNT_AT, ORDER);
            onNote(buffer.getStringWithoutLengthUtf8(offset + BinaryFrame.HEAD, bytes));
            return;
        }
        final int stride = buffer.getShort(offset + 2, ORDER) & 0xffff;
        final int count = buffer.getInt(offset + COUNT_AT, ORDER);
        for (int i = 0; i < count; i++) {
            tally.message(buffer, offset + BinaryFrame.HEAD + i * stride, nowNs);
        }
        onMessages(
                buffer.getLong(offset + FRAME_AT, ORDER),
                buffer.getLong(offset + ORDINAL_AT, ORDER),
                count,
                length);
    }

    /** Messages of a frame were counted. */
    void onMessages(final long frame, final long ordinal, final int count, final int length) {
        if (ordinal > lastOrdinal + 1) {
            missing += ordinal - lastOrdinal - 1;
        } else if (ordinal <= lastOrdinal) {
            duplicated += Math.min(count, lastOrdinal - ordinal + 1);
        }
        received += count;
        lastOrdinal = Math.max(lastOrdinal, ordinal + count - 1);
        lastFrame = frame;
        bytesSinceAck += length;
        tally.frame(length);
    }

    /** A note of the server. */
    void onNote(final String json) {
        final Matcher member = MEMBER.matcher(json);
        String note = "";
        while (member.find()) {
            switch (member.group(1)) {
                case "note" -> note = member.group(2);
                case "session" -> id = member.group(2);
                case "epochNs" -> tally.epoch(Long.parseLong(member.group(3)));
                case "host" -> tally.serversHost(member.group(2));
                case "reason" -> endReason = member.group(2);
                case "sent" -> sentByServer = Long.parseLong(member.group(3));
                default -> {} // what this client does not look at
            }
        }
        isOpen |= note.equals("hello");
        isOver |= note.equals("end");
    }

    /** Whether so much came that it should be acknowledged now. */
    boolean isToAcknowledge(final ClientPlan plan) {
        return lastFrame - ackedFrame >= plan.framesPerAcknowledgement()
                || bytesSinceAck >= plan.bytesPerAcknowledgement();
    }

    boolean isAnythingNew() {
        return lastFrame != ackedFrame;
    }

    void acknowledged() {
        ackedFrame = lastFrame;
        bytesSinceAck = 0;
    }

    long lastFrame() {
        return lastFrame;
    }

    long lastOrdinal() {
        return lastOrdinal;
    }

    /** What the server calls it; empty before it is open. */
    String id() {
        return id;
    }

    boolean isOpen() {
        return isOpen;
    }

    boolean isOver() {
        return isOver;
    }

    /** The connection broke. */
    void broke(final String reason) {
        if (!isOver) {
            isOver = true;
            endReason = reason;
        }
    }

    String endReason() {
        return endReason;
    }

    /** Missing between messages, and at the end. */
    long lost() {
        return missing + Math.max(0, sentByServer - lastOrdinal);
    }

    long duplicated() {
        return duplicated;
    }

    long received() {
        return received;
    }
}

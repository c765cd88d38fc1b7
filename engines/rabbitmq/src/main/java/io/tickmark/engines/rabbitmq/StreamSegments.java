package io.tickmark.engines.rabbitmq;

import com.rabbitmq.stream.Codec;
import com.rabbitmq.stream.codec.QpidProtonCodec;
import io.tickmark.transport.broker.SegmentFiles;
import io.tickmark.transport.broker.StoredMessage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * The segments in which a server keeps a stream, read directly. A chunk is part of the stream once
 * the segment's index lists it, which a server does before it confirms: what comes after the last
 * one listed is cut off when the server opens the stream again. If the index lists none, the server
 * keeps what is there.
 *
 * <p>An index begins with "OSII" and its version; then come records of first offset, timestamp and
 * epoch of a chunk (int64), its place in the segment (uint32) and its type (int8). A segment begins
 * with "OSIL" and its version (int32); then come chunks, big-endian ({@code osiris_log.erl} of
 * RabbitMQ's Osiris): magic and version (0x50), type (int8, 0 for messages), entries (uint16),
 * records (uint32), timestamp, epoch and first offset (int64), CRC32 of the data (uint32), length
 * of the data and of the trailer (uint32), length of a filter (uint8) and 3 unused bytes; then
 * filter, data, trailer. The data are entries: a length (uint32, whose highest bit marks a batch in
 * a batch, which we do not send) and a message of AMQP 1.0.
 */
final class StreamSegments extends SegmentFiles {
    private static final int FILE_HEADER_BYTES = 8;
    private static final int CHUNK_HEADER_BYTES = 48;
    private static final byte MAGIC = 0x50;
    private static final int TYPE_AT = 1;
    private static final int ENTRIES_AT = 2;
    private static final int RECORDS_AT = 4;
    private static final int CRC_AT = 32;
    private static final int DATA_LENGTH_AT = 36;
    private static final int TRAILER_LENGTH_AT = 40;
    private static final int FILTER_LENGTH_AT = 44;
    private static final int INDEX_RECORD_BYTES = 29;
    private static final int CHUNK_PLACE_AT = 24;
    private static final String SEGMENT = ".segment";

    private final Path streams;
    private final String prefix;
    private final Codec codec = new QpidProtonCodec();

    /**
     * Of a stream of the virtual host "/". In names of folders the server writes an underscore for
     * whatever is not a letter, a digit, a hyphen or an underscore.
     *
     * @param member folder of the server
     */
    StreamSegments(final Path member, final String stream) {
        super(SEGMENT);
        streams = member.resolve("data").resolve(RabbitmqServer.NODE).resolve("stream");
        prefix = "__" + stream.replaceAll("[^\\w-]", "_") + "_";
    }

    /**
     * The newest of its name, which ends with when it was created; where there is none, the
     * beginning of its name says for which one was looked.
     */
    @Override
    protected Path folder() throws IOException {
        if (!Files.isDirectory(streams)) {
            return streams;
        }
        try (Stream<Path> all = Files.list(streams)) {
            return all.filter(each -> each.getFileName().toString().matches(prefix + "\\d+"))
                    .max(Comparator.naturalOrder())
                    .orElseGet(() -> streams.resolve(prefix));
        }
    }

    @Override
    protected long scan(final Path segment, final Found found) throws IOException {
        try (FileChannel file = FileChannel.open(segment, StandardOpenOption.READ)) {
            final ByteBuffer header = ByteBuffer.allocate(CHUNK_HEADER_BYTES);
            final long last = lastListed(segment);
            long at = FILE_HEADER_BYTES;
            while (at <= last && at + CHUNK_HEADER_BYTES <= file.size()) {
                fill(file, header, at);
                final long dataAt = at + CHUNK_HEADER_BYTES + (header.get(FILTER_LENGTH_AT) & 0xff);
                final int dataBytes = header.getInt(DATA_LENGTH_AT);
                final long end = dataAt + dataBytes + header.getInt(TRAILER_LENGTH_AT);
                if (header.get(0) != MAGIC || dataBytes < 0 || end < dataAt || end > file.size()) {
                    break;
                }
                if (header.get(TYPE_AT) == 0) {
                    final ByteBuffer data = ByteBuffer.allocate(dataBytes);
                    fill(file, data, dataAt);
                    final long records = header.getInt(RECORDS_AT) & 0xffff_ffffL;
                    if (crc(data) == header.getInt(CRC_AT)) {
                        messages(data, header.getShort(ENTRIES_AT) & 0xffff, records, found);
                    } else {
                        found.damaged(records);
                    }
                }
                at = end;
            }
            return Math.max(0, file.size() - at);
        }
    }

    /** Where the last chunk is that the index of a segment lists. */
    private static long lastListed(final Path segment) throws IOException {
        final String name = segment.toString();
        final Path index = Path.of(name.substring(0, name.length() - SEGMENT.length()) + ".index");
        if (!Files.exists(index)) {
            return Long.MAX_VALUE;
        }
        try (FileChannel file = FileChannel.open(index, StandardOpenOption.READ)) {
            final long records = (file.size() - FILE_HEADER_BYTES) / INDEX_RECORD_BYTES;
            if (records <= 0) {
                return Long.MAX_VALUE;
            }
            final ByteBuffer record = ByteBuffer.allocate(INDEX_RECORD_BYTES);
            fill(file, record, FILE_HEADER_BYTES + (records - 1) * INDEX_RECORD_BYTES);
            return record.getInt(CHUNK_PLACE_AT) & 0xffff_ffffL;
        }
    }

    private static void fill(final FileChannel file, final ByteBuffer buffer, final long at)
            throws IOException {
        buffer.clear();
        int read = 0;
        while (buffer.hasRemaining() && read >= 0) {
            read = file.read(buffer, at + buffer.position());
        }
        buffer.flip();
    }

    private static int crc(final ByteBuffer data) {
        final CRC32 crc = new CRC32();
        crc.update(data.duplicate());
        return (int) crc.getValue();
    }

    /** A message of another program need not be one of AMQP 1.0, and counts as damaged. */
    private byte[] body(final byte[] encoded) {
        try {
            return StreamClient.body(codec.decode(encoded));
        } catch (final RuntimeException _) { // whatever its decoder meets first
            return new byte[0];
        }
    }

    /** What follows a batch in a batch, which only another program sends, counts as damaged. */
    private void messages(
            final ByteBuffer data, final int entries, final long records, final Found found) {
        for (int entry = 0; entry < entries; entry++) {
            final int length = data.remaining() < Integer.BYTES ? -1 : data.getInt();
            if (length < 0 || length > data.remaining()) {
                found.damaged(records - entry);
                return;
            }
            final byte[] encoded = new byte[length];
            data.get(encoded);
            final StoredMessage<Long> message = StoredMessage.ofTrailer(body(encoded), 0L);
            if (message.isWhole()) {
                found.message(
                        message.ordinal(),
                        ByteBuffer.wrap(message.bytes(), 0, message.payloadBytes()));
            } else {
                found.damaged(1);
            }
        }
    }
}

package io.tickmark.engines.dds;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A DDS writer. The library serialises a sample before the call returns, so that messages in direct
 * memory are referenced in place; others are copied first.
 */
final class DdsPublication implements Publication {
    private final DdsChannel channel;
    private final Writer writer;
    private final BooleanSupplier canBeAnswered;
    private final Arena arena = Arena.ofShared();
    private final long sampleAddress;
    private final UnsafeBuffer sample;
    private final UnsafeBuffer copy;
    private final int maxPayloadBytes;
    private final boolean gathers;
    private KeptMessages kept = KeptMessages.NONE;
    private int readers;
    private long datagramsBefore = Datagrams.sentByHost();
    private long position;
    private int gathered;
    private boolean closed;

    DdsPublication(
            final DdsChannel channel, final Writer writer, final BooleanSupplier canBeAnswered) {
        this.channel = channel;
        this.writer = writer;
        this.canBeAnswered = canBeAnswered;
        maxPayloadBytes = channel.parameters().maxPayloadBytes();
        gathers = channel.parameters().batch();
        sampleAddress = TopicType.sample(arena).address();
        sample = new UnsafeBuffer(sampleAddress, TopicType.SAMPLE_BYTES);
        final MemorySegment room = arena.allocate(JAVA_BYTE, Math.min(maxPayloadBytes, 1 << 16));
        copy = new UnsafeBuffer(room.address(), (int) room.byteSize());
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length) {
        if (closed) {
            return CLOSED;
        }
        if (length > maxPayloadBytes) {
            return TOO_LONG;
        }
        final int matched = writer.matches().count();
        if (matched != readers) {
            readers = matched;
            // While sides discover each other, they send over the network.
            datagramsBefore = Datagrams.sentByHost();
        }
        if (matched == 0 || !canBeAnswered.getAsBoolean()) {
            return NOT_CONNECTED;
        }
        if (!kept.isEmpty()) {
            return kept.keep(buffer, offset, length) ? ++position : BACK_PRESSURED;
        }
        final long code = write(buffer, offset, length);
        return code == BACK_PRESSURED && kept.keep(buffer, offset, length) ? ++position : code;
    }

    private long write(final DirectBuffer buffer, final int offset, final int length) {
        if (buffer.byteArray() == null) {
            final long code = write(buffer.addressOffset() + offset, length);
            Reference.reachabilityFence(buffer);
            return code;
        }
        if (length > copy.capacity()) {
            grow();
        }
        copy.putBytes(0, buffer, offset, length);
        return write(copy.addressOffset(), length);
    }

    private void grow() {
        final MemorySegment room = arena.allocate(JAVA_BYTE, maxPayloadBytes);
        copy.wrap(room.address(), (int) room.byteSize());
    }

    private long write(final long address, final int length) {
        sample.putInt(TopicType.MAXIMUM_OFFSET, length);
        sample.putInt(TopicType.LENGTH_OFFSET, length);
        sample.putLong(TopicType.BUFFER_OFFSET, address);
        final int code = Cyclone.write(writer.entity(), sampleAddress);
        if (code == Cyclone.OK) {
            gathered++;
            return ++position;
        }
        if (code == Cyclone.RETCODE_TIMEOUT || code == Cyclone.RETCODE_OUT_OF_RESOURCES) {
            if (gathers) {
                Cyclone.writeFlush(writer.entity()); // it is full because of gathered messages
            }
            return BACK_PRESSURED;
        }
        return CLOSED;
    }

    @Override
    public int flush() {
        if (!gathers || closed) {
            return 0;
        }
        final int messages = gathered;
        gathered = 0;
        if (messages > 0) {
            Cyclone.writeFlush(writer.entity());
        }
        return messages;
    }

    @Override
    public int subscriberCount() {
        return closed ? 0 : writer.matches().count();
    }

    @Override
    public ChannelUri channel() {
        return channel.uri();
    }

    /** Keeps what is refused on the library's thread. */
    KeptMessages keepsFor(final BooleanSupplier isOnLibrarysThread) {
        kept =
                new KeptMessages(
                        isOnLibrarysThread,
                        (buffer, length) -> {
                            final long code = closed ? CLOSED : write(buffer, 0, length);
                            position -=
                                    code >= 0 ? 1 : 0; // it was already counted when it was kept
                            return code != BACK_PRESSURED;
                        });
        return kept;
    }

    String incompatible() {
        return closed ? "" : writer.incompatible();
    }

    String otherTypes() {
        return closed ? "" : writer.readers().otherTypes();
    }

    /**
     * Of DDS alone: where its shared memory has no daemon, {@link DdsTransport} opens ends of
     * {@code shm} in place of this one, which report their own.
     */
    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = new TreeMap<>(ChannelFacts.of(channel));
        if (!closed) {
            facts.put("matchedReaders", writer.matches().count());
            facts.put("samplesWritten", position);
            facts.put("datagramsSentByHost", Datagrams.sentByHost() - datagramsBefore);
            writer.addFacts(facts);
        }
        return facts;
    }

    @Override
    public boolean isCount(final String fact) {
        return fact.equals("samplesWritten");
    }

    @Override
    public void close() {
        if (!closed) {
            flush();
            closed = true;
            writer.close();
            arena.close();
        }
    }

    /**
     * UDP datagrams that this host (its network namespace) has sent, as the kernel counts them:
     * together with the number of samples they prove which path those took.
     */
    private static final class Datagrams {
        private Datagrams() {}

        /** Sent so far by all processes, IPv4 and IPv6; -1 where it cannot be read. */
        static long sentByHost() {
            try {
                return ofIp4() + ofIp6();
            } catch (final IOException | NumberFormatException e) {
                return -1;
            }
        }

        private static long ofIp4() throws IOException {
            final List<String> lines =
                    Files.readAllLines(Path.of("/proc/net/snmp")).stream()
                            .filter(line -> line.startsWith("Udp:"))
                            .toList();
            if (lines.size() < 2) {
                return 0;
            }
            final List<String> names = List.of(lines.get(0).split("\\s+"));
            return Long.parseLong(lines.get(1).split("\\s+")[names.indexOf("OutDatagrams")]);
        }

        private static long ofIp6() throws IOException {
            final Path file = Path.of("/proc/net/snmp6");
            if (!Files.exists(file)) {
                return 0;
            }
            return Files.readAllLines(file).stream()
                    .filter(line -> line.startsWith("Udp6OutDatagrams"))
                    .mapToLong(line -> Long.parseLong(line.split("\\s+")[1]))
                    .sum();
        }
    }
}

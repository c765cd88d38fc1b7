package io.tickmark.lab.tail;

import io.tickmark.kernel.record.RoleFiles;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.stall.MessageLog;
import io.tickmark.kernel.stall.StallRecording;
import io.tickmark.lab.tail.Attribution.AtEcho;
import io.tickmark.lab.tail.Attribution.Departure;
import io.tickmark.lab.tail.Attribution.Message;
import io.tickmark.lab.tail.Attribution.OnWire;
import io.tickmark.lab.tail.TailReader.RoleFolder;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;

/** When the messages of a step passed its roles, as these kept it. */
final class StepMessages {
    private static final MessageLog.Kind[] KINDS = MessageLog.Kind.values();

    /** RFC 1952: magic, method deflate, no flags, no time; as roles write each member. */
    private static final ValueLayout.OfLong GZIP_HEAD =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final long GZIP_HEAD_BITS = 0x0008_8b1fL;
    private static final int GZIP_HEAD_BYTES = Long.BYTES;
    private static final int SCANNED_BYTES = 1 << 16;

    /** No part of a member was read. */
    private static final int NO_REPEAT = -1;

    /**
     * A step of the file of a role that received the messages.
     *
     * @param windows their first messages, where some between them are missing
     * @param slowest of the others, in the order received
     */
    record Kept(
            RoleFolder role,
            long seen,
            int[] windows,
            List<Message> messages,
            List<Message> slowest) {
        /** Single messages, evenly spread: every second, the first among them, or fewer. */
        boolean isSample() {
            return windows.length == 0 && seen + 1 >= 2L * messages.size() && messages.size() > 1;
        }

        Kept with(final UnaryOperator<Message> known) {
            return new Kept(role, seen, windows, messages.stream().map(known).toList(), slowest);
        }
    }

    private final List<Kept> kept = new ArrayList<>();

    /** Of one-way messages, as their sender knows them, by the time of the send. */
    private final Map<Long, Departure> departures = new HashMap<>();

    /** Of pings, as their echo knows them, by the time of the send. */
    private final Map<Long, AtEcho> echoed = new HashMap<>();

    /** Of pings, as a capture saw them, by the time of the send. */
    private final Map<Long, OnWire> captured = new HashMap<>();

    private final List<String> torn = new ArrayList<>();
    private final MappedFiles files;
    private final int repeat;
    private final int step;

    /**
     * Reads them.
     *
     * @param clocks of the roles by which the kernel stamped messages
     * @param from where in a file the repeat of the row may begin
     * @param row of the step
     * @param files of all roles
     * @throws IOException if a file cannot be read
     * @throws IllegalArgumentException if a file is of another format
     */
    StepMessages(
            final Map<RoleFolder, ClockLine> clocks,
            final ToLongFunction<Path> from,
            final TrialResult row,
            final MappedFiles files)
            throws IOException {
        this(row, files);
        for (final Map.Entry<RoleFolder, ClockLine> each : clocks.entrySet()) {
            final RoleFolder role = each.getKey();
            final Path file = role.folder().orElseThrow().resolve(RoleFiles.MESSAGES);
            if (Files.exists(file)) {
                messages(role, file, from.applyAsLong(file), each.getValue()).ifPresent(kept::add);
            }
        }
        if (!departures.isEmpty()) {
            kept.replaceAll(each ->
                    each.with(message ->
                            message.departed(
                                    departures.getOrDefault(message.sentNs(), Departure.UNKNOWN))));
        }
        if (!echoed.isEmpty()) {
            kept.replaceAll(each ->
                    each.with(message ->
                            message.echoed(echoed.getOrDefault(message.sentNs(), AtEcho.UNKNOWN))));
        }
        if (!captured.isEmpty()) {
            kept.replaceAll(each ->
                    each.with(message ->
                            message.captured(
                                    captured.getOrDefault(message.sentNs(), OnWire.UNKNOWN))));
        }
    }

    private StepMessages(final TrialResult row, final MappedFiles files) {
        this.files = files;
        repeat = row.repeat();
        step = row.step();
    }

    /** None, for who does not look at them. */
    static StepMessages notRead(final TrialResult row) {
        return new StepMessages(row, new MappedFiles());
    }

    /** By the roles that received them. */
    List<Kept> kept() {
        return kept;
    }

    /** Whether a capture saw some of them. */
    boolean areCaptured() {
        return !captured.isEmpty();
    }

    /** Files that end within a message, sentences. */
    List<String> torn() {
        return torn;
    }

    /**
     * What a role kept of the messages of this step, in as many members of the file as it wrote; of
     * one that it was killed in, what is whole. {@code line} of the clock by which the kernel
     * stamped them.
     */
    private Optional<Kept> messages(
            final RoleFolder role, final Path file, final long beginning, final ClockLine line)
            throws IOException {
        final Pieces parts = new Pieces();
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment all = files.map(file, arena);
            // a process that was given up may have gone on writing a member there
            final long first = beginning == 0 ? 0 : nextMember(all, beginning);
            for (long from = first; from < all.byteSize(); ) {
                final long to = nextMember(all, from + 1);
                final byte[] member = all.asSlice(from, to - from).toArray(ValueLayout.JAVA_BYTE);
                if (!isReadWhole(member, parts, line)) {
                    parts.isTorn |=
                            parts.repeat == repeat
                                    || parts.repeat == NO_REPEAT && to == all.byteSize();
                }
                from = to;
            }
        }
        if (parts.isTorn) {
            torn.add(
                    role.name()
                            + " "
                            + role.index()
                            + " was ended while it wrote: the last of its messages are missing.");
        }
        parts.slowest.sort(Comparator.comparingLong(Message::receivedNs));
        return parts.isAny
                ? Optional.of(
                        new Kept(
                                role,
                                parts.seen,
                                parts.hasWindows
                                        ? parts.windows.stream()
                                                .mapToInt(Integer::intValue)
                                                .toArray()
                                        : everyWindow(parts.messages.size()),
                                parts.messages,
                                parts.slowest))
                : Optional.empty();
    }

    /**
     * Where the next member begins, by the head that roles write; the end where there is none. A
     * process that goes on after one that was killed has written behind a torn member.
     */
    private static long nextMember(final MemorySegment all, final long from) {
        // single bytes of a segment are slow to read where the code is not compiled to the end
        final byte[] part = new byte[SCANNED_BYTES];
        for (long at = from; at <= all.byteSize() - GZIP_HEAD_BYTES; ) {
            final int length = (int) Math.min(part.length, all.byteSize() - at);
            MemorySegment.copy(all, ValueLayout.JAVA_BYTE, at, part, 0, length);
            final int heads = length - GZIP_HEAD_BYTES + 1;
            for (int i = 0; i < heads; i++) {
                if (part[i] == (byte) GZIPInputStream.GZIP_MAGIC
                        && all.get(GZIP_HEAD, at + i) == GZIP_HEAD_BITS) {
                    return at + i;
                }
            }
            at += heads;
        }
        return all.byteSize();
    }

    /**
     * Reads the parts of a member, all of which are of one repeat; of another one only as much as
     * says so: the file has those of all. False where it is torn.
     */
    private boolean isReadWhole(final byte[] member, final Pieces parts, final ClockLine line)
            throws IOException {
        parts.repeat = NO_REPEAT;
        try (DataInputStream in =
                new DataInputStream(
                        new BufferedInputStream(
                                new GZIPInputStream(new ByteArrayInputStream(member))))) {
            for (int format = firstNumber(in); format != 0; format = firstNumber(in)) {
                parts.repeat = in.readInt();
                if (parts.repeat != repeat) {
                    break;
                }
                readPart(in, format, parts, line);
            }
            return true;
        } catch (final EOFException e) {
            return false; // said to the user as messages that are missing
        }
    }

    /** The format of a part; 0 at the end of a member. */
    private static int firstNumber(final DataInputStream in) throws IOException {
        in.mark(1);
        if (in.read() < 0) {
            return 0;
        }
        in.reset();
        final int format = in.readInt();
        if (format < StallRecording.MESSAGES_FORMAT_1 || format > StallRecording.MESSAGES_FORMAT) {
            throw new IllegalArgumentException("another format");
        }
        return format;
    }

    /** Of the messages of this step, what has been read so far. */
    private static final class Pieces {
        private final List<Message> messages = new ArrayList<>();
        private final List<Message> slowest = new ArrayList<>();
        private final List<Integer> windows = new ArrayList<>();
        private boolean hasWindows = true;
        private boolean isAny;
        private boolean isTorn;
        private int repeat;
        private long seen;
    }

    private void readPart(
            final DataInputStream in, final int format, final Pieces parts, final ClockLine line)
            throws IOException {
        final int blockStep = in.readInt();
        final long seen = in.readLong();
        final int[] windows =
                format > StallRecording.MESSAGES_FORMAT_WITHOUT_WINDOWS
                        ? windows(in)
                        : in.readBoolean() ? null : new int[0];
        final MessageLog.Kind kind =
                format == StallRecording.MESSAGES_FORMAT_1
                        ? MessageLog.Kind.RECEIVED
                        : KINDS[in.readUnsignedByte()];
        final int count = in.readInt();
        final boolean isWanted = blockStep == step;
        final boolean hasQueues = format > StallRecording.MESSAGES_FORMAT_WITHOUT_QUEUES;
        switch (kind) {
            case SENT -> departures(in, count, isWanted, hasQueues, line);
            case CAPTURED -> captured(in, count, isWanted, line);
            case ECHOED -> echoes(in, count, line);
            case SLOWEST ->
                    received(in, count, false, false, line, isWanted ? parts.slowest : null);
            case RECEIVED, STAMPED -> {
                if (isWanted) {
                    parts.isAny = true;
                    parts.seen = seen;
                    parts.hasWindows &= windows != null;
                    Arrays.stream(windows == null ? new int[0] : windows)
                            .forEach(parts.windows::add);
                }
                received(
                        in,
                        count,
                        kind == MessageLog.Kind.STAMPED,
                        hasQueues,
                        line,
                        isWanted ? parts.messages : null);
            }
            default -> throw new IllegalArgumentException("another kind");
        }
    }

    /** Adds to {@code to}, where they are wanted. */
    private static void received(
            final DataInputStream in,
            final int count,
            final boolean hasKernelTimes,
            final boolean hasQueues,
            final ClockLine line,
            final List<Message> to)
            throws IOException {
        long intended = 0;
        for (int i = 0; i < count; i++) {
            intended += number(in);
            final long sent = intended + number(in);
            final long received = sent + number(in);
            final long queued = hasKernelTimes && hasQueues ? number(in) : 0;
            final long departed = hasKernelTimes ? number(in) : 0;
            final long arrived = hasKernelTimes ? number(in) : 0;
            final long onCard = hasKernelTimes && hasQueues ? number(in) : 0;
            if (to != null) {
                to.add(
                        new Message(
                                intended,
                                sent,
                                received,
                                stamped(sent, queued, line),
                                stamped(sent, departed, line),
                                stamped(sent, arrived, line),
                                onCard,
                                AtEcho.UNKNOWN));
            }
        }
    }

    private static int[] windows(final DataInputStream in) throws IOException {
        final int count = in.readInt();
        if (count < 0 || count > MessageLog.MOST) {
            throw new IllegalArgumentException("%d windows of messages".formatted(count));
        }
        final int[] windows = new int[count];
        for (int i = 0; i < count; i++) {
            windows[i] = in.readInt();
        }
        return windows;
    }

    /** Of earlier files, as if no message had been lost. */
    private static int[] everyWindow(final int messages) {
        return IntStream.iterate(0, from -> from < messages, from -> from + MessageLog.WINDOW)
                .toArray();
    }

    private void departures(
            final DataInputStream in,
            final int count,
            final boolean isWanted,
            final boolean hasQueues,
            final ClockLine line)
            throws IOException {
        long sent = 0;
        for (int i = 0; i < count; i++) {
            sent += number(in);
            final long queued = hasQueues ? number(in) : 0;
            final long departed = number(in);
            if (isWanted && departed != 0) {
                departures.put(
                        sent,
                        new Departure(stamped(sent, queued, line), stamped(sent, departed, line)));
            }
        }
    }

    private void captured(
            final DataInputStream in, final int count, final boolean isWanted, final ClockLine line)
            throws IOException {
        long sent = 0;
        for (int i = 0; i < count; i++) {
            sent += number(in);
            final long out = number(in);
            final long back = number(in);
            if (isWanted) {
                captured.put(sent, new OnWire(stamped(sent, out, line), stamped(sent, back, line)));
            }
        }
    }

    /** Of any step: the time of the send tells pings apart. */
    private void echoes(final DataInputStream in, final int count, final ClockLine line)
            throws IOException {
        long sent = 0;
        for (int i = 0; i < count; i++) {
            sent += number(in);
            final long arrived = number(in);
            final long taken = number(in);
            final long departed = number(in);
            echoed.put(
                    sent,
                    new AtEcho(
                            stamped(sent, arrived, line),
                            sent + taken,
                            stamped(sent, departed, line)));
        }
    }

    /** A time of the kernel as it is written, from the send on; 0 where it is unknown. */
    private static long stamped(final long sentNs, final long ns, final ClockLine line) {
        return ns == 0 ? 0 : line.at(sentNs + ns);
    }

    private static long number(final DataInputStream in) throws IOException {
        long bits = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            final int next = in.readUnsignedByte();
            bits |= (long) (next & 0x7F) << shift;
            if ((next & 0x80) == 0) {
                return bits >>> 1 ^ -(bits & 1);
            }
        }
        throw new IllegalArgumentException("a number without an end");
    }
}

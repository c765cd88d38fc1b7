package io.tickmark.engines.aeron.archive;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.ReservedValueSupplier;
import io.aeron.archive.status.RecordingPos;
import io.aeron.protocol.DataHeaderFlyweight;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.DurablePublication;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;

/**
 * One publication that every member of a store records. Each message carries its ordinal in the
 * frame's reserved value; how far it is stable is read from the members' counters. Allocates
 * nothing in {@code offer}.
 */
final class ArchivePublication implements DurablePublication {
    private static final String CHANNEL = "aeron:ipc?alias=tickmark-stored";
    private static final long RECORDED_NS = TimeUnit.SECONDS.toNanos(5);

    /**
     * If enough members are alive, the required number may take this long, because they need a core
     * for it.
     */
    private static final long NEEDED_NS = TimeUnit.SECONDS.toNanos(20);

    private static final long LOOK_NS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final int SMALLEST_FRAME = 64;

    /** Members are looked up once in this many turns. */
    private static final int FIND_MASK = 0x3ff;

    private final ChannelUri channel;
    private final StoreFiles files;
    private final Aeron aeron;
    private final ExclusivePublication publication;
    private final StableTracker tracker;
    private final FrameBlock block;
    private final long[] positions;
    private final int mask;
    private final ReservedValueSupplier ordinalOfNext = (buffer, offset, length) -> nextOrdinal();
    private long next;
    private long stable;
    private int turns;
    private boolean isClosed;

    private ArchivePublication(
            final ChannelUri channel,
            final StoreFiles files,
            final Aeron aeron,
            final ExclusivePublication publication) {
        this.channel = channel;
        this.files = files;
        this.aeron = aeron;
        this.publication = publication;
        tracker =
                new StableTracker(
                        aeron.countersReader(),
                        publication,
                        files.parameters().members(),
                        files.parameters().needed());
        block = new FrameBlock(publication);
        positions =
                new long
                        [BitUtil.findNextPositivePowerOfTwo(
                                publication.termBufferLength() / SMALLEST_FRAME)];
        mask = positions.length - 1;
    }

    static ArchivePublication open(
            final ChannelUri channel, final StoreFiles files, final Topic topic) {
        final Aeron aeron = ArchiveClients.lease(files.aeronDir());
        final ArchivePublication opened;
        try {
            opened =
                    new ArchivePublication(
                            channel,
                            files,
                            aeron,
                            aeron.addExclusivePublication(CHANNEL, StoreFiles.streamId(topic)));
        } catch (final RuntimeException e) {
            ArchiveClients.release(files.aeronDir(), aeron);
            throw UserError.environment(
                    "--channel "
                            + channel
                            + ": the store's driver accepts no publication; restart the store.",
                    e);
        }
        try {
            opened.awaitRecording();
            opened.continueAfter(lastOrdinal(files, StoreFiles.streamId(topic)));
            return opened;
        } catch (final RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    /**
     * Waits for all live members: one that begins to record later does not help if another dies
     * meanwhile. At least for the required number. Waits without spinning, because the members need
     * the cores; mappings of a closed client are gone.
     */
    private void awaitRecording() {
        final NanoClock clock = SystemNanoClock.INSTANCE;
        final long beganNs = clock.nanoTime();
        int recording = tracker.find();
        while (!aeron.isClosed()
                && recording < Math.max(files.parameters().needed(), tracker.living())
                && clock.nanoTime() - beganNs <= patienceNs(recording)) {
            LockSupport.parkNanos(LOOK_NS);
            recording = aeron.isClosed() ? 0 : tracker.find();
        }
        if (recording < files.parameters().needed()) {
            throw UserError.environment(
                    "--channel %s: %d of %d archives record, and %d must; restart the others."
                            .formatted(
                                    channel,
                                    recording,
                                    files.parameters().members(),
                                    files.parameters().needed()));
        }
    }

    private long patienceNs(final int recording) {
        final int needed = files.parameters().needed();
        return recording < needed && tracker.living() >= needed ? NEEDED_NS : RECORDED_NS;
    }

    /**
     * The last ordinal that the required number of members have on disk, or that was acknowledged.
     */
    private static long lastOrdinal(final StoreFiles files, final int streamId) {
        final int members = files.parameters().members();
        final long[] last = new long[members];
        for (int member = 1; member <= members; member++) {
            last[member - 1] =
                    RecordedStream.lastOrdinal(
                            files.member(member), streamId, files.parameters().member().crc());
        }
        java.util.Arrays.sort(last);
        return Math.max(
                last[members - files.parameters().needed()],
                AcknowledgedOrdinal.read(files.acknowledged(streamId)));
    }

    private void continueAfter(final long ordinal) {
        stable = ordinal;
        next = ordinal + 1;
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length) {
        if (isClosed) {
            return CLOSED;
        }
        if (length > ArchiveTransport.MAX_MESSAGE_BYTES) {
            return TOO_LONG;
        }
        if (isLost()) {
            return NOT_CONNECTED;
        }
        if (next - stable > mask) {
            stablePosition();
            return BACK_PRESSURED;
        }
        final long position = publication.offer(buffer, offset, length, ordinalOfNext);
        if (position < 0) {
            return refused(position);
        }
        positions[(int) next & mask] = position;
        return next++;
    }

    @Override
    public int offerAll(
            final DirectBuffer buffer, final int offset, final int length, final int count) {
        final int room = (int) Math.min(count, mask + 1L - (next - stable));
        final int most = isClosed || isLost() ? 0 : block.most(length, room);
        if (most < 2) {
            return DurablePublication.super.offerAll(buffer, offset, length, count);
        }
        final long position = block.offer(buffer, offset, length, most, next);
        if (position < 0) {
            return (int) refused(position);
        }
        for (int i = 1; i <= most; i++) {
            positions[(int) next++ & mask] = position - (most - i) * FrameBlock.framed(length);
        }
        return most;
    }

    private long refused(final long code) {
        stablePosition(); // a lost store is detected here
        if (tracker.isLost()
                || code == ExclusivePublication.CLOSED
                || code == ExclusivePublication.MAX_POSITION_EXCEEDED) {
            return NOT_CONNECTED;
        }
        return code;
    }

    @Override
    public long nextOrdinal() {
        return next;
    }

    @Override
    public long stablePosition() {
        if (!isClosed && !aeron.isClosed()) {
            final long recorded = tracker.position();
            while (stable + 1 < next && positions[(int) (stable + 1) & mask] <= recorded) {
                stable++;
            }
        }
        return stable;
    }

    @Override
    public boolean isLost() {
        return isClosed || aeron.isClosed() || tracker.isLost();
    }

    @Override
    public int doWork() {
        if (isClosed || aeron.isClosed()) {
            return 0;
        }
        if ((++turns & FIND_MASK) == 0) {
            tracker.find();
        }
        final long before = stable;
        return (int) (stablePosition() - before);
    }

    @Override
    public int subscriberCount() {
        return UNKNOWN_COUNT;
    }

    @Override
    public ChannelUri channel() {
        return channel;
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = new TreeMap<>(files.parameters().member().facts());
        facts.put("membersRecording", tracker.recording());
        return facts;
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            publication.close();
            ArchiveClients.release(files.aeronDir(), aeron);
        }
    }

    /**
     * Messages of one length as consecutive frames, which a publication accepts in one piece: its
     * limit is checked once, and readers see them together. Each carries its ordinal.
     * Single-threaded; allocates nothing after construction.
     */
    private static final class FrameBlock {
        private static final int HEADER = DataHeaderFlyweight.HEADER_LENGTH;
        private static final int BYTES = 1 << 17;
        private static final byte WHOLE = (byte) DataHeaderFlyweight.BEGIN_AND_END_FLAGS;

        private final ExclusivePublication publication;
        private final UnsafeBuffer frames = new UnsafeBuffer(new byte[BYTES]);

        FrameBlock(final ExclusivePublication publication) {
            this.publication = publication;
        }

        /** Bytes of a message with its header. */
        static long framed(final int length) {
            return BitUtil.align((long) length + HEADER, HEADER);
        }

        /** How many messages fit into it and into the term; 0 for messages that are too long. */
        int most(final int length, final int wanted) {
            final int room = publication.termBufferLength() - publication.termOffset();
            return length > ArchiveTransport.MAX_MESSAGE_BYTES
                    ? 0
                    : (int) Math.min(wanted, Math.min(room, BYTES) / framed(length));
        }

        /** Offers them; returns the position after the last, or one of Aeron's codes. */
        long offer(
                final DirectBuffer messages,
                final int offset,
                final int length,
                final int count,
                final long firstOrdinal) {
            final int framed = (int) framed(length);
            final int termOffset = publication.termOffset();
            for (int i = 0; i < count; i++) {
                final int at = i * framed;
                header(at, length + HEADER, termOffset + at, firstOrdinal + i);
                frames.putBytes(at + HEADER, messages, offset + i * length, length);
            }
            return publication.offerBlock(frames, 0, count * framed);
        }

        private void header(
                final int at, final int frameLength, final int termOffset, final long ordinal) {
            frames.putInt(at, frameLength, ByteOrder.LITTLE_ENDIAN);
            frames.putByte(
                    at + DataHeaderFlyweight.VERSION_FIELD_OFFSET,
                    DataHeaderFlyweight.CURRENT_VERSION);
            frames.putByte(at + DataHeaderFlyweight.FLAGS_FIELD_OFFSET, WHOLE);
            frames.putShort(
                    at + DataHeaderFlyweight.TYPE_FIELD_OFFSET,
                    (short) DataHeaderFlyweight.HDR_TYPE_DATA,
                    ByteOrder.LITTLE_ENDIAN);
            frames.putInt(
                    at + DataHeaderFlyweight.TERM_OFFSET_FIELD_OFFSET,
                    termOffset,
                    ByteOrder.LITTLE_ENDIAN);
            frames.putInt(
                    at + DataHeaderFlyweight.SESSION_ID_FIELD_OFFSET,
                    publication.sessionId(),
                    ByteOrder.LITTLE_ENDIAN);
            frames.putInt(
                    at + DataHeaderFlyweight.STREAM_ID_FIELD_OFFSET,
                    publication.streamId(),
                    ByteOrder.LITTLE_ENDIAN);
            frames.putInt(
                    at + DataHeaderFlyweight.TERM_ID_FIELD_OFFSET,
                    publication.termId(),
                    ByteOrder.LITTLE_ENDIAN);
            frames.putLong(
                    at + DataHeaderFlyweight.RESERVED_VALUE_OFFSET,
                    ordinal,
                    ByteOrder.LITTLE_ENDIAN);
        }
    }

    /**
     * How far a publication is recorded by the required number of members. A member that joined
     * late, or was restarted, has only what it recorded from then on: it counts once the others
     * have advanced the stable position to where it began. Single-threaded, allocates nothing while
     * the members do not change.
     */
    private static final class StableTracker {
        private final CountersReader counters;
        private final ExclusivePublication publication;
        private final int quorum;
        private final Member[] members;
        private final long[] sorted;
        private long stable;
        private boolean isLost;

        private static final class Member {
            private final int number;
            private int counterId = CountersReader.NULL_COUNTER_ID;
            private long recordingId;
            private int lifeId;
            private long life;
            private long position;
            private long joinPosition;
            private boolean isRecording;
            private boolean counts;

            private Member(final int number) {
                this.number = number;
            }
        }

        StableTracker(
                final CountersReader counters,
                final ExclusivePublication publication,
                final int memberCount,
                final int quorum) {
            this.counters = counters;
            this.publication = publication;
            this.quorum = quorum;
            stable = publication.position();
            members = new Member[memberCount];
            sorted = new long[memberCount];
            for (int i = 0; i < memberCount; i++) {
                members[i] = new Member(i + 1);
                members[i].position = stable;
            }
        }

        /** Looks up recording members; returns how many there are. */
        int find() {
            int recording = 0;
            for (final Member member : members) {
                if (!member.isRecording) {
                    find(member);
                }
                recording += member.isRecording ? 1 : 0;
            }
            return recording;
        }

        /** Members whose processes are alive, whether they record or not. */
        int living() {
            int living = 0;
            for (final Member member : members) {
                final int id = MemberLife.find(counters, member.number);
                living += id >= 0 && counters.getCounterValue(id) > 0 ? 1 : 0;
            }
            return living;
        }

        private void find(final Member member) {
            final int lifeId = MemberLife.find(counters, member.number);
            final long life = lifeId < 0 ? 0 : counters.getCounterValue(lifeId);
            final int id =
                    life <= 0
                            ? CountersReader.NULL_COUNTER_ID
                            : RecordingPos.findCounterIdBySession(
                                    counters,
                                    publication.sessionId(),
                                    MemberLife.archiveId(member.number, life));
            if (id == CountersReader.NULL_COUNTER_ID) {
                return;
            }
            final long recordingId = RecordingPos.getRecordingId(counters, id);
            member.counterId = id;
            member.recordingId = recordingId;
            member.lifeId = lifeId;
            member.life = life;
            member.isRecording = true;
            // It joined earlier than this, whatever its counter says while it is being created.
            member.joinPosition = publication.position();
            member.counts = member.joinPosition <= stable;
        }

        /** The position up to which everything is stable. */
        long position() {
            int able = 0;
            for (int i = 0; i < members.length; i++) {
                update(members[i]);
                able += members[i].isRecording && members[i].counts ? 1 : 0;
                sorted[i] = members[i].position;
            }
            if (members.length == 1) {
                stable = Math.max(stable, sorted[0]);
            } else {
                Arrays.sort(sorted);
                stable = Math.max(stable, sorted[members.length - quorum]);
            }
            isLost |= able < quorum;
            return stable;
        }

        private void update(final Member member) {
            if (!member.isRecording) {
                return;
            }
            final long position = counters.getCounterValue(member.counterId);
            if (counters.getCounterValue(member.lifeId) != member.life
                    || !RecordingPos.isActive(counters, member.counterId, member.recordingId)) {
                member.isRecording = false;
                member.counts = false;
                return;
            }
            member.counts |= member.joinPosition <= stable;
            if (member.counts) {
                member.position = Math.max(member.position, position);
            }
        }

        /** Whether so many members are gone that nothing more becomes stable. */
        boolean isLost() {
            return isLost;
        }

        /** Currently recording members. */
        int recording() {
            int recording = 0;
            for (final Member member : members) {
                recording += member.isRecording ? 1 : 0;
            }
            return recording;
        }
    }
}

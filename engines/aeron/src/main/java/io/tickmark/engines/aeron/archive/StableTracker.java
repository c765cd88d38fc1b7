package io.tickmark.engines.aeron.archive;

import io.aeron.ExclusivePublication;
import io.aeron.archive.status.RecordingPos;
import java.util.Arrays;
import org.agrona.concurrent.status.CountersReader;

/**
 * How far a publication is recorded by as many members as must have it. A member that came late, or
 * back, has what it recorded from then on: it counts once the others have brought the stable
 * position to where it began. One thread, allocates nothing while members come and stay.
 */
final class StableTracker {
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

    /** Looks for members that record; how many do. */
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

    /** Members whose processes live, whether they record or not. */
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
        // It joined earlier than this, whatever its counter says while it is being made.
        member.joinPosition = publication.position();
        member.counts = member.joinPosition <= stable;
    }

    /** The position up to which all is stable. */
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

    /** Members that record now. */
    int recording() {
        int recording = 0;
        for (final Member member : members) {
            recording += member.isRecording ? 1 : 0;
        }
        return recording;
    }
}

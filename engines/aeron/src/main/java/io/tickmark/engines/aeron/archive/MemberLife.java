package io.tickmark.engines.aeron.archive;

import io.aeron.Aeron;
import io.aeron.Counter;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;

/**
 * A counter of the store's driver for each member, which changes whenever the member dies or
 * restarts: a publication sees at once what the driver detects only after its time-out.
 */
public final class MemberLife {
    private static final int TYPE_ID = 1701;
    private static final long IDS_PER_LIFE = 1000;
    private static final String LABEL = "tickmark store member ";

    private MemberLife() {}

    /**
     * Creates the counter of a member, for its store: above 0 while the member is alive, below 0
     * while it is not, another number after each start.
     *
     * @param aeron client of the store's driver
     * @param member from 1
     * @return the counter
     */
    public static Counter allocate(final Aeron aeron, final int member) {
        final UnsafeBuffer key = new UnsafeBuffer(new byte[BitUtil.SIZE_OF_INT]);
        key.putInt(0, member);
        final UnsafeBuffer label = new UnsafeBuffer(new byte[64]);
        final int length = label.putStringWithoutLengthAscii(0, LABEL + member);
        return aeron.addCounter(TYPE_ID, key, 0, BitUtil.SIZE_OF_INT, label, 0, length);
    }

    /** Each start has its own id: the driver takes a while to forget the one before. */
    static long archiveId(final int member, final long life) {
        return life * IDS_PER_LIFE + member;
    }

    /**
     * Looks up the counter of a member.
     *
     * @param counters of the store's driver
     * @param member from 1
     * @return the counter's id, {@link CountersReader#NULL_COUNTER_ID} for none
     */
    public static int find(final CountersReader counters, final int member) {
        final int[] found = {CountersReader.NULL_COUNTER_ID};
        counters.forEach((counterId, typeId, key, label) -> {
            if (typeId == TYPE_ID && key.getInt(0) == member) {
                found[0] = counterId;
            }
        });
        return found[0];
    }
}

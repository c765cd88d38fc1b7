package io.tickmark.wire.match;

import java.util.EnumMap;
import java.util.Map;

/** What was counted of FIX. Single thread. */
public final class FixCounts {
    final Map<FixSide, long[]> perSide = new EnumMap<>(FixSide.class);
    final Map<FixSide, long[]> possibleDuplicates = new EnumMap<>(FixSide.class);
    long in;
    long out;
    long firstInNs = Long.MAX_VALUE;
    long lastInNs = Long.MIN_VALUE;
    long firstOutNs = Long.MAX_VALUE;
    long lastOutNs = Long.MIN_VALUE;
    long sessionMessages;
    long otherTypes;
    long otherIdentities;
    long matched;
    long inMatched;
    long inUnmatched;
    long outUnmatched;
    long skipped;
    long ambiguous;
    long byBody;
    long garbled;
    long cut;
    long ignored;
    int minCopies = Integer.MAX_VALUE;
    int maxCopies;
    String firstGarbled = "";

    FixCounts() {
        for (final FixSide side : FixSide.values()) {
            perSide.put(side, new long[1]);
            possibleDuplicates.put(side, new long[1]);
        }
    }

    /**
     * Messages of any type that went one way.
     *
     * @param side which way
     * @return the count, messages of the session among them
     */
    public long messages(final FixSide side) {
        return perSide.get(side)[0];
    }

    /**
     * Messages of the application that went one way and may have gone it before (43=Y); excluded
     * from all figures.
     *
     * @param side which way
     * @return the count, 0 but for in and out
     */
    public long possibleDuplicates(final FixSide side) {
        return possibleDuplicates.get(side)[0];
    }

    /**
     * Messages that went in.
     *
     * @return the count
     */
    public long in() {
        return in;
    }

    /**
     * Messages that came out.
     *
     * @return the count
     */
    public long out() {
        return out;
    }

    /**
     * First to last message that went in.
     *
     * @return ns, 0 where there are less than two
     */
    public long inDurationNs() {
        return Math.max(0, in == 0 ? 0 : lastInNs - firstInNs);
    }

    /**
     * First to last message that came out.
     *
     * @return ns, 0 where there are less than two
     */
    public long outDurationNs() {
        return Math.max(0, out == 0 ? 0 : lastOutNs - firstOutNs);
    }

    /**
     * Messages that went in, in a second.
     *
     * @return the rate over the gaps between them, 0 where there is none
     */
    public double inRatePerSecond() {
        return rate(in, inDurationNs());
    }

    /**
     * Messages that came out, in a second.
     *
     * @return the rate over the gaps between them, 0 where there is none
     */
    public double outRatePerSecond() {
        return rate(out, outDurationNs());
    }

    private static double rate(final long count, final long durationNs) {
        return durationNs == 0 ? 0 : (count - 1) * 1e9 / durationNs;
    }

    /**
     * Messages of the session: logon, heartbeat and the like.
     *
     * @return the count, all ways
     */
    public long sessionMessages() {
        return sessionMessages;
    }

    /**
     * Messages of the application of types that were not asked for.
     *
     * @return the count, in and out
     */
    public long otherTypes() {
        return otherTypes;
    }

    /**
     * Messages whose identity does not begin as was asked for.
     *
     * @return the count, in and out
     */
    public long otherIdentities() {
        return otherIdentities;
    }

    /**
     * Copies of which the message was found.
     *
     * @return the count, those skipped included
     */
    public long matched() {
        return matched;
    }

    /**
     * Messages of which copies came out.
     *
     * @return the count
     */
    public long inMatched() {
        return inMatched;
    }

    /**
     * Messages of which none came out.
     *
     * @return the count
     */
    public long inUnmatched() {
        return inUnmatched;
    }

    /**
     * Copies of which no message was seen going in.
     *
     * @return the count
     */
    public long outUnmatched() {
        return outUnmatched;
    }

    /**
     * Copies that were not recorded, as asked.
     *
     * @return the count
     */
    public long skipped() {
        return skipped;
    }

    /**
     * Messages whose identity was that of one before, which had to be forgotten for it.
     *
     * @return the count
     */
    public long ambiguous() {
        return ambiguous;
    }

    /**
     * Messages in and out that were known by their body.
     *
     * @return the count
     */
    public long byBody() {
        return byBody;
    }

    /**
     * Pieces that are no messages.
     *
     * @return the count
     */
    public long garbled() {
        return garbled;
    }

    /**
     * Where the first of them is, and why.
     *
     * @return words, empty where there is none
     */
    public String firstGarbled() {
        return firstGarbled;
    }

    /**
     * Messages of which a part is not in the capture.
     *
     * @return the count
     */
    public long cut() {
        return cut;
    }

    /**
     * Messages that were not measured, because stamped messages were.
     *
     * @return the count
     */
    public long ignored() {
        return ignored;
    }

    /**
     * Fewest copies of a message that had any.
     *
     * @return the count, 0 where none had
     */
    public int minCopies() {
        return inMatched == 0 ? 0 : minCopies;
    }

    /**
     * Most copies of a message.
     *
     * @return the count
     */
    public int maxCopies() {
        return maxCopies;
    }
}

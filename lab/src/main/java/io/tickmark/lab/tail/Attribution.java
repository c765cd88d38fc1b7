package io.tickmark.lab.tail;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Charges the latency of messages to stalls of the threads that they passed, by replaying their
 * path without the stalls: through the sender, one after the other; through the echo's thread where
 * there is one, or a gateway's; and through the receiver, one after the other. The latency in the
 * replay belongs to the engine, the kernel or unobserved causes, and the difference is charged: the
 * time that a message waited <i>while</i> a thread was stalled directly, the rest as backlog of the
 * stall where the queue began. Pure functions of times.
 */
public final class Attribution {
    /**
     * One message.
     *
     * @param intendedNs when it was due
     * @param sentNs when it was sent
     * @param receivedNs when it or its echo was received
     * @param queuedNs when the kernel handed it to the queueing discipline; 0 where that is unknown
     * @param departedNs when the kernel handed it to the network device; 0 where that is unknown
     * @param arrivedNs when it or its echo reached the socket; 0 where that is unknown
     * @param onCardNs between its departure and its echo's arrival by the clock of the card; 0
     *     where that is unknown
     * @param atEcho when it passed the echo
     */
    public record Message(
            long intendedNs,
            long sentNs,
            long receivedNs,
            long queuedNs,
            long departedNs,
            long arrivedNs,
            long onCardNs,
            AtEcho atEcho) {
        Message(final long intendedNs, final long sentNs, final long receivedNs) {
            this(intendedNs, sentNs, receivedNs, 0, 0, 0, 0, AtEcho.UNKNOWN);
        }

        /** The same with another departure. */
        Message departed(final Departure at) {
            return new Message(
                    intendedNs,
                    sentNs,
                    receivedNs,
                    at.queuedNs,
                    at.departedNs,
                    arrivedNs,
                    onCardNs,
                    atEcho);
        }

        /**
         * The same with when a capture saw it leave and come back, where the kernel told neither.
         */
        Message captured(final OnWire captured) {
            return departedNs == 0 || arrivedNs == 0
                    ? new Message(
                            intendedNs,
                            sentNs,
                            receivedNs,
                            0,
                            captured.outNs,
                            captured.backNs,
                            0,
                            atEcho)
                    : this;
        }

        /** The same with what the echo told. */
        Message echoed(final AtEcho told) {
            return new Message(
                    intendedNs,
                    sentNs,
                    receivedNs,
                    queuedNs,
                    departedNs,
                    arrivedNs,
                    onCardNs,
                    told);
        }

        /** Whether the kernel told when it was queued, and it can be right. */
        boolean hasQueueTime() {
            return queuedNs >= sentNs && departedNs >= queuedNs;
        }

        /** Whether one card stamped it both ways, and not before and after the kernel did. */
        boolean hasCardTimes() {
            return hasKernelTimes() && onCardNs > 0 && onCardNs <= arrivedNs - departedNs;
        }

        /** Whether the kernel told its times, and they can be right. */
        boolean hasKernelTimes() {
            return departedNs >= sentNs && arrivedNs >= departedNs && receivedNs >= arrivedNs;
        }

        /** Whether that of both ends did. */
        boolean hasEchoTimes() {
            return hasKernelTimes()
                    && atEcho.arrivedNs() >= departedNs
                    && atEcho.takenNs() >= atEcho.arrivedNs()
                    && atEcho.departedNs() >= atEcho.takenNs()
                    && arrivedNs >= atEcho.departedNs();
        }

        /**
         * Its latency.
         *
         * @return ns
         */
        public long latencyNs() {
            return receivedNs - intendedNs;
        }
    }

    /**
     * When a message left its sender, by the clock of all.
     *
     * @param queuedNs when the kernel handed it to the queueing discipline; 0 where that is unknown
     * @param departedNs when it handed it to the network device; 0 where that is unknown
     */
    record Departure(long queuedNs, long departedNs) {
        /** Not recorded. */
        static final Departure UNKNOWN = new Departure(0, 0);
    }

    /**
     * When a ping was captured, by the clock of all.
     *
     * @param outNs on its way out
     * @param backNs its echo on its way back
     */
    record OnWire(long outNs, long backNs) {
        /** Not captured. */
        static final OnWire UNKNOWN = new OnWire(0, 0);
    }

    /**
     * When a ping passed the echo, by the clock of all.
     *
     * @param arrivedNs when it reached its socket; 0 where that is unknown
     * @param takenNs when its thread had it
     * @param departedNs when the kernel handed it to the network device again; 0 where that is
     *     unknown
     */
    public record AtEcho(long arrivedNs, long takenNs, long departedNs) {
        /** Not recorded. */
        static final AtEcho UNKNOWN = new AtEcho(0, 0, 0);
    }

    /**
     * What delayed one message; the charges and the rest add up to its latency.
     *
     * @param message itself
     * @param direct ns at sender, echo and receiver while that thread was stalled
     * @param stalls of each of them meanwhile, as far as they delayed it, the most first
     * @param backlogNs wait behind messages that a stall delayed
     * @param root that stall; null where there is no backlog
     * @param restNs the rest
     * @param between what is between sender and receiver, in words
     */
    public record Delayed(
            Message message,
            long[] direct,
            StallPart[][] stalls,
            long backlogNs,
            Stall root,
            long restNs,
            String between) {
        /**
         * The stall that delayed it most: a direct one, or the one where the queue before it began.
         *
         * @return null where no stall delayed it
         */
        public Stall worst() {
            Stall worst = root;
            long mostNs = backlogNs;
            for (int station = 0; station < direct.length; station++) {
                if (direct[station] > mostNs) {
                    mostNs = direct[station];
                    worst = stalls[station][0].stall();
                }
            }
            return mostNs > 0 ? worst : null;
        }

        /**
         * Each stall that delayed it, and that at the root of the queue before it.
         *
         * @return the one that delayed it most first
         */
        public List<Delay> delays() {
            final List<Delay> delays = new ArrayList<>();
            for (int station = 0; station < stalls.length; station++) {
                final long allNs = Arrays.stream(stalls[station]).mapToLong(StallPart::ns).sum();
                for (final StallPart part : direct[station] > 0 ? stalls[station] : NONE) {
                    delays.add(
                            new Delay(
                                    station == ECHO ? between : STATIONS.get(station),
                                    part.stall(),
                                    Math.round((double) direct[station] * part.ns() / allNs),
                                    false));
                }
            }
            if (root != null) {
                delays.add(new Delay("a thread", root, backlogNs, true));
            }
            delays.sort(Comparator.comparingLong(Delay::ns).reversed());
            return delays;
        }

        /**
         * The part that stalls account for.
         *
         * @return ns
         */
        public long chargedNs() {
            return message.latencyNs() - restNs;
        }
    }

    /**
     * A stall that delayed a message.
     *
     * @param where the thread, in words
     * @param stall of that thread
     * @param ns about how much of the message's latency
     * @param backlog whether the message waited behind others that it had delayed
     */
    public record Delay(String where, Stall stall, long ns, boolean backlog) {}

    /**
     * What of a stall is within the time that a message was at its thread.
     *
     * @param stall whole
     * @param ns of it
     */
    public record StallPart(Stall stall, long ns) {}

    private static final StallPart[] NONE = {};
    private static final List<String> STATIONS = List.of("the sender", "the echo", "the receiver");
    private static final int SENDER = 0;
    private static final int ECHO = 1;
    private static final int RECEIVER = 2;

    private Attribution() {}

    /**
     * Charges consecutive messages without gaps.
     *
     * @param messages in the order received
     * @param sender stalls of the thread that sends
     * @param echo stalls of the thread that sends back; empty where there is none
     * @param receiver stalls of the thread that receives; for a ping, that of the sender
     * @return one for each message
     */
    public static Delayed[] of(
            final List<Message> messages,
            final List<Stall> sender,
            final List<Stall> echo,
            final List<Stall> receiver) {
        return of(messages, sender, echo, receiver, "the echo");
    }

    /**
     * Charges consecutive messages without gaps.
     *
     * @param messages in the order received
     * @param sender stalls of the thread that sends
     * @param echo stalls of the thread that sends back; empty where there is none
     * @param receiver stalls of the thread that receives; for a ping, that of the sender
     * @param between what stands between sender and receiver, in words: {@code the echo}
     * @return one for each message
     */
    public static Delayed[] of(
            final List<Message> messages,
            final List<Stall> sender,
            final List<Stall> echo,
            final List<Stall> receiver,
            final String between) {
        return of(messages, sender, echo, receiver, between, usualNs(messages));
    }

    /**
     * The median time from the send to the receiving of messages.
     *
     * @param messages in any order
     * @return ns; 0 where there are none
     */
    static long usualNs(final List<Message> messages) {
        final long[] services =
                messages.stream().mapToLong(m -> m.receivedNs() - m.sentNs()).sorted().toArray();
        return services.length == 0 ? 0 : Math.max(0, services[services.length / 2]);
    }

    /** The same for messages of which others say how long one usually takes from its send on. */
    static Delayed[] of(
            final List<Message> messages,
            final List<Stall> sender,
            final List<Stall> echo,
            final List<Stall> receiver,
            final String between,
            final long usualNs) {
        // half of the usual latency takes a message to the echo or, one way, near the receiver
        final Station[] at = {new Station(sender), new Station(echo), new Station(receiver)};
        final int count = messages.size();
        final long[] freeSends = new long[count];
        final long[] leavings = new long[count];
        final long[] freeLeavings = new long[count];
        final long[][] directs = new long[count][3];
        final StallPart[][][] standing = new StallPart[count][3][];
        final Stall[] senderRoots = new Stall[count];
        final Stall[] echoRoots = new Stall[count];
        long sent = Long.MIN_VALUE / 4;
        long freeSent = sent;
        long echoed = sent;
        long freeEchoed = sent;
        long received = sent;
        long freeReceived = sent;
        final Stall[] roots = new Stall[3];
        // A receiver of several sessions may read what was sent later first.
        for (final int i : inOrderOfSends(messages)) {
            final Message message = messages.get(i);
            final long intended = message.intendedNs();
            final long handled = message.receivedNs();
            final long[] direct = directs[i];
            final StallPart[][] stalls = standing[i];

            // The sender, whose departures were observed.
            direct[SENDER] = at[SENDER].stoodNs(intended, message.sentNs());
            stalls[SENDER] = at[SENDER].within(intended, message.sentNs());
            final long sendFrom = Math.max(intended, sent);
            final long sendNs =
                    Math.max(
                            0,
                            message.sentNs()
                                    - sendFrom
                                    - at[SENDER].stoodNs(sendFrom, message.sentNs()));
            final boolean queuedAtSender = sent > intended;
            freeSent = Math.max(intended, freeSent) + sendNs;
            freeSent = Math.min(freeSent, message.sentNs());
            sent = message.sentNs();
            roots[SENDER] = root(longest(stalls[SENDER]), queuedAtSender, roots[SENDER]);
            freeSends[i] = freeSent;
            senderRoots[i] = roots[SENDER];

            // The echo or gateway, of which only its stalls were observed.
            final long arrives = Math.min(sent + usualNs / 2, handled);
            final long latest = Math.max(arrives, handled - usualNs / 2);
            final boolean queuedAtEcho = echoed > arrives;
            final long leaves = Math.min(latest, at[ECHO].runsFrom(Math.max(arrives, echoed)));
            direct[ECHO] = at[ECHO].stoodNs(arrives, leaves);
            stalls[ECHO] = at[ECHO].within(arrives, leaves);
            roots[ECHO] = root(longest(stalls[ECHO]), queuedAtEcho, roots[ECHO]);
            freeEchoed = Math.min(leaves, Math.max(freeSent + usualNs / 2, freeEchoed));
            echoed = leaves;
            leavings[i] = leaves;
            freeLeavings[i] = freeEchoed;
            echoRoots[i] = roots[ECHO];
        }
        final Delayed[] delayed = new Delayed[count];
        for (int i = 0; i < count; i++) {
            final Message message = messages.get(i);
            final long handled = message.receivedNs();
            final long leaves = leavings[i];
            final long[] direct = directs[i];
            final StallPart[][] stalls = standing[i];

            // The receiver, whose handling was observed.
            final long back = Math.min(handled, leaves + usualNs / 2);
            direct[RECEIVER] = at[RECEIVER].stoodNs(back, handled);
            stalls[RECEIVER] = at[RECEIVER].within(back, handled);
            final long handleFrom = Math.min(handled, Math.max(back, received));
            final long handleNs =
                    Math.max(0, handled - handleFrom - at[RECEIVER].stoodNs(handleFrom, handled));
            final boolean queuedAtReceiver = received > back;
            freeReceived =
                    Math.min(
                            handled,
                            Math.max(freeLeavings[i] + back - leaves, freeReceived) + handleNs);
            freeReceived = Math.max(freeReceived, message.intendedNs());
            received = Math.max(received, handled);
            roots[RECEIVER] =
                    root(
                            first(longest(stalls[RECEIVER]), echoRoots[i], senderRoots[i]),
                            queuedAtReceiver,
                            roots[RECEIVER]);

            final long senderNs = message.sentNs() - freeSends[i];
            delayed[i] =
                    charged(
                            message,
                            between,
                            direct,
                            stalls,
                            handled - freeReceived,
                            senderNs > direct[SENDER] && senderRoots[i] != null
                                    ? senderRoots[i]
                                    : roots[RECEIVER]);
        }
        return delayed;
    }

    private static int[] inOrderOfSends(final List<Message> messages) {
        boolean isInOrder = true;
        for (int i = 1; isInOrder && i < messages.size(); i++) {
            isInOrder = messages.get(i - 1).sentNs() <= messages.get(i).sentNs();
        }
        if (isInOrder) { // as most are; boxes for a quarter of a million take longer than all else
            return IntStream.range(0, messages.size()).toArray();
        }
        return IntStream.range(0, messages.size())
                .boxed()
                .sorted(Comparator.comparingLong(i -> messages.get(i).sentNs()))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** A queue that is seen at the receiver may have begun at any thread before it. */
    private static Stall first(final Stall... stalls) {
        return Arrays.stream(stalls).filter(Objects::nonNull).findFirst().orElse(null);
    }

    private static Stall longest(final StallPart... stalls) {
        return stalls.length == 0 ? null : stalls[0].stall();
    }

    /** A queue is charged to the longest stall since it began, until it is empty. */
    private static Stall root(final Stall own, final boolean isQueued, final Stall before) {
        if (!isQueued || before == null) {
            return own;
        }
        return own == null || own.lengthNs() <= before.lengthNs() ? before : own;
    }

    private static Delayed charged(
            final Message message,
            final String between,
            final long[] direct,
            final StallPart[][] stalls,
            final long savedNs,
            final Stall root) {
        long left = savedNs;
        for (int station = 0; station < direct.length; station++) {
            direct[station] = Math.min(direct[station], left);
            left -= direct[station];
        }
        final long backlogNs = root == null ? 0 : left;
        return new Delayed(
                message,
                direct,
                stalls,
                backlogNs,
                backlogNs == 0 ? null : root,
                message.latencyNs() - Arrays.stream(direct).sum() - backlogNs,
                between);
    }

    /** The stalls of one thread through which messages pass, to be queried in the order of time. */
    static final class Station {
        /** More of them are too small to matter beside these. */
        static final int MOST_PARTS = 16;

        private static final StallPart[] NONE = {};

        private final Stall[] stalls;

        /** For each stall, the latest end of it and those before. */
        private final long[] latestEnd;

        /** Those found so far, to be copied. */
        private final StallPart[] largest = new StallPart[MOST_PARTS];

        Station(final List<Stall> unordered) {
            stalls = unordered.toArray(Stall[]::new);
            Arrays.sort(stalls, Comparator.comparingLong(Stall::beginNs));
            latestEnd = new long[stalls.length];
            long latest = Long.MIN_VALUE;
            for (int i = 0; i < stalls.length; i++) {
                latest = Math.max(latest, stalls[i].endNs());
                latestEnd[i] = latest;
            }
        }

        /**
         * How long it was stalled between two times; a thread's stalls do not overlap each other.
         */
        long stoodNs(final long fromNs, final long toNs) {
            long sum = 0;
            for (int i = firstAfter(fromNs); i < stalls.length && stalls[i].beginNs() < toNs; i++) {
                sum += Math.max(0, overlap(stalls[i], fromNs, toNs));
            }
            return sum;
        }

        private static long overlap(final Stall stall, final long fromNs, final long toNs) {
            return Math.min(stall.endNs(), toNs) - Math.max(stall.beginNs(), fromNs);
        }

        /**
         * What of its stalls is between two times, the most first: of many the largest alone, as a
         * message may wait through thousands of them.
         */
        StallPart[] within(final long fromNs, final long toNs) {
            int count = 0;
            for (int i = firstAfter(fromNs); i < stalls.length && stalls[i].beginNs() < toNs; i++) {
                final long ns = overlap(stalls[i], fromNs, toNs);
                if (ns > 0 && (count < MOST_PARTS || ns > largest[count - 1].ns())) {
                    count = Math.min(MOST_PARTS, count + 1);
                    insert(new StallPart(stalls[i], ns), count - 1);
                }
            }
            return count == 0 ? NONE : Arrays.copyOf(largest, count);
        }

        /** In its place at or before {@code last}; what is at {@code last} goes. */
        private void insert(final StallPart part, final int last) {
            int at = last;
            while (at > 0 && largest[at - 1].ns() < part.ns()) {
                largest[at] = largest[at - 1];
                at--;
            }
            largest[at] = part;
        }

        /** The end of the stall that contains a time, otherwise the time itself. */
        long runsFrom(final long ns) {
            final int at = firstAfter(ns);
            return at < stalls.length && stalls[at].beginNs() <= ns
                    ? Math.max(ns, stalls[at].endNs())
                    : ns;
        }

        private int firstAfter(final long ns) {
            int low = 0;
            int high = stalls.length;
            while (low < high) {
                final int middle = low + high >>> 1;
                if (latestEnd[middle] <= ns) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }

        List<Stall> stalls() {
            return List.of(stalls);
        }
    }
}

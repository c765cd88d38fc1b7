package io.tickmark.wire.tcp;

import io.tickmark.wire.net.Hashing;
import io.tickmark.wire.net.IpPacket;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * All TCP directions of a capture. Bounded: when there are too many, those that ended and then
 * those that were silent longest are forgotten, and counted. Single thread; allocates only for new
 * connections and for segments out of order.
 */
public final class TcpFlows {
    /** Most directions known at a time. */
    static final int MAX_FLOWS = 1 << 16;

    private static final int LOOKS = 8;

    private final StreamFactory factory;
    private final long patienceNs;
    private final int maxFlows;
    private long lookedNs = Long.MIN_VALUE;
    private final TcpCounts counts = new TcpCounts();
    private final TcpSegment segment = new TcpSegment();
    private TcpFlow[] table = new TcpFlow[1 << 10];
    private TcpFlow last;
    private int size;
    private long forgotten;

    /**
     * No connection yet.
     *
     * @param factory decides who takes the bytes
     * @param patienceNs how long bytes are waited for that nothing tells of
     */
    public TcpFlows(final StreamFactory factory, final long patienceNs) {
        this(factory, patienceNs, MAX_FLOWS);
    }

    TcpFlows(final StreamFactory factory, final long patienceNs, final int maxFlows) {
        this.factory = factory;
        this.patienceNs = patienceNs;
        this.maxFlows = maxFlows;
    }

    /**
     * Takes a datagram with TCP in it.
     *
     * @param ip whole
     * @param timeNs when it was captured
     * @param position in the file
     */
    public void onDatagram(final IpPacket ip, final long timeNs, final long position) {
        counts.packets++;
        if (!segment.wrap(ip, timeNs, position)) {
            counts.malformed++;
            return;
        }
        if (counts.isWaiting()) {
            giveUp(timeNs);
        }
        flow(ip).onSegment(segment);
    }

    /** A few times in that time only, as it goes through all flows. */
    private void giveUp(final long nowNs) {
        if (lookedNs != Long.MIN_VALUE && nowNs - lookedNs < patienceNs / LOOKS) {
            return;
        }
        lookedNs = nowNs;
        for (final TcpFlow flow : table) {
            if (flow != null) {
                flow.giveUp(nowNs, patienceNs);
            }
        }
    }

    private TcpFlow flow(final IpPacket ip) {
        final int ports = segment.sourcePort() << Short.SIZE | segment.destinationPort();
        if (last != null && last.isOf(ip, ports)) {
            return last;
        }
        int slot = slot(hash(ip.sourceLow(), ip.destinationLow(), ports));
        while (table[slot] != null) {
            if (table[slot].isOf(ip, ports)) {
                last = table[slot];
                return last;
            }
            slot = slot + 1 & table.length - 1;
        }
        last = add(ip);
        return last;
    }

    private TcpFlow add(final IpPacket ip) {
        if (size >= maxFlows) {
            forget();
        }
        if (2 * (size + 1) > table.length) {
            rebuild(flows(), 2 * table.length);
        }
        final TcpFlow flow = new TcpFlow(ip, segment, counts);
        final TcpFlow reverse = reverse(ip);
        put(flow);
        flow.open(factory.open(flow), reverse);
        return flow;
    }

    private TcpFlow reverse(final IpPacket ip) {
        final int ports = segment.destinationPort() << Short.SIZE | segment.sourcePort();
        int slot = slot(hash(ip.destinationLow(), ip.sourceLow(), ports));
        while (table[slot] != null) {
            if (table[slot].isReverseOf(ip, ports)) {
                return table[slot];
            }
            slot = slot + 1 & table.length - 1;
        }
        return null;
    }

    private void put(final TcpFlow flow) {
        int slot = slot(flow.hash());
        while (table[slot] != null) {
            slot = slot + 1 & table.length - 1;
        }
        table[slot] = flow;
        size++;
    }

    /** Leaves the younger three quarters, of those that did not end if there are so many. */
    private void forget() {
        final List<TcpFlow> kept =
                flows().stream()
                        .sorted(
                                Comparator.comparing(TcpFlow::isClosed)
                                        .thenComparing(
                                                Comparator.comparingLong(TcpFlow::lastNs)
                                                        .reversed()))
                        .toList();
        final int keep = Math.max(1, maxFlows - maxFlows / 4);
        kept.subList(keep, kept.size()).forEach(flow -> flow.forget(segment.timeNs()));
        forgotten += kept.size() - keep;
        rebuild(kept.subList(0, keep), table.length);
    }

    private void rebuild(final List<TcpFlow> flows, final int capacity) {
        table = new TcpFlow[capacity];
        size = 0;
        flows.forEach(this::put);
    }

    private List<TcpFlow> flows() {
        return Arrays.stream(table).filter(Objects::nonNull).toList();
    }

    /**
     * Hands on what still waits for bytes before it, and counts what is missing at the ends of
     * connections; at the end of the capture.
     */
    public void finish() {
        final List<TcpFlow> all = flows();
        final long lastNs = all.stream().mapToLong(TcpFlow::lastNs).max().orElse(0);
        all.forEach(flow -> flow.end(lastNs));
    }

    private int slot(final long hash) {
        return (int) hash & table.length - 1;
    }

    static long hash(final long sourceLow, final long destinationLow, final int ports) {
        return Hashing.spread(Hashing.mix(Hashing.mix(sourceLow, destinationLow), ports));
    }

    /**
     * What was counted.
     *
     * @return the counts, live
     */
    public TcpCounts counts() {
        return counts;
    }

    /**
     * Directions that had to be forgotten.
     *
     * @return the count
     */
    public long forgotten() {
        return forgotten;
    }

    /** Decides which receiver gets the bytes of a direction of a connection. */
    @FunctionalInterface
    public interface StreamFactory {
        /**
         * A direction that was not seen before.
         *
         * @param flow its addresses
         * @return who takes its bytes
         */
        ByteStream open(TcpFlow flow);
    }
}

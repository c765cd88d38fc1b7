package io.tickmark.workloads.feed.serve;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;

/** How many requests one address may send: a bucket for each, of a bounded number of addresses. */
public final class RequestLimit {
    /** A page that acknowledges by POST asks a hundred times a second, and several may be open. */
    private static final double PAGES_PER_SECOND = 2_000;

    private static final double BURST_S = 2;
    private static final int MAX_ADDRESSES = 10_000;
    private static final double NS_PER_S = 1e9;

    private final double perSecond;

    private RequestLimit(final double perSecond) {
        this.perSecond = perSecond;
    }

    /**
     * For a server of pages: what several of them at one address need.
     *
     * @return a limit that nobody has used yet
     */
    public static RequestLimit ofPages() {
        return new RequestLimit(PAGES_PER_SECOND);
    }

    /**
     * None: for a server that is there to be loaded.
     *
     * @return what allows everything
     */
    public static RequestLimit none() {
        return new RequestLimit(Double.POSITIVE_INFINITY);
    }

    private final class Bucket {
        private double left = BURST_S * perSecond;
        private long atNs;

        Bucket(final long nowNs) {
            atNs = nowNs;
        }

        boolean take(final long nowNs) {
            left = Math.min(BURST_S * perSecond, left + (nowNs - atNs) / NS_PER_S * perSecond);
            atNs = nowNs;
            if (left < 1) {
                return false;
            }
            left--;
            return true;
        }
    }

    private final Map<InetAddress, Bucket> buckets =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(final Map.Entry<InetAddress, Bucket> eldest) {
                    return size() > MAX_ADDRESSES;
                }
            };

    /** Whether this address may ask once more. */
    boolean isAllowed(final InetAddress address, final long nowNs) {
        return Double.isInfinite(perSecond) || isAllowedNow(address, nowNs);
    }

    private synchronized boolean isAllowedNow(final InetAddress address, final long nowNs) {
        return buckets.computeIfAbsent(address, _ -> new Bucket(nowNs)).take(nowNs);
    }
}

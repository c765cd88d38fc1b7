package io.tickmark.workloads.feed.serve;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many requests one caller may send: a bucket for each, of a bounded number of callers. A
 * client that knows the token is a separate caller; one that does not is counted by address and can
 * use up only the share of such requests, so that no other client is locked out.
 */
public final class RequestLimit {
    /**
     * A page that acknowledges by POST sends a hundred requests a second, and several may be open.
     */
    private static final double PAGES_PER_SECOND = 2_000;

    /** Enough for a page whose token is old, too few to guess a token. */
    private static final double REFUSED_PER_SECOND = 50;

    private static final double BURST_S = 2;
    private static final int MAX_CALLERS = 10_000;
    private static final double NS_PER_S = 1e9;

    private final Buckets<Object> known;
    private final Buckets<InetAddress> refused;

    private RequestLimit(final double knownPerSecond, final double refusedPerSecond) {
        known = new Buckets<>(knownPerSecond);
        refused = new Buckets<>(refusedPerSecond);
    }

    /**
     * For a server of pages: what several of them need.
     *
     * @return an unused limit
     */
    public static RequestLimit ofPages() {
        return new RequestLimit(PAGES_PER_SECOND, REFUSED_PER_SECOND);
    }

    /**
     * No limit: for a server that exists to be loaded.
     *
     * @return a limit that allows everything
     */
    public static RequestLimit none() {
        return new RequestLimit(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
    }

    /** Whether this caller, which knows the token, may send another request. */
    boolean isAllowed(final Object caller, final long nowNs) {
        return known.isAllowed(caller, nowNs);
    }

    /** Whether one more refusal is to be explained to this address. */
    boolean isRefusalAllowed(final InetAddress address, final long nowNs) {
        return refused.isAllowed(address, nowNs);
    }

    private static final class Bucket {
        private double left;
        private long atNs;

        boolean take(final double perSecond, final long nowNs) {
            left = Math.min(BURST_S * perSecond, left + (nowNs - atNs) / NS_PER_S * perSecond);
            atNs = nowNs;
            if (left < 1) {
                return false;
            }
            left--;
            return true;
        }
    }

    private static final class Buckets<K> {
        private final double perSecond;
        private final Map<K, Bucket> all =
                new LinkedHashMap<>(16, 0.75f, true) {
                    private static final long serialVersionUID = 1L;

                    @Override
                    protected boolean removeEldestEntry(final Map.Entry<K, Bucket> eldest) {
                        return size() > MAX_CALLERS;
                    }
                };

        Buckets(final double perSecond) {
            this.perSecond = perSecond;
        }

        boolean isAllowed(final K caller, final long nowNs) {
            return Double.isInfinite(perSecond) || isAllowedNow(caller, nowNs);
        }

        private synchronized boolean isAllowedNow(final K caller, final long nowNs) {
            return all.computeIfAbsent(caller, _ -> full(nowNs)).take(perSecond, nowNs);
        }

        private Bucket full(final long nowNs) {
            final Bucket bucket = new Bucket();
            bucket.left = BURST_S * perSecond;
            bucket.atNs = nowNs;
            return bucket;
        }
    }
}

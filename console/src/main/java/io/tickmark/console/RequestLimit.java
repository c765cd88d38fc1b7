package io.tickmark.console;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;

/** How many requests one address may send: a bucket for each, of a bounded number of addresses. */
final class RequestLimit {
    /** A page that acknowledges by POST asks a hundred times a second, and several may be open. */
    private static final double PER_SECOND = 2_000;

    private static final double BURST = 4_000;
    private static final int MAX_ADDRESSES = 10_000;
    private static final double NS_PER_S = 1e9;

    private static final class Bucket {
        private double left = BURST;
        private long atNs;

        Bucket(final long nowNs) {
            atNs = nowNs;
        }

        boolean take(final long nowNs) {
            left = Math.min(BURST, left + (nowNs - atNs) / NS_PER_S * PER_SECOND);
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

    synchronized boolean isAllowed(final InetAddress address, final long nowNs) {
        return buckets.computeIfAbsent(address, _ -> new Bucket(nowNs)).take(nowNs);
    }
}

package io.tickmark.workloads.market.consumer;

import java.util.TreeSet;

/** The state of one service in a source directory, on either library. One thread at a time. */
final class WatchedService {
    private static final long NONE = -1;

    private final String name;
    private final TreeSet<String> others = new TreeSet<>();
    private long id = NONE;
    private boolean isUp;
    private boolean accepts;
    private boolean heard;

    WatchedService(final String name) {
        this.name = name;
    }

    /** A complete directory has arrived. */
    void heard() {
        heard = true;
    }

    /** A service was announced; true where it is this one, which keeps its state. */
    boolean found(final String found, final long serviceId) {
        if (!found.equals(name)) {
            others.add(found);
            return false;
        }
        id = serviceId;
        return true;
    }

    boolean is(final long serviceId) {
        return id == serviceId;
    }

    void state(final boolean isNowUp, final boolean nowAccepts) {
        isUp = isNowUp;
        accepts = nowAccepts;
    }

    /** The service is gone, or not back yet. */
    void forget() {
        id = NONE;
        state(false, false);
    }

    boolean isReady() {
        return id != NONE && isUp && accepts;
    }

    /** -1 where it is unknown. */
    long id() {
        return id;
    }

    /** Why requests cannot begin. */
    String diagnosis() {
        if (!heard) {
            return "the provider sent no source directory";
        }
        if (id == NONE) {
            return "the directory has no service %s; %s"
                            .formatted(
                                    name,
                                    others.isEmpty()
                                            ? "it has none at all"
                                            : "it has " + String.join(", ", others))
                    + "; compare --service-name on both sides";
        }
        return "the service %s exists but %s"
                .formatted(name, isUp ? "does not accept requests" : "is down");
    }
}

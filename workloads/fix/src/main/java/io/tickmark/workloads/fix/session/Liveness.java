package io.tickmark.workloads.fix.session;

/**
 * Heartbeats, test requests and the time-outs of Logon and Logout. A fifth more than the interval
 * is allowed for the way (FIX session layer, "reasonable transmission time"). Single thread.
 */
final class Liveness {
    private static final long SECOND_NS = 1_000_000_000L;

    private final FixSession session;
    private final SessionConfig config;
    private final SessionClock clock;
    private final AdminMessages admin;
    private long intervalNs;
    private long connectedNs;
    private long sentNs;
    private long receivedNs;
    private long logoutNs;
    private long testRequests;
    private boolean isTesting;
    private boolean isSilenceIgnored;

    Liveness(
            final FixSession session,
            final SessionConfig config,
            final SessionClock clock,
            final AdminMessages admin) {
        this.session = session;
        this.config = config;
        this.clock = clock;
        this.admin = admin;
        connected(0);
    }

    /** A connection is there; the interval is known or comes with {@link #interval}. */
    void connected(final int heartbeatSeconds) {
        connectedNs = clock.nowNs();
        sentNs = connectedNs;
        receivedNs = connectedNs;
        interval(heartbeatSeconds);
    }

    void interval(final int heartbeatSeconds) {
        intervalNs = heartbeatSeconds * SECOND_NS;
    }

    int heartbeatSeconds() {
        return (int) (intervalNs / SECOND_NS);
    }

    long nowMs() {
        return clock.nowMs();
    }

    void sent() {
        sentNs = clock.nowNs();
    }

    void received() {
        receivedNs = clock.nowNs();
        isTesting = false;
    }

    void ignoreSilence() {
        isSilenceIgnored = true;
    }

    void logoutSent() {
        logoutNs = clock.nowNs();
    }

    void onTimer() {
        final long nowNs = clock.nowNs();
        switch (session.state()) {
            case AWAITING_LOGON, LOGON_SENT -> {
                if (nowNs - connectedNs >= config.logonTimeoutNs()) {
                    session.end("no Logon within " + config.logonTimeoutNs() / SECOND_NS + " s");
                }
            }
            case LOGOUT_SENT -> {
                if (nowNs - logoutNs >= config.logoutTimeoutNs()) {
                    session.end("no answer to the Logout");
                }
            }
            case ACTIVE -> active(nowNs);
            case ENDED -> {}
        }
    }

    private void active(final long nowNs) {
        if (intervalNs == 0) {
            return;
        }
        if (!isSilenceIgnored) {
            judgeSilence(nowNs - receivedNs);
        }
        if (session.state() == FixSession.State.ACTIVE && nowNs - sentNs >= intervalNs) {
            session.write(AdminMessages.HEARTBEAT, admin.heartbeat(""));
        }
    }

    private void judgeSilence(final long silentNs) {
        final long patienceNs = intervalNs + intervalNs / 5;
        if (silentNs >= 2 * patienceNs) {
            session.end("silent for two heartbeat intervals, and no answer to a TestRequest");
        } else if (!isTesting && silentNs >= patienceNs) {
            isTesting = true;
            session.write(AdminMessages.TEST_REQUEST, admin.testRequest("TEST" + ++testRequests));
        }
    }
}

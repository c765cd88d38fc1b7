package io.tickmark.workloads.fix.session;

import io.tickmark.kernel.settings.Settings;
import java.util.Map;

/**
 * The configuration of a session.
 *
 * @param version of FIX
 * @param isInitiator whether this side sends the first Logon
 * @param sender SenderCompID of this side
 * @param target SenderCompID of the other side; empty where an acceptor learns it from the Logon
 * @param heartbeatSeconds interval that an initiator asks for; 0 for no heartbeats
 * @param resetOnLogon whether an initiator asks for sequence numbers from 1
 * @param isTest whether messages are marked as tests, and test sessions accepted
 * @param username an initiator's, empty for none
 * @param password an initiator's, empty for none
 * @param maxMessageBytes the longest message that is accepted
 * @param limitBytes the most that may be pending to be written
 * @param logonTimeoutNs how long a Logon may take
 * @param logoutTimeoutNs how long the answer to a Logout may take
 * @param timeToleranceMs how far a SendingTime may be from the clock; 0 for any
 * @param checks of messages
 * @param schedule when it is open
 */
public record SessionConfig(
        FixVersion version,
        boolean isInitiator,
        String sender,
        String target,
        int heartbeatSeconds,
        boolean resetOnLogon,
        boolean isTest,
        String username,
        String password,
        int maxMessageBytes,
        int limitBytes,
        long logonTimeoutNs,
        long logoutTimeoutNs,
        long timeToleranceMs,
        Checks checks,
        SessionSchedule schedule) {
    private static final long TEN_SECONDS_NS = 10_000_000_000L;
    private static final long TWO_MINUTES_MS = 120_000;
    private static final int MAX_MESSAGE_BYTES = 1 << 16;
    private static final int LIMIT_BYTES = 1 << 20;

    /**
     * How long a message may take from its first byte to its last.
     *
     * @return ns; as long as a Logon
     */
    public long messageTimeoutNs() {
        return logonTimeoutNs;
    }

    /**
     * An initiator with the usual time-outs.
     *
     * @param version of FIX
     * @param sender of this side
     * @param target of the other side
     * @return a configuration
     */
    public static SessionConfig initiator(
            final FixVersion version, final String sender, final String target) {
        return of(version, true, sender, target);
    }

    /**
     * An acceptor for any counterparty, with the usual time-outs.
     *
     * @param version of FIX
     * @param sender of this side
     * @return a configuration
     */
    public static SessionConfig acceptor(final FixVersion version, final String sender) {
        return of(version, false, sender, "");
    }

    private static SessionConfig of(
            final FixVersion version,
            final boolean isInitiator,
            final String sender,
            final String target) {
        return new SessionConfig(
                version,
                isInitiator,
                sender,
                target,
                30,
                false,
                false,
                "",
                "",
                MAX_MESSAGE_BYTES,
                LIMIT_BYTES,
                TEN_SECONDS_NS,
                TEN_SECONDS_NS,
                TWO_MINUTES_MS,
                Checks.OF_FIELDS,
                SessionSchedule.ALWAYS);
    }

    /**
     * The same with another interval of heartbeats.
     *
     * @param seconds 0 for none
     * @return a configuration
     */
    public SessionConfig withHeartbeat(final int seconds) {
        return Settings.with(this, Map.of("heartbeatSeconds", seconds));
    }

    /**
     * The same, with or without a request for sequence numbers from 1.
     *
     * @param reset whether to ask
     * @return a configuration
     */
    public SessionConfig withReset(final boolean reset) {
        return Settings.with(this, Map.of("resetOnLogon", reset));
    }

    /**
     * The same with credentials and test mode.
     *
     * @param user name, empty for none
     * @param secret password, empty for none
     * @param test whether it is a test session
     * @return a configuration
     */
    public SessionConfig withLogon(final String user, final String secret, final boolean test) {
        return Settings.with(this, Map.of("username", user, "password", secret, "isTest", test));
    }

    /**
     * The same with other hours.
     *
     * @param hours when it is open
     * @return a configuration
     */
    public SessionConfig withSchedule(final SessionSchedule hours) {
        return Settings.with(this, Map.of("schedule", hours));
    }

    /**
     * The same with other bounds.
     *
     * @param longestMessage that is taken, bytes
     * @param mostWaiting to be written, bytes
     * @return a configuration
     */
    public SessionConfig withBounds(final int longestMessage, final int mostWaiting) {
        return Settings.with(
                this, Map.of("maxMessageBytes", longestMessage, "limitBytes", mostWaiting));
    }

    /**
     * The same with other checks.
     *
     * @param others of messages
     * @return a configuration
     */
    public SessionConfig withChecks(final Checks others) {
        return Settings.with(this, Map.of("checks", others));
    }
}

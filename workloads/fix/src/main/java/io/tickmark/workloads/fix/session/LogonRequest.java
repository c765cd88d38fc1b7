package io.tickmark.workloads.fix.session;

/**
 * A Logon that an acceptor received.
 *
 * @param sender its SenderCompID
 * @param target its TargetCompID
 * @param username empty where it has none
 * @param password empty where it has none
 * @param heartbeatSeconds interval it asks for
 * @param isTest whether it is marked as a test
 */
public record LogonRequest(
        String sender,
        String target,
        String username,
        String password,
        int heartbeatSeconds,
        boolean isTest) {}

package io.tickmark.workloads.fix;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.fix.session.Checks;
import io.tickmark.workloads.fix.session.FixVersion;
import io.tickmark.workloads.fix.session.SessionConfig;
import io.tickmark.workloads.fix.session.SessionSchedule;
import java.time.LocalTime;
import java.time.format.DateTimeParseException;

/**
 * Session settings common to gateway and clients.
 *
 * @param version of FIX
 * @param gatewayId CompID of the gateway
 * @param producerPrefix how the CompIDs of producers begin
 * @param username of a Logon; a gateway requires it where it is given
 * @param password of a Logon; a gateway requires it where it is given
 * @param testMode whether sessions are marked as tests
 * @param maxMessageBytes the longest message that is accepted
 * @param schedule hours of the sessions
 * @param tls whether connections are encrypted
 * @param keyStore certificate and key of this side
 * @param trustStore certificates that this side trusts
 * @param storePassword of both files
 */
public record SessionOptions(
        @Setting(help = "FIX version: fix-4-2, fix-4-4 or fix-5-0-sp2.", byDefault = "fix-4-4")
                FixVersion version,
        @Setting(help = "CompID of the gateway.", byDefault = "GATEWAY", label = "ID")
                String gatewayId,
        @Setting(
                        help = "CompIDs of producers are this and a number.",
                        byDefault = "PRODUCER",
                        label = "TEXT")
                String producerPrefix,
        @Setting(
                        help =
                                "Username (553) of the Logon; a gateway refuses others where it is given.",
                        label = "NAME")
                String username,
        @Setting(
                        help =
                                "Password (554) of the Logon; a gateway refuses others where it is given.",
                        label = "TEXT")
                String password,
        @Setting(help = "Mark the sessions as tests (464=Y).") boolean testMode,
        @Setting(
                        help = "The longest message that is accepted.",
                        byDefault = "65536",
                        unit = "bytes",
                        min = 256,
                        max = 16_777_216)
                int maxMessageBytes,
        @Setting(
                        help =
                                "Hours of the sessions in UTC, such as 07:00-17:30; sequence numbers restart with them. The "
                                        + "same time twice: all day, with a restart at that time (default: always open).",
                        label = "HH:MM-HH:MM")
                String schedule,
        @Setting(help = "Encrypt connections with TLS.") boolean tls,
        @Setting(
                        help =
                                "PKCS #12 file with certificate and key of this side; a gateway needs one.",
                        label = "FILE")
                String keyStore,
        @Setting(
                        help =
                                "PKCS #12 file with the certificates this side trusts; a gateway that has one asks its "
                                        + "clients for theirs.",
                        label = "FILE")
                String trustStore,
        @Setting(help = "Password of these files.", byDefault = "changeit", label = "TEXT")
                String storePassword) {
    /** Refuses text that cannot be part of a message, and invalid hours. */
    public SessionOptions {
        checkId("--gateway-id", gatewayId);
        checkId("--producer-prefix", producerPrefix);
        parse(schedule);
        if (!tls && !(keyStore.isEmpty() && trustStore.isEmpty())) {
            throw UserError.usage(
                    "%s: is for encrypted connections; give --tls, too, or leave it out."
                            .formatted(keyStore.isEmpty() ? "--trust-store" : "--key-store"));
        }
    }

    private static void checkId(final String option, final String id) {
        if (id.isEmpty() || !id.chars().allMatch(c -> c > 32 && c < 127 && c != '=')) {
            throw UserError.usage(
                    option + " '" + id + "': is not a CompID; use letters, digits, - and _.");
        }
    }

    private static SessionSchedule parse(final String text) {
        if (text.isEmpty()) {
            return SessionSchedule.ALWAYS;
        }
        final String[] parts = text.split("-", 2);
        try {
            return SessionSchedule.daily(LocalTime.parse(parts[0]), LocalTime.parse(parts[1]));
        } catch (final DateTimeParseException | ArrayIndexOutOfBoundsException e) {
            throw UserError.usage(
                    "--schedule '"
                            + text
                            + "': is not a pair of times; write for example 07:00-17:30.");
        }
    }

    /**
     * An acceptor's session.
     *
     * @param limitBytes the most that may be pending to be written
     * @return its configuration
     */
    public SessionConfig acceptor(final int limitBytes) {
        return SessionConfig.acceptor(version, gatewayId)
                .withLogon("", "", testMode)
                .withBounds(maxMessageBytes, limitBytes)
                .withSchedule(parse(schedule));
    }

    /**
     * An initiator's session.
     *
     * @param compId of this side
     * @param heartbeatSeconds it asks for
     * @param limitBytes the most that may be pending to be written
     * @return its configuration
     */
    public SessionConfig initiator(
            final String compId, final int heartbeatSeconds, final int limitBytes) {
        return SessionConfig.initiator(version, compId, gatewayId)
                .withHeartbeat(heartbeatSeconds)
                .withReset(true)
                .withLogon(username, password, testMode)
                .withBounds(maxMessageBytes, limitBytes)
                .withChecks(Checks.NONE)
                .withSchedule(parse(schedule));
    }
}

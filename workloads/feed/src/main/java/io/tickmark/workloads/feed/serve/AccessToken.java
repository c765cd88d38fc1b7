package io.tickmark.workloads.feed.serve;

import io.tickmark.kernel.settings.UserError;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;
import java.util.regex.Pattern;

/** What others must know to reach a server that not only this machine can reach. */
public final class AccessToken {
    /** Help of a server's setting of this name. */
    public static final String HELP =
            "Token that others must know, 16 characters or more of A-Z, a-z, 0-9, - and "
                    + "_; made up where it is needed and left out.";

    private static final int BYTES = 24;
    private static final Pattern TOKEN = Pattern.compile("|[A-Za-z0-9_-]{16,128}");
    private static final Set<String> LOOPBACK =
            Set.of("127.0.0.1", "localhost", "::1", "0:0:0:0:0:0:0:1");

    private AccessToken() {}

    /**
     * Checks what a user gave as {@code --token}.
     *
     * @param token empty for none
     * @throws UserError where it is no token
     */
    public static void check(final String token) {
        if (!TOKEN.matcher(token).matches()) {
            throw UserError.usage(
                    "--token: takes 16 to 128 characters of A-Z, a-z, 0-9, - and _; leave it out to have one made up.");
        }
    }

    /**
     * Whether others can reach what is bound there.
     *
     * @param host to bind
     * @return false on loopback
     */
    public static boolean isNeeded(final String host) {
        return !LOOPBACK.contains(host);
    }

    /**
     * The token of a server.
     *
     * @param host to bind
     * @param given by the user, empty for none
     * @return the given one; one that is made up where one is needed; else empty
     */
    public static String of(final String host, final String given) {
        if (!given.isEmpty() || !isNeeded(host)) {
            return given;
        }
        final byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}

package io.tickmark.workloads.feed.serve;

import io.tickmark.kernel.settings.UserError;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a client must know to use a server. Loopback is no protection by itself: every page that a
 * browser on this machine shows can send requests there.
 */
public final class AccessToken {
    /** Help of a server's setting of this name. */
    public static final String HELP =
            "Token that clients must know, 16 characters or more of A-Z, a-z, 0-9, - and _ (default: generated).";

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
                    "--token: takes 16 to 128 characters of A-Z, a-z, 0-9, - and _; leave it out to have one generated.");
        }
    }

    /**
     * Whether other machines can reach a server bound there.
     *
     * @param host to bind
     * @return false on loopback
     */
    public static boolean isExposed(final String host) {
        return !LOOPBACK.contains(host);
    }

    /**
     * The token of a server.
     *
     * @param given by the user, empty for none
     * @return the given one, else one that is made up
     */
    public static String of(final String given) {
        return given.isEmpty() ? random(BYTES) : given;
    }

    /** Unguessable characters, of an alphabet that needs no escapes. */
    static String random(final int bytes) {
        final byte[] random = new byte[bytes];
        new SecureRandom().nextBytes(random);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }
}

package io.tickmark.history;

import io.tickmark.kernel.settings.UserError;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Properties;
import java.util.regex.Pattern;

/**
 * Where a history lies, as its driver needs it.
 *
 * @param name as the user may be shown it: without passwords
 * @param url of the database, without passwords too: the driver's errors and warnings hold it
 * @param properties of the connection, passwords among them
 */
record Address(String name, String url, Properties properties) {
    private static final String BUSY_MS = "5000";

    /** As in {@code //me:secret@host}, which the driver does not know. */
    private static final Pattern USER_BEFORE_HOST = Pattern.compile("//[^/]*@|^[^?]*@");

    private static final Pattern PASSWORD =
            Pattern.compile("(?<=[?&])(\\w*password)=([^&]*)&?", Pattern.CASE_INSENSITIVE);

    /**
     * Takes a place apart.
     *
     * @throws UserError if it may show a password
     */
    static Address of(final String place) {
        final Properties properties = new Properties();
        if (!History.isServer(place)) {
            properties.setProperty("busy_timeout", BUSY_MS);
            // A deferred one locks with its first change, and where another has changed the file
            // since its first look it is refused at once, however long it would wait.
            properties.setProperty("transaction_mode", "IMMEDIATE");
            return new Address(place, "jdbc:sqlite:" + Path.of(place).toAbsolutePath(), properties);
        }
        if (USER_BEFORE_HOST.matcher(place).find()) {
            throw UserError.usage(
                    "The URL of the history names a user before the host, where a password would be seen;"
                            + " write postgresql://host/database?user=me, and keep the password in ~/.pgpass.");
        }
        properties.setProperty("connectTimeout", "5");
        properties.setProperty("socketTimeout", "30");
        PASSWORD.matcher(place)
                .results()
                .forEach(found -> properties.setProperty(found.group(1), decoded(found.group(2))));
        final String name = PASSWORD.matcher(place).replaceAll("").replaceAll("[?&]$", "");
        return new Address(name, name.startsWith("jdbc:") ? name : "jdbc:" + name, properties);
    }

    private static String decoded(final String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (final IllegalArgumentException e) {
            return text; // with a % that stands for itself
        }
    }
}

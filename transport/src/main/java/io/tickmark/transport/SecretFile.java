package io.tickmark.transport;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * A secret that a channel needs, in the first line of a file that the channel names: channels
 * appear in plans, results and messages, which must not contain secrets.
 */
public final class SecretFile {
    private static final int LONGEST = 4096;

    private SecretFile() {}

    /**
     * Reads the secret.
     *
     * @param channel that names the file
     * @param parameter that names it
     * @param file its path; empty for none
     * @return the first line, without its line end, at most 4096 characters; empty where there is
     *     no file
     * @throws UserError of kind usage if the file cannot be read, or its line is longer
     */
    public static String read(final ChannelUri channel, final String parameter, final String file) {
        if (file.isEmpty()) {
            return "";
        }
        try (BufferedReader reader = Files.newBufferedReader(Path.of(file))) {
            final char[] line = new char[LONGEST + 1];
            int length = 0;
            for (int next = reader.read(); next >= 0 && next != '\n' && next != '\r'; ) {
                line[length++] = (char) next;
                if (length > LONGEST) {
                    throw new IOException(
                            "its first line is longer than " + LONGEST + " characters");
                }
                next = reader.read();
            }
            return new String(line, 0, length);
        } catch (final IOException e) {
            throw unreadable(channel, parameter, file, IoReason.of(e));
        } catch (final InvalidPathException e) {
            throw unreadable(channel, parameter, file, e.getReason());
        }
    }

    private static UserError unreadable(
            final ChannelUri channel, final String parameter, final String file, final String why) {
        return UserError.usage(
                "--channel %s: ?%s=%s cannot be read (%s); give the path of a file whose first line is the secret."
                        .formatted(channel, parameter, file, why));
    }
}

package io.tickmark.engines.omb;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.transport.broker.BrokerChannel;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * The configuration of a driver: YAML, of which the framework reads {@code driverClass} and the
 * driver the rest.
 *
 * @param path absolute
 * @param driverClass name of the driver's class
 * @param text of the copy that the driver gets instead of the file; empty where it gets the file
 */
record DriverFile(Path path, String driverClass, String text) {
    private static final int MOST_BYTES = 1 << 20;
    private static final YAMLMapper YAML = new YAMLMapper();

    /** Makes drivers delete all existing topics whenever one of them starts. */
    private static final String RESET = "reset";

    private static final Pattern RESET_LINE = Pattern.compile("(?m)^reset[ \\t]*:.*$");

    /** Reads the file at a path. */
    static DriverFile read(final BrokerChannel<OmbParameters> channel, final Path path) {
        final String text = text(channel, path);
        final JsonNode tree = tree(channel, path, text);
        final String driverClass = tree.path("driverClass").asString("");
        if (driverClass.isBlank()) {
            throw channel.wrong(
                    ("%s names no driverClass; give the configuration of a driver, with a line such as"
                                    + " driverClass: com.example.MyDriver")
                            .formatted(path));
        }
        if (!tree.path(RESET).asBoolean(false)) {
            return new DriverFile(path, driverClass, "");
        }
        final Matcher line = RESET_LINE.matcher(text);
        final String harmless = line.replaceFirst("reset: false");
        if (tree(channel, path, harmless).path(RESET).asBoolean(false)) {
            throw channel.wrong(
                    "%s has reset set, with which each side would delete the topics of the other; set it to false"
                            .formatted(path));
        }
        return new DriverFile(path, driverClass, harmless);
    }

    private static String text(final BrokerChannel<OmbParameters> channel, final Path path) {
        try {
            if (!Files.isRegularFile(path)) {
                throw channel.wrong(
                        "%s is not a file; give the path of a driver's configuration"
                                .formatted(path));
            }
            if (Files.size(path) > MOST_BYTES) {
                throw channel.wrong(
                        "%s is larger than %d bytes; give the path of a driver's configuration"
                                .formatted(path, MOST_BYTES));
            }
            return Files.readString(path);
        } catch (final CharacterCodingException e) {
            throw channel.wrong(
                    "%s is not UTF-8; give the path of a driver's configuration, which is YAML"
                            .formatted(path));
        } catch (final IOException e) {
            throw channel.wrong(
                    "%s cannot be read (%s); give the path of a driver's configuration"
                            .formatted(path, IoReason.of(e)));
        }
    }

    private static JsonNode tree(
            final BrokerChannel<OmbParameters> channel, final Path path, final String text) {
        try {
            return YAML.readTree(text);
        } catch (final JacksonException e) {
            final int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
            throw channel.wrong(
                    "%s%s is not YAML (%s)"
                            .formatted(
                                    path,
                                    line > 0 ? " line " + line : "",
                                    e.getOriginalMessage().strip().replaceFirst("(?s)\\n.*", "")));
        }
    }

    /** Whether the driver gets a copy, in which {@code reset} is false. */
    boolean isChanged() {
        return !text.isEmpty();
    }

    /**
     * The file for the driver.
     *
     * @param channel for errors
     * @return a temporary one where it is a copy, for the caller to delete
     */
    Path forDriver(final BrokerChannel<OmbParameters> channel) {
        if (!isChanged()) {
            return path;
        }
        try {
            return Files.writeString(Files.createTempFile("tickmark-omb-", ".yaml"), text);
        } catch (final IOException e) {
            throw channel.failed(
                    ("no copy of %s can be written for the driver, in which reset is false (%s); make room in %s, or set"
                                    + " it to false")
                            .formatted(path, IoReason.of(e), System.getProperty("java.io.tmpdir")),
                    e);
        }
    }
}

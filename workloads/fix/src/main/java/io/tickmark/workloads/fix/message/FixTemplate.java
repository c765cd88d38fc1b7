package io.tickmark.workloads.fix.message;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.fix.session.Tags;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A message read from a text file, fields ended by SOH or by {@code |}. Header and trailer of the
 * file are not used: the session writes its own.
 */
public final class FixTemplate {
    /** Digits of a numbered symbol. */
    static final int SYMBOL_DIGITS = 6;

    private static final String BUILT_IN = "snapshot.fix";
    private static final long MOST_BYTES = 1 << 16;
    private static final char SOH = 1;
    private static final Set<Integer> TRAILER = Set.of(10, 89, 93);
    private static final Set<String> SESSION_TYPES = Set.of("0", "1", "2", "3", "4", "5", "A");

    /** One field. */
    private record Field(int tag, String value) {}

    private final String type;
    private final List<Field> fields;

    private FixTemplate(final String type, final List<Field> fields) {
        this.type = type;
        this.fields = fields;
    }

    /**
     * Reads a template.
     *
     * @param file empty for the one that comes with the workload, a market data snapshot (35=W)
     * @return the template
     * @throws UserError if it cannot be read or is no FIX message
     */
    public static FixTemplate read(final String file) {
        if (file.isEmpty()) {
            return parse(builtIn(), BUILT_IN);
        }
        final Path path = Path.of(file);
        try {
            if (Files.size(path) > MOST_BYTES) {
                throw UserError.usage(
                        "--message %s: is longer than %d bytes; give a file with one message."
                                .formatted(file, MOST_BYTES));
            }
            return parse(Files.readString(path, StandardCharsets.ISO_8859_1), file);
        } catch (final IOException e) {
            throw UserError.usage(
                    "--message %s: cannot be read (%s); give a file with one FIX message."
                            .formatted(file, IoReason.of(e)));
        }
    }

    private static String builtIn() {
        try (InputStream in = FixTemplate.class.getResourceAsStream(BUILT_IN)) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads a template from text.
     *
     * @param text one message; line ends count for nothing
     * @param name of the file, for errors
     * @return the template
     * @throws UserError if it is no FIX message
     */
    static FixTemplate parse(final String text, final String name) {
        final char end = text.indexOf(SOH) >= 0 ? SOH : '|';
        final List<Field> fields = new ArrayList<>();
        String type = "";
        int at = 0;
        while (at < text.length()) {
            final int found = text.indexOf(end, at);
            final int until = found < 0 ? text.length() : found;
            final String field = text.substring(at, until).strip();
            if (!field.isEmpty()) {
                final Field parsed = field(field, name, at);
                if (parsed.tag() == Tags.MSG_TYPE) {
                    type = type(parsed.value(), type, name);
                }
                if (!Tags.isOfHeader(parsed.tag())
                        && !TRAILER.contains(parsed.tag())
                        && !StampTags.isOwn(parsed.tag())) {
                    fields.add(parsed);
                }
            }
            at = until + 1;
        }
        if (type.isEmpty() || fields.isEmpty()) {
            throw UserError.usage(
                    "--message %s: has no message type (35=) or no fields after the header; give one FIX"
                                    .formatted(name)
                            + " message with SOH or | between its fields.");
        }
        return new FixTemplate(type, fields);
    }

    /** A session sends its own Logons and Heartbeats. */
    private static String type(final String value, final String before, final String name) {
        if (!before.isEmpty()) {
            throw UserError.usage(
                    "--message %s: holds more than one message; give a file with one."
                            .formatted(name));
        }
        if (SESSION_TYPES.contains(value)) {
            throw UserError.usage(
                    "--message %s: 35=%s is a message of the session itself; give one of the application, such as 35=W."
                            .formatted(name, value));
        }
        return value;
    }

    private static Field field(final String text, final String name, final int at) {
        final int equals = text.indexOf('=');
        try {
            final int tag = Integer.parseInt(text.substring(0, Math.max(0, equals)));
            if (tag > 0 && equals < text.length() - 1) {
                return new Field(tag, text.substring(equals + 1));
            }
        } catch (final NumberFormatException e) {
            // reported below
        }
        throw UserError.usage(
                "--message %s: a field 'tag=value' is expected at byte %d, not '%.40s'."
                        .formatted(name, at, text));
    }

    /** Value of field 35. */
    byte[] type() {
        return type.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** All fields after the header. */
    byte[] fields() {
        return bytes(false);
    }

    /** The same with {@code SYM000000} for the symbol, which is put first. */
    byte[] fieldsWithNumberedSymbol() {
        return bytes(true);
    }

    /** Position of the digits of a numbered symbol. */
    int symbolDigitsAt() {
        return "55=SYM".length();
    }

    private byte[] bytes(final boolean numbered) {
        final StringBuilder text = new StringBuilder();
        if (numbered) {
            text.append("55=SYM").append("0".repeat(SYMBOL_DIGITS)).append(SOH);
        }
        for (final Field field : fields) {
            if (!numbered || field.tag() != Tags.SYMBOL) {
                text.append(field.tag()).append('=').append(field.value()).append(SOH);
            }
        }
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}

package io.tickmark.wire.capture;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.wire.match.EpochOffset;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;

/**
 * What a capture file itself cannot say; kept beside it in {@code FILE.facts}, lines of {@code
 * name=value}.
 *
 * @param counts of tcpdump
 * @param offset of the clocks of the host that captured
 */
public record CaptureFacts(CaptureCounts counts, Optional<EpochOffset> offset) {
    private static final String SUFFIX = ".facts";
    private static final int LONGEST_BYTES = 1 << 16;

    /**
     * Writes them beside the capture.
     *
     * @param capture file
     * @throws UserError if it cannot be written
     */
    public void write(final Path capture) {
        final StringBuilder text = new StringBuilder("# written by tickmark capture\n");
        count(text, "captured", counts.captured());
        count(text, "receivedByFilter", counts.received());
        count(text, "dropped", counts.dropped());
        offset.ifPresent(known -> {
            line(text, "epochMinusMonotonicAtBeginNs", known.beginNs());
            line(text, "epochMinusMonotonicAtEndNs", known.endNs());
        });
        try {
            Files.writeString(beside(capture), text, StandardCharsets.UTF_8);
        } catch (final IOException e) {
            throw UserError.environment(
                    "%s cannot be written (%s).".formatted(beside(capture), IoReason.of(e)), e);
        }
    }

    /** What is not known (-1) is left out. */
    private static void count(final StringBuilder text, final String name, final long count) {
        if (count >= 0) {
            line(text, name, count);
        }
    }

    private static void line(final StringBuilder text, final String name, final long value) {
        text.append(String.format(Locale.ROOT, "%s=%d%n", name, value));
    }

    private static Path beside(final Path capture) {
        return capture.resolveSibling(capture.getFileName() + SUFFIX);
    }

    /**
     * Reads those beside a capture.
     *
     * @param capture file
     * @return the facts; empty where there is no such file
     * @throws UserError if there is one that cannot be read
     */
    public static Optional<CaptureFacts> of(final Path capture) {
        final Path file = beside(capture);
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try (var in = Files.newInputStream(file)) {
            final String text =
                    new String(in.readNBytes(LONGEST_BYTES), StandardCharsets.ISO_8859_1);
            final Properties facts = new Properties();
            facts.load(new StringReader(text));
            final OptionalLong begin = number(facts, "epochMinusMonotonicAtBeginNs", file);
            final OptionalLong end = number(facts, "epochMinusMonotonicAtEndNs", file);
            return Optional.of(
                    new CaptureFacts(
                            new CaptureCounts(
                                    number(facts, "captured", file).orElse(-1),
                                    number(facts, "receivedByFilter", file).orElse(-1),
                                    number(facts, "dropped", file).orElse(-1)),
                            begin.isPresent() && end.isPresent()
                                    ? Optional.of(
                                            new EpochOffset(begin.getAsLong(), end.getAsLong()))
                                    : Optional.empty()));
        } catch (final IOException | IllegalArgumentException e) {
            throw UserError.usage(
                    "%s cannot be read (%s); remove it to read the capture without it."
                            .formatted(file, e.getMessage()));
        }
    }

    private static OptionalLong number(final Properties facts, final String name, final Path file) {
        final String value = facts.getProperty(name);
        if (value == null) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Long.parseLong(value.strip()));
        } catch (final NumberFormatException e) {
            throw UserError.usage(
                    "%s: %s=%s is not a number; remove the file to read the capture without it."
                            .formatted(file, name, value));
        }
    }
}

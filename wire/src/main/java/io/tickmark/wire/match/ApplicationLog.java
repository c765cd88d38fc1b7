package io.tickmark.wire.match;

import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.wire.net.Hashing;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the application measured of each message: a role's {@code latency.csv}, by the time at which
 * the message was sent. Bounded; what finds no room is counted. Single thread.
 */
public final class ApplicationLog {
    /** Most messages kept; 96 MiB. */
    static final int MAX_MESSAGES = 1 << 22;

    private static final String HEADER = "repeat,step,kind,sentNs,receivedNs,latencyNs";
    private static final int COLUMNS = 6;
    private static final int LONGEST_LINE = 1 << 10;

    private final int repeat;
    private long[] sentNs = new long[1 << 10];
    private long[] receivedNs = new long[1 << 10];
    private int size;
    private long left;
    private long ambiguous;
    private boolean isRoundTrip;

    /**
     * A log without messages.
     *
     * @param repeat of the trial whose messages are wanted; 0 for all
     */
    public ApplicationLog(final int repeat) {
        this.repeat = repeat;
    }

    /**
     * Adds a file.
     *
     * @param file written by a role that logs its latencies
     * @return this
     * @throws UserError if it cannot be read or is another kind of file
     */
    public ApplicationLog add(final Path file) {
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
            String line = line(lines);
            if (!HEADER.equals(line)) {
                throw UserError.usage(
                        "%s, line 1: this is no log of latencies; it begins with '%s'."
                                .formatted(file, HEADER));
            }
            int number = 1;
            for (line = line(lines); line != null; line = line(lines)) {
                number++;
                take(line, file, number);
            }
            return this;
        } catch (final IOException e) {
            throw UserError.environment(file + " cannot be read (" + IoReason.of(e) + ").", e);
        }
    }

    /** A line of bounded length: a file without line ends is no reason to fill the memory. */
    private static String line(final BufferedReader lines) throws IOException {
        final StringBuilder text = new StringBuilder();
        for (int next = lines.read(); next >= 0; next = lines.read()) {
            if (next == '\n' || text.length() == LONGEST_LINE) {
                return text.toString();
            }
            text.append((char) next);
        }
        return text.isEmpty() ? null : text.toString();
    }

    private void take(final String line, final Path file, final int number) {
        final String[] cells = line.split(",", COLUMNS + 1);
        if (cells[0].equals("repeat")) {
            return; // a header again: several runs appended
        }
        if (cells.length != COLUMNS) {
            throw UserError.usage(
                    "%s, line %d: %d columns instead of %d."
                            .formatted(file, number, cells.length, COLUMNS));
        }
        try {
            if (repeat == 0 || Integer.parseInt(cells[0]) == repeat) {
                final long sent = Long.parseLong(cells[3]);
                final long received = Long.parseLong(cells[4]);
                // one way the log has the intended time, from which the latency counts
                isRoundTrip |=
                        cells[2].equals(Latencies.ROUND_TRIP_NS)
                                || received - sent != Long.parseLong(cells[5]);
                put(sent, received);
            }
        } catch (final NumberFormatException e) {
            throw UserError.usage(
                    "%s, line %d: '%s' holds something that is no number."
                            .formatted(file, number, line));
        }
    }

    private void put(final long sent, final long received) {
        if (size == MAX_MESSAGES) {
            left++;
            return;
        }
        if (2 * (size + 1) > sentNs.length) {
            grow();
        }
        final int slot = slot(sent);
        if (sentNs[slot] == sent && receivedNs[slot] != 0) {
            ambiguous++;
            return;
        }
        sentNs[slot] = sent;
        receivedNs[slot] = received;
        size++;
    }

    private void grow() {
        final long[] oldSent = sentNs;
        final long[] oldReceived = receivedNs;
        sentNs = new long[2 * oldSent.length];
        receivedNs = new long[2 * oldSent.length];
        for (int i = 0; i < oldSent.length; i++) {
            if (oldReceived[i] != 0) {
                final int slot = slot(oldSent[i]);
                sentNs[slot] = oldSent[i];
                receivedNs[slot] = oldReceived[i];
            }
        }
    }

    private int slot(final long sent) {
        int slot = (int) Hashing.spread(sent) & sentNs.length - 1;
        while (receivedNs[slot] != 0 && sentNs[slot] != sent) {
            slot = slot + 1 & sentNs.length - 1;
        }
        return slot;
    }

    /** When the message sent then was received, 0 where the log does not know it. */
    long receivedNs(final long sent) {
        return receivedNs[slot(sent)];
    }

    /** Whether the messages came back to their sender, and the log is the sender's. */
    boolean isRoundTrip() {
        return isRoundTrip;
    }

    /**
     * Messages that it knows.
     *
     * @return the count
     */
    public int size() {
        return size;
    }

    /**
     * Messages that found no room, or had the time of another one.
     *
     * @return the count
     */
    public long notKept() {
        return left + ambiguous;
    }
}

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
 * What the application measured of each message: a role's {@code latency.csv}, by what the
 * message's stamp says. Of several receivers of one message the first one's time is kept. Bounded;
 * what finds no room is counted. Single thread.
 */
public final class ApplicationLog {
    /** Most messages kept; 128 MiB. */
    private static final int MAX_MESSAGES = 1 << 22;

    private static final String HEADER =
            "repeat,step,kind,sentNs,receivedNs,latencyNs,source,sequence";
    private static final int COLUMNS = 8;
    private static final int LONGEST_LINE = 1 << 10;

    private final int repeat;
    private final int most;
    private long[] keys = new long[1 << 10];
    private long[] receivedNs = new long[1 << 10];
    private int size;
    private long notKept;
    private long again;
    private boolean isRoundTrip;

    /**
     * A log without messages.
     *
     * @param repeat of the trial whose messages are wanted; 0 for all
     */
    public ApplicationLog(final int repeat) {
        this(repeat, MAX_MESSAGES);
    }

    ApplicationLog(final int repeat, final int most) {
        this.repeat = repeat;
        this.most = most;
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
                        "%s, line 1: this is not a log of latencies; it begins with '%s'."
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
                put(
                        StampKey.of(
                                sent,
                                Integer.parseInt(cells[1]),
                                Integer.parseInt(cells[6]),
                                Integer.parseUnsignedInt(cells[7])),
                        received);
            }
        } catch (final NumberFormatException e) {
            throw UserError.usage(
                    "%s, line %d: '%s' holds something that is not a number."
                            .formatted(file, number, line));
        }
    }

    private void put(final long key, final long received) {
        if (receivedNs(key) != 0) {
            again++;
            return;
        }
        if (size == most) {
            notKept++;
            return;
        }
        if (2 * (size + 1) > keys.length) {
            grow();
        }
        final int slot = slot(key);
        keys[slot] = key;
        receivedNs[slot] = received;
        size++;
    }

    private void grow() {
        final long[] oldKeys = keys;
        final long[] oldReceived = receivedNs;
        keys = new long[2 * oldKeys.length];
        receivedNs = new long[2 * oldKeys.length];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldReceived[i] != 0) {
                final int slot = slot(oldKeys[i]);
                keys[slot] = oldKeys[i];
                receivedNs[slot] = oldReceived[i];
            }
        }
    }

    private int slot(final long key) {
        int slot = (int) Hashing.spread(key) & keys.length - 1;
        while (receivedNs[slot] != 0 && keys[slot] != key) {
            slot = slot + 1 & keys.length - 1;
        }
        return slot;
    }

    /**
     * When the message with that {@link StampKey} was received, 0 where the log does not know it.
     * The time in the key is the one that the log has: intended one way, sent of a round trip.
     */
    long receivedNs(final long key) {
        return receivedNs[slot(key)];
    }

    /**
     * Whether the messages came back to their sender, and the log is the sender's.
     *
     * @return false for messages that went one way
     */
    public boolean isRoundTrip() {
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
     * Times of messages that it knew already: of their other receivers.
     *
     * @return the count
     */
    public long again() {
        return again;
    }

    /**
     * Times of messages that found no room.
     *
     * @return the count
     */
    public long notKept() {
        return notKept;
    }
}

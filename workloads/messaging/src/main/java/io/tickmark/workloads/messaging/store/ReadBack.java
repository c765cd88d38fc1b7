package io.tickmark.workloads.messaging.store;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.kernel.stamp.StampChecksum;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.Deletion;
import io.tickmark.transport.store.StoreServer;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;

/**
 * Reads a store back and compares it with what it has acknowledged: every message that it reported
 * as stable must be there, unless a receiver has processed it and the store deletes such messages.
 * Messages that could not be looked for, because the store could not be read to its end, are
 * neither found nor missing but not verified, and fail the run.
 */
final class ReadBack {
    private static final String NOT_COMPARED =
            "Not compared message by message: no publisher recorded here what the store had acknowledged. By hand, compare"
                    + " stored with the publisher's acknowledged; a run of a plan compares these numbers itself.";

    private final StoreServer server;
    private final AcknowledgedFile acknowledged;
    private final Deletion deletion;
    private final int trialId;
    private final Counter stored;
    private final List<String> reasons = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final List<String> onMembers = new ArrayList<>();
    private long notFound;
    private long notVerified;
    private boolean isUncounted;

    /** Whether a publisher has recorded here what was acknowledged. */
    private boolean isAcknowledgedKnown;

    private long twice;
    private long corrupted;
    private long tornBytes;

    ReadBack(
            final StoreServer server,
            final AcknowledgedFile acknowledged,
            final Deletion deletion,
            final int trialId,
            final Counter stored) {
        this.server = server;
        this.acknowledged = acknowledged;
        this.deletion = deletion;
        this.trialId = trialId;
        this.stored = stored;
    }

    /**
     * Torn messages that were cut off before they could be examined count like those still there.
     */
    void countCuts() {
        for (final StoreServer.Cut cut : server.cuts()) {
            tornBytes += cut.bytes();
            warnings.add(
                    "%d bytes of an incomplete message, at byte %d of %s, were cut off when its member was started."
                            .formatted(cut.bytes(), cut.offset(), cut.file()));
        }
    }

    /**
     * If a store cannot be read, or reading breaks off, the messages found until then count as
     * found, and the rest as not verified.
     */
    void read(final Topic topic) {
        final StoredMessages messages = new StoredMessages(topic.id(), trialId);
        String failure = failureOf(() -> read(topic, messages));
        if (failure.isEmpty()) {
            failure = failureOf(() -> requireNotDeleted(topic, messages));
        }
        twice += messages.twice();
        if (failure.isEmpty()) {
            compare(topic, messages);
        } else {
            leaveUnverified(topic, messages, failure);
        }
        final String unchecked = failureOf(() -> verify(topic, messages));
        if (!unchecked.isEmpty()) {
            corrupted += messages.corrupted();
            warnings.add(
                    "The files of topic %s could not be checked for torn and corrupted messages: %s"
                            .formatted(topic.name(), unchecked));
        }
    }

    /** Why an action failed, a sentence; empty where it succeeded. */
    private static String failureOf(final Runnable work) {
        try {
            work.run();
            return "";
        } catch (final UserError e) {
            return e.getMessage().endsWith(".") ? e.getMessage() : e.getMessage() + ".";
        } catch (final UncheckedIOException e) {
            return "its files cannot be read (%s).".formatted(IoReason.of(e.getCause()));
        }
    }

    private void read(final Topic topic, final StoredMessages messages) {
        final long before = stored.get();
        server.readBack(
                topic,
                0,
                (buffer, offset, length) -> {
                    messages.onMessage(buffer, offset, length);
                    stored.set(before + messages.distinct());
                });
    }

    /**
     * Messages that others than the receivers have deleted are not lost: that the store had them
     * cannot be verified any more.
     */
    private void requireNotDeleted(final Topic topic, final StoredMessages messages) {
        final long stable = acknowledged.stable(topic.id());
        final boolean deletes = deletion == Deletion.ACKNOWLEDGED;
        final boolean mayBeMissing =
                stable == 0 ? !deletes : messages.missing(from(topic, stable), stable) > 0;
        if (!mayBeMissing) {
            return;
        }
        final long first = server.firstOrdinal(topic);
        if (first > (deletes ? acknowledged.nextOrdinal(topic.id()) : 0)) {
            throw UserError.environment(
                    ("it begins with message %d now: the server has deleted messages by a limit or policy of its own, or for"
                                    + " another program.")
                            .formatted(first));
        }
    }

    private void verify(final Topic topic, final StoredMessages messages) {
        final StoreServer.Verification verification = server.verify(topic);
        tornBytes += verification.tornBytes();
        corrupted += Math.max(verification.corrupted(), messages.corrupted());
        if (verification.corrupted() > 0) {
            warnings.add(
                    "The store's own check found %d corrupted messages of topic %s on disk."
                            .formatted(verification.corrupted(), topic.name()));
        }
        compareMembers(topic);
    }

    private void leaveUnverified(
            final Topic topic, final StoredMessages messages, final String failure) {
        final long stable = acknowledged.stable(topic.id());
        final long open = messages.missing(from(topic, stable), stable);
        notVerified += open;
        isAcknowledgedKnown |= stable > 0;
        isUncounted |= stable == 0; // its publisher could not record here what was acknowledged
        final boolean isAllFound = stable > 0 && open == 0;
        (isAllFound ? warnings : reasons)
                .add(
                        "Topic %s could not be read back%s: %s %s"
                                .formatted(
                                        topic.name(),
                                        messages.distinct() == 0 ? "" : " completely",
                                        failure,
                                        stable == 0
                                                ? "Not verified: the acknowledged messages could not be looked for."
                                                : isAllFound
                                                        ? "All that the store had acknowledged was found before."
                                                        : ("Not verified: whether it has %d of the %d messages that it had"
                                                                        + " acknowledged.")
                                                                .formatted(open, stable)));
    }

    private long from(final Topic topic, final long stable) {
        return deletion == Deletion.ACKNOWLEDGED
                ? Math.min(stable, acknowledged.received(topic.id()))
                : 0;
    }

    private void compare(final Topic topic, final StoredMessages messages) {
        final long stable = acknowledged.stable(topic.id());
        isAcknowledgedKnown |= stable > 0;
        final long from = from(topic, stable);
        final long missing = messages.missing(from, stable);
        notFound += missing;
        if (missing > 0) {
            reasons.add(
                    ("%d of %d messages of topic %s that the store had acknowledged are not found in it: sequences %s.")
                            .formatted(
                                    missing,
                                    stable,
                                    topic.name(),
                                    messages.missingRanges(from, stable)));
        }
    }

    private void compareMembers(final Topic topic) {
        final List<Long> counts = server.onMembers(topic);
        if (deletion == Deletion.ACKNOWLEDGED || counts.size() < 2) {
            return; // each deletes in its own time
        }
        onMembers.add(
                counts.stream()
                        .map(count -> Long.toString(count))
                        .collect(Collectors.joining(" ")));
        final long most = Collections.max(counts);
        final long fewest = Collections.min(counts);
        if (fewest < most) {
            warnings.add(
                    "Member %d has %d of %d messages of topic %s; other members have those it missed while it was down."
                            .formatted(counts.indexOf(fewest) + 1, fewest, most, topic.name()));
        }
    }

    Map<String, Long> counts() {
        final Map<String, Long> counts = new LinkedHashMap<>();
        if (!isUncounted) {
            counts.put(Counts.STORED, stored.get());
        }
        if (isAcknowledgedKnown) {
            counts.put(Counts.NOT_FOUND, notFound);
        }
        counts.put(Counts.NOT_VERIFIED, notVerified);
        return counts;
    }

    Map<String, Object> metrics() {
        final Map<String, Object> metrics = new LinkedHashMap<>();
        metrics.put("storedTwice", twice);
        metrics.put("storedCorrupted", corrupted);
        metrics.put("tornBytes", tornBytes);
        if (!onMembers.isEmpty()) {
            metrics.put("messagesOnMembers", String.join(", ", onMembers));
        }
        return metrics;
    }

    List<String> reasons() {
        return reasons;
    }

    List<String> warnings() {
        if (isAcknowledgedKnown || stored.get() == 0) {
            return warnings;
        }
        return Stream.concat(warnings.stream(), Stream.of(NOT_COMPARED)).toList();
    }

    /**
     * The measured messages of one topic that were found in a store. Each run announces itself
     * before its first message, so that those of several runs in one store are distinguished, even
     * where messages are too short to carry an identity. Single-threaded, off the hot path.
     */
    static final class StoredMessages {
        private static final int MOST_RANGES = 10;
        private static final int CHUNK_BITS = 24;
        private static final long CHUNK_MASK = (1L << CHUNK_BITS) - 1;

        private final int topic;
        private final int trialId;
        private final StampChecksum checksum = new StampChecksum();
        private final List<BitSet> found = new ArrayList<>();
        private int announced;
        private long distinct;
        private long twice;
        private long corrupted;

        /** {@code trialId} is that of the trial, 0 to take all runs. */
        StoredMessages(final int topic, final int trialId) {
            this.topic = topic;
            this.trialId = trialId;
        }

        /**
         * Records a message; one that does not belong to the measured step of the trial is skipped.
         */
        void onMessage(final DirectBuffer buffer, final int offset, final int length) {
            if (!Stamp.isStamped(buffer, offset, length)) {
                return;
            }
            if (Stamp.flags(buffer, offset) == Stamp.HELLO && length >= Stamp.FULL_LENGTH) {
                announce(Stamp.trialId(buffer, offset));
            }
            if ((Stamp.flags(buffer, offset) & ~Stamp.WARM_UP) != 0
                    || Stamp.step(buffer, offset) != 0
                    || Stamp.source(buffer, offset) != topic) {
                return;
            }
            if (length >= Stamp.FULL_LENGTH) {
                if (trialId != 0 && Stamp.trialId(buffer, offset) != trialId) {
                    return;
                }
                final int carried = Stamp.checksum(buffer, offset);
                if (carried != 0 && carried != checksum.of(buffer, offset, length)) {
                    corrupted++;
                    return;
                }
            } else if (trialId != 0 && announced != 0 && announced != trialId) {
                return; // of an earlier run
            }
            add(Stamp.sequence(buffer, offset) & 0xffff_ffffL);
        }

        /**
         * Messages found so far belong to earlier runs, whose sequences repeat; when run by hand
         * they all count. An announcement may be stored twice. A store that deletes may no longer
         * have one.
         */
        private void announce(final int announcedId) {
            if (announcedId == announced) {
                return;
            }
            announced = announcedId;
            if (trialId == 0) {
                found.clear();
            } else if (announced == trialId) {
                found.clear();
                distinct = 0;
                twice = 0;
            }
        }

        private void add(final long sequence) {
            final int chunk = (int) (sequence >>> CHUNK_BITS);
            while (found.size() <= chunk) {
                found.add(new BitSet());
            }
            final int bit = (int) (sequence & CHUNK_MASK);
            if (found.get(chunk).get(bit)) {
                twice++;
            } else {
                found.get(chunk).set(bit);
                distinct++;
            }
        }

        private boolean has(final long sequence) {
            final int chunk = (int) (sequence >>> CHUNK_BITS);
            return chunk < found.size() && found.get(chunk).get((int) (sequence & CHUNK_MASK));
        }

        long distinct() {
            return distinct;
        }

        long twice() {
            return twice;
        }

        long corrupted() {
            return corrupted;
        }

        /** How many of the sequences from {@code from} to before {@code to} were not found. */
        long missing(final long from, final long to) {
            long missing = 0;
            for (long sequence = from; sequence < to; sequence++) {
                missing += has(sequence) ? 0 : 1;
            }
            return missing;
        }

        /** The same as ranges, the first ones by name, such as {@code 17-20, 33 and 5 more}. */
        String missingRanges(final long from, final long to) {
            final StringJoiner ranges = new StringJoiner(", ");
            int all = 0;
            for (long sequence = from; sequence < to; sequence++) {
                if (has(sequence)) {
                    continue;
                }
                final long first = sequence;
                while (sequence + 1 < to && !has(sequence + 1)) {
                    sequence++;
                }
                if (++all <= MOST_RANGES) {
                    ranges.add(first == sequence ? Long.toString(first) : first + "-" + sequence);
                }
            }
            return all > MOST_RANGES
                    ? "%s and %d more".formatted(ranges, all - MOST_RANGES)
                    : ranges.toString();
        }
    }
}

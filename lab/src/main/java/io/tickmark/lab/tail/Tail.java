package io.tickmark.lab.tail;

import io.tickmark.kernel.record.RoleFiles;
import io.tickmark.kernel.result.TailSummary;
import io.tickmark.kernel.result.TailSummary.WatchedThread;
import io.tickmark.kernel.stall.MessageLog;
import io.tickmark.kernel.stall.StallRecording;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.lab.tail.Attribution.Delayed;
import io.tickmark.lab.tail.Attribution.Message;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** Reads what the roles of a trial noted, and tells where the tail of a step comes from. */
public final class Tail {
    private static final long CONTINUED_WITHIN_NS = 100_000_000;
    private static final int FEWEST = 1_000;
    private static final int HUNDREDTH = 100;

    /**
     * A role of the trial.
     *
     * @param name of the role
     * @param index from 1
     * @param folder of its files; empty where it runs on another host, whose files come later
     * @param pauses what its JVM logs of its pauses; empty where it keeps no such log
     */
    public record RoleFolder(
            String name, int index, Optional<Path> folder, Optional<Path> pauses) {}

    /** A step of the messages' file. */
    private record Kept(long seen, boolean isThinned, List<Message> messages) {}

    /** A watched thread's figures as written. */
    private record Noted(
            RoleFolder role,
            String thread,
            StallWatch.Part part,
            String notWatched,
            Pauses pauses,
            List<long[]> stalls,
            List<long[]> ran,
            long[] more) {}

    private static final int NOT_NOTED = 0;
    private static final int UNCOUNTED = 1;

    private final List<Noted> threads = new ArrayList<>();
    private final List<Long> continuedNs = new ArrayList<>();
    private final List<String> notWatched = new ArrayList<>();
    private final Kept kept;

    private Tail(final List<RoleFolder> roles, final int repeat, final int step)
            throws IOException {
        Kept found = null;
        for (final RoleFolder role : roles) {
            final String name = role.name() + " " + role.index();
            if (role.folder().isEmpty()) {
                notWatched.add(name + " ran on another host or kept no files.");
                continue;
            }
            final int before = threads.size();
            read(role, repeat);
            if (threads.size() == before) {
                notWatched.add(name + " notes no stalls.");
            }
            final Path messages = role.folder().get().resolve(RoleFiles.MESSAGES);
            if (found == null && Files.exists(messages)) {
                found = messages(messages, repeat, step);
            }
        }
        kept = found;
        for (final Noted thread : threads) {
            final String name = thread.role().name() + " " + thread.role().index();
            if (thread.notWatched().isEmpty() && !thread.pauses().isKept()) {
                notWatched.add(
                        name
                                + ": its JVM kept no log of its pauses, so that collections count as unknown.");
            }
            if (!thread.notWatched().isEmpty()) {
                notWatched.add(name + ", " + thread.thread() + ": " + thread.notWatched() + ".");
            }
            if (thread.more()[UNCOUNTED] > 0) {
                notWatched.add(
                        name
                                + ", "
                                + thread.thread()
                                + ": the kernel's counters of the thread cannot be read, so that its stalls have no cause.");
            }
        }
    }

    /**
     * Where the tail comes from.
     *
     * @param roles of the trial whose files are here
     * @param repeat of the trial
     * @param step of the row
     * @param isShared whether the test has more hot threads than cores
     * @param refusals why undisturbed figures cannot be, besides what the messages tell
     * @param warnings hears a sentence where files cannot be read to their end
     * @return empty where no messages or too few were kept, or no thread was watched
     */
    public static Optional<TailSummary> summary(
            final List<RoleFolder> roles,
            final int repeat,
            final int step,
            final boolean isShared,
            final List<String> refusals,
            final Consumer<String> warnings) {
        try {
            final Tail tail = new Tail(roles, repeat, step);
            return tail.tells() ? Optional.of(tail.summary(isShared, refusals)) : Optional.empty();
        } catch (final IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
            // cut off, as by a role that was killed while it wrote; the figures do not depend on it
            warnings.accept(
                    "Where the tail of repeat %d comes from is not told: what the roles noted of it cannot be read (%s)."
                            .formatted(repeat, e));
            return Optional.empty();
        }
    }

    /**
     * The slowest messages of a step, each with what delayed it.
     *
     * @param messages that were looked at
     * @param of messages that there were; more where only an even part was kept
     * @param medianNs of those looked at
     * @param firstNs when the first of them was wanted
     * @param slowest of them, the slowest first
     */
    public record Slowest(
            long messages, long of, long medianNs, long firstNs, List<Delayed> slowest) {
        /** Copies the list. */
        public Slowest {
            slowest = List.copyOf(slowest);
        }
    }

    /**
     * The slowest hundredth of a step's messages.
     *
     * @param roles of the trial whose files are here
     * @param repeat of the trial
     * @param step of the row
     * @param isShared whether the test has more hot threads than cores
     * @param most how many at most
     * @return empty where no messages or too few were kept, or no thread was watched
     * @throws IOException if a file cannot be read
     * @throws IllegalArgumentException if what roles noted is torn or of another format
     */
    public static Optional<Slowest> slowest(
            final List<RoleFolder> roles,
            final int repeat,
            final int step,
            final boolean isShared,
            final int most)
            throws IOException {
        final Tail tail = new Tail(roles, repeat, step);
        if (!tail.tells()) {
            return Optional.empty();
        }
        final Delayed[] delayed = tail.delayed(isShared);
        final long firstNs = delayed[0].message().intendedNs();
        Arrays.sort(
                delayed,
                Comparator.comparingLong((Delayed each) -> each.message().latencyNs()).reversed());
        return Optional.of(
                new Slowest(
                        delayed.length,
                        tail.kept.seen(),
                        delayed[delayed.length / 2].message().latencyNs(),
                        firstNs,
                        Arrays.asList(delayed)
                                .subList(0, Math.min(most, delayed.length / HUNDREDTH))));
    }

    private boolean tells() {
        return kept != null && kept.messages().size() >= FEWEST && isWatched();
    }

    private boolean isWatched() {
        return threads.stream().anyMatch(thread -> thread.notWatched().isEmpty());
    }

    private TailSummary summary(final boolean isShared, final List<String> refusals) {
        final Delayed[] delayed = delayed(isShared);
        final Bands bands = new Bands(delayed);
        final long fromNs = kept.messages().getFirst().intendedNs();
        final long toNs = kept.messages().getLast().receivedNs();
        final List<WatchedThread> watched = new ArrayList<>();
        final List<Stall> all = new ArrayList<>();
        final List<String> why = new ArrayList<>(refusals);
        for (final Noted thread : threads) {
            if (thread.notWatched().isEmpty()) {
                final List<Stall> stalls =
                        stalls(thread, isShared).stream()
                                .filter(s -> s.endNs() > fromNs && s.beginNs() < toNs)
                                .toList();
                all.addAll(stalls);
                watched.add(
                        new WatchedThread(
                                thread.role().name(),
                                thread.role().index(),
                                thread.thread(),
                                StallWatch.THRESHOLD_NS,
                                stalls.size(),
                                stalls.stream().mapToLong(s -> s.endNs() - s.beginNs()).sum(),
                                thread.more()[NOT_NOTED]));
                if (thread.more()[NOT_NOTED] > 0) {
                    why.add(thread.more()[NOT_NOTED] + " stalls were not noted");
                }
            }
        }
        return new TailSummary(
                kept.messages().size(),
                kept.seen(),
                bands.medianNs(),
                bands.bands(),
                watched,
                notWatched,
                bands.undisturbed(all, why));
    }

    private Delayed[] delayed(final boolean isShared) {
        final List<Stall> sender = new ArrayList<>();
        final List<Stall> echo = new ArrayList<>();
        final List<Stall> receiver = new ArrayList<>();
        for (final Noted thread : threads) {
            final List<Stall> stalls = stalls(thread, isShared);
            switch (thread.part()) {
                case SEND_AND_RECEIVE -> {
                    sender.addAll(stalls);
                    receiver.addAll(stalls);
                }
                case ECHO -> echo.addAll(stalls);
                case SEND -> sender.addAll(stalls);
                case RECEIVE -> {
                    // a ping's other receivers are on no message's way
                    if (threads.stream().noneMatch(t -> t.part() == StallWatch.Part.ECHO)) {
                        receiver.addAll(stalls);
                    }
                }
                default -> throw new IllegalStateException();
            }
        }
        if (!kept.isThinned()) {
            return Attribution.of(kept.messages(), sender, echo, receiver);
        }
        final List<Delayed> all = new ArrayList<>();
        for (int from = 0; from < kept.messages().size(); from += MessageLog.WINDOW) {
            final int to = Math.min(kept.messages().size(), from + MessageLog.WINDOW);
            all.addAll(
                    List.of(
                            Attribution.of(
                                    kept.messages().subList(from, to), sender, echo, receiver)));
        }
        return all.toArray(Delayed[]::new);
    }

    private List<Stall> stalls(final Noted thread, final boolean isShared) {
        final List<Stall> stalls = new ArrayList<>();
        long lastEndNs = Long.MIN_VALUE;
        for (final long[] figures : thread.stalls()) {
            final long beginNs = Math.max(figures[0], lastEndNs);
            final long endNs = figures[1];
            if (endNs > beginNs) {
                stalls.add(
                        Stall.judged(
                                beginNs,
                                endNs,
                                new Stall.Evidence(
                                        thread.pauses().collectedNs(beginNs, endNs),
                                        thread.pauses().heldNs(beginNs, endNs),
                                        figures[2],
                                        figures[3],
                                        figures[7],
                                        Math.max(0, figures[8])
                                                + othersRan(thread, endNs - figures[9], endNs),
                                        continuedNs.stream()
                                                .anyMatch(ns ->
                                                        ns >= beginNs
                                                                && ns - endNs
                                                                        < CONTINUED_WITHIN_NS),
                                        isShared)));
                lastEndNs = endNs;
            }
        }
        return stalls;
    }

    /** What other roles' threads ran, hot ones apart, over the shortest interval known. */
    private long othersRan(final Noted thread, final long fromNs, final long toNs) {
        long sum = 0;
        for (final Noted other : threads) {
            if (!other.role().equals(thread.role()) && !other.ran().isEmpty()) {
                final List<long[]> ran = other.ran();
                final int from = lastUntil(ran, fromNs);
                final int to = Math.min(ran.size() - 1, lastUntil(ran, toNs) + 1);
                sum += Math.max(0, ran.get(to)[1] - ran.get(from)[1]);
            }
        }
        return sum;
    }

    private static int lastUntil(final List<long[]> ran, final long ns) {
        int low = 0;
        int high = ran.size() - 1;
        while (low < high) {
            final int middle = low + high + 1 >>> 1;
            if (ran.get(middle)[0] <= ns) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private void read(final RoleFolder role, final int repeat) throws IOException {
        final Path file = role.folder().orElseThrow().resolve(RoleFiles.STALLS);
        if (!Files.exists(file)) {
            return;
        }
        final Pauses pauses = Pauses.of(role.pauses());
        final List<Noted> own = new ArrayList<>();
        try (Stream<String> lines = Files.lines(file)) {
            lines.map(line -> line.split(",", -1))
                    .filter(cells -> cells.length > 2 && cells[1].equals("" + repeat))
                    .forEach(cells -> take(role, pauses, cells, own));
        } catch (final java.io.UncheckedIOException e) {
            throw e.getCause();
        }
        threads.addAll(own);
    }

    private void take(
            final RoleFolder role,
            final Pauses pauses,
            final String[] cells,
            final List<Noted> own) {
        switch (cells[0]) {
            case "watch" ->
                    own.add(
                            new Noted(
                                    role,
                                    cells[3],
                                    StallWatch.Part.valueOf(cells[4]),
                                    cells[6],
                                    pauses,
                                    new ArrayList<>(),
                                    new ArrayList<>(),
                                    new long[2]));
            case "stall" -> own.get(Integer.parseInt(cells[2])).stalls().add(numbers(cells, 10));
            case "ran" -> own.get(Integer.parseInt(cells[2])).ran().add(numbers(cells, 2));
            case "full" ->
                    own.get(Integer.parseInt(cells[2])).more()[NOT_NOTED] =
                            Long.parseLong(cells[3]);
            case "uncounted" -> own.get(Integer.parseInt(cells[2])).more()[UNCOUNTED] = 1;
            case "continued" -> continuedNs.add(Long.parseLong(cells[2]));
            default -> throw new IllegalArgumentException(cells[0]);
        }
    }

    private static long[] numbers(final String[] cells, final int count) {
        if (cells.length != count + 3) {
            throw new IllegalArgumentException("a line of " + cells.length + " cells");
        }
        return Arrays.stream(cells, 3, cells.length).mapToLong(Long::parseLong).toArray();
    }

    private static Kept messages(final Path file, final int repeat, final int step)
            throws IOException {
        try (DataInputStream in =
                new DataInputStream(
                        new BufferedInputStream(
                                new GZIPInputStream(
                                        new BufferedInputStream(Files.newInputStream(file)))))) {
            while (true) {
                final int format;
                try {
                    format = in.readInt();
                } catch (final EOFException e) {
                    return null;
                }
                if (format != StallRecording.MESSAGES_FORMAT) {
                    throw new IllegalArgumentException("another format");
                }
                final int blockRepeat = in.readInt();
                final int blockStep = in.readInt();
                final long seen = in.readLong();
                final boolean isThinned = in.readBoolean();
                final int count = in.readInt();
                final boolean isWanted = blockRepeat == repeat && blockStep == step;
                final List<Message> messages = new ArrayList<>();
                long intended = 0;
                for (int i = 0; i < count; i++) {
                    intended += number(in);
                    final long sent = intended + number(in);
                    final long received = sent + number(in);
                    if (isWanted) {
                        messages.add(new Message(intended, sent, received));
                    }
                }
                if (isWanted) {
                    return new Kept(seen, isThinned, messages);
                }
            }
        }
    }

    private static long number(final DataInputStream in) throws IOException {
        long bits = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            final int next = in.readUnsignedByte();
            bits |= (long) (next & 0x7F) << shift;
            if ((next & 0x80) == 0) {
                return bits >>> 1 ^ -(bits & 1);
            }
        }
        throw new IllegalArgumentException("a number without an end");
    }
}

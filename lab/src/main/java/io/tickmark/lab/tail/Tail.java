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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** Reads what the roles of a trial noted, and finds out where the tail of a step comes from. */
public final class Tail {
    private static final long CONTINUED_WITHIN_NS = 100_000_000;
    private static final int FEWEST = 1_000;
    private static final int HUNDREDTH = 100;
    private static final int MOST_NAMES = 10;

    /**
     * A role of the trial.
     *
     * @param name of the role
     * @param index from 1
     * @param folder of its files; empty where it runs on another host, whose files arrive later
     * @param pauses its JVM's log of pauses; empty where there is none
     */
    public record RoleFolder(
            String name, int index, Optional<Path> folder, Optional<Path> pauses) {}

    /** A step of the file of a role that received the messages. */
    private record Kept(
            RoleFolder role,
            long seen,
            boolean isThinned,
            boolean hasKernelTimes,
            List<Message> messages) {}

    /** A watched thread's figures as written. */
    private static final class Noted {
        private final RoleFolder role;
        private final String thread;
        private final StallWatch.Part part;
        private final String notWatched;
        private final Pauses pauses;
        private final List<long[]> stalls = new ArrayList<>();
        private final List<long[]> ran = new ArrayList<>();
        private final OffCore offCore = new OffCore();
        private long notNoted;
        private long undated;
        private long unnamed;
        private boolean isUncounted;
        private List<Stall> judged;

        Noted(final RoleFolder role, final Pauses pauses, final String[] watch) {
            this.role = role;
            this.pauses = pauses;
            thread = watch[3];
            part = StallWatch.Part.valueOf(watch[4]);
            notWatched = watch[6];
        }

        String name() {
            return role.name() + " " + role.index();
        }
    }

    private final List<Noted> threads = new ArrayList<>();
    private final List<Long> continuedNs = new ArrayList<>();

    /** Owners of processes, of roles and those that started them, by their ids. */
    private final Map<Long, OffCore.Process> processes = new HashMap<>();

    private final List<String> notWatched = new ArrayList<>();
    private final List<Kept> kept = new ArrayList<>();

    private Tail(final List<RoleFolder> roles, final int repeat, final int step)
            throws IOException {
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
            if (Files.exists(messages)) {
                messages(role, messages, repeat, step).ifPresent(kept::add);
            }
        }
        for (final Noted thread : threads) {
            final String name = thread.name();
            if (thread.notWatched.isEmpty() && !thread.pauses.isKept()) {
                notWatched.add(
                        name
                                + ": its JVM kept no log of its pauses, so that collections count as unknown.");
            }
            if (!thread.notWatched.isEmpty()) {
                notWatched.add(name + ", " + thread.thread + ": " + thread.notWatched + ".");
            }
            if (thread.undated > 0) {
                notWatched.add(
                        "%s, %s: %,d of the kernel's records of it were lost, so that some stalls are not dated."
                                .formatted(name, thread.thread, thread.undated));
            }
            if (thread.unnamed > 0) {
                notWatched.add(
                        ("%s, %s: %,d of the kernel's records of its cores were lost, so that what ran instead"
                                        + " is not known of all stalls.")
                                .formatted(name, thread.thread, thread.unnamed));
            }
            thread.offCore
                    .lacks()
                    .ifPresent(why -> notWatched.add(name + ", " + thread.thread + ": " + why));
            if (thread.isUncounted) {
                notWatched.add(
                        name
                                + ", "
                                + thread.thread
                                + ": the kernel's counters of the thread cannot be read, so that its stalls have no cause.");
            }
        }
    }

    /**
     * Where the tail comes from.
     *
     * @param roles of the trial with local files
     * @param repeat of the trial
     * @param step of the row
     * @param isShared whether the test has more hot threads than cores
     * @param refusals why there cannot be undisturbed figures, besides what the messages show
     * @param warnings receives a sentence where files cannot be read to their end
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
            if (tail.isAttributable()) {
                return Optional.of(tail.summary(isShared, refusals));
            }
            tail.whyNoStages().ifPresent(warnings);
            return Optional.empty();
        } catch (final IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
            // cut off, for example because a role was killed while it wrote; the figures do not
            // depend on it
            warnings.accept(
                    "Where the tail of repeat %d comes from is not reported: what the roles noted of it cannot be read (%s)."
                            .formatted(repeat, e));
            return Optional.empty();
        }
    }

    /**
     * The slowest messages of a step, each with what delayed it.
     *
     * @param messages that were examined
     * @param of all messages; more where only an even part was kept
     * @param medianNs of the examined ones
     * @param firstNs when the first of them was due
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
     * @param roles of the trial with local files
     * @param repeat of the trial
     * @param step of the row
     * @param isShared whether the test has more hot threads than cores
     * @param most how many at most
     * @return empty where no messages or too few were kept, or no thread was watched
     * @throws IOException if a file cannot be read
     * @throws IllegalArgumentException if the files of roles are torn or of another format
     */
    public static Optional<Slowest> slowest(
            final List<RoleFolder> roles,
            final int repeat,
            final int step,
            final boolean isShared,
            final int most)
            throws IOException {
        final Tail tail = new Tail(roles, repeat, step);
        if (!tail.isAttributable()) {
            return Optional.empty();
        }
        final Delayed[] delayed =
                tail.delayed(isShared).stream().flatMap(Arrays::stream).toArray(Delayed[]::new);
        final long firstNs = delayed[0].message().intendedNs();
        Arrays.sort(
                delayed,
                Comparator.comparingLong((Delayed each) -> each.message().latencyNs()).reversed());
        return Optional.of(
                new Slowest(
                        delayed.length,
                        tail.seen(),
                        delayed[delayed.length / 2].message().latencyNs(),
                        firstNs,
                        Arrays.asList(delayed)
                                .subList(0, Math.min(most, delayed.length / HUNDREDTH))));
    }

    /** For a user who asked for stages, which come with the tail. */
    private Optional<String> whyNoStages() {
        return kept.stream().noneMatch(Kept::hasKernelTimes)
                ? Optional.empty()
                : Optional.of(
                        "kernelTimes=true shows no stages: "
                                + (isWatched()
                                        ? "it needs %,d messages or more, and there were %,d."
                                                .formatted(FEWEST, looked())
                                        : "they come with the attribution of the tail, which needs threads that spin"
                                                + " (--idle spin)."));
    }

    private boolean isAttributable() {
        return looked() >= FEWEST && isWatched();
    }

    private long looked() {
        return kept.stream().mapToLong(each -> each.messages().size()).sum();
    }

    private long seen() {
        return kept.stream().mapToLong(Kept::seen).sum();
    }

    private boolean isWatched() {
        return threads.stream().anyMatch(thread -> thread.notWatched.isEmpty());
    }

    private TailSummary summary(final boolean isShared, final List<String> refusals) {
        final Bands bands = new Bands(delayed(isShared).toArray(Delayed[][]::new));
        final long fromNs = messages().mapToLong(Message::intendedNs).min().orElseThrow();
        final long toNs = messages().mapToLong(Message::receivedNs).max().orElseThrow();
        final List<WatchedThread> watched = new ArrayList<>();
        final List<Stall> all = new ArrayList<>();
        final List<String> why = new ArrayList<>(refusals);
        for (final Noted thread : threads) {
            if (thread.notWatched.isEmpty()) {
                final List<Stall> stalls =
                        stalls(thread, isShared).stream()
                                .filter(s -> s.endNs() > fromNs && s.beginNs() < toNs)
                                .toList();
                all.addAll(stalls);
                watched.add(
                        new WatchedThread(
                                thread.role.name(),
                                thread.role.index(),
                                thread.thread,
                                StallWatch.THRESHOLD_NS,
                                stalls.size(),
                                stalls.stream().mapToLong(s -> s.endNs() - s.beginNs()).sum(),
                                thread.notNoted));
                if (thread.notNoted > 0) {
                    why.add(thread.notNoted + " stalls were not noted");
                }
            }
        }
        return new TailSummary(
                looked(),
                seen(),
                bands.medianNs(),
                bands.bands(),
                watched,
                notWatched,
                ranInstead(isShared, fromNs, toNs),
                bands.undisturbed(all, why),
                kept.stream().anyMatch(Kept::hasKernelTimes) ? bands.stages() : List.of());
    }

    private List<TailSummary.Ran> ranInstead(
            final boolean isShared, final long fromNs, final long toNs) {
        final Map<String, Long> sums = new HashMap<>();
        for (final Noted thread : threads) {
            for (final Stall stall : stalls(thread, isShared)) {
                if (stall.endNs() > fromNs && stall.beginNs() < toNs) {
                    thread.offCore.addRanInstead(stall.beginNs(), stall.endNs(), sums);
                }
            }
        }
        return sums.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(MOST_NAMES)
                .map(each -> new TailSummary.Ran(each.getKey(), each.getValue()))
                .toList();
    }

    private Stream<Message> messages() {
        return kept.stream().flatMap(each -> each.messages().stream());
    }

    /** Of each role that received messages by itself, in order. */
    private List<Delayed[]> delayed(final boolean isShared) {
        final List<Delayed[]> all = new ArrayList<>();
        for (final Kept each : kept) {
            final List<Stall> sender = new ArrayList<>();
            final List<Stall> echo = new ArrayList<>();
            final List<Stall> receiver = new ArrayList<>();
            for (final Noted thread : threads) {
                final List<Stall> stalls = stalls(thread, isShared);
                final boolean isOwn = thread.role.equals(each.role());
                switch (thread.part) {
                    case SEND_AND_RECEIVE -> {
                        sender.addAll(stalls);
                        receiver.addAll(stalls);
                    }
                    case ECHO -> echo.addAll(stalls);
                    case SEND -> sender.addAll(stalls);
                    // other receivers are not on these messages' path
                    case RECEIVE -> receiver.addAll(isOwn ? stalls : List.of());
                    default -> throw new IllegalStateException();
                }
            }
            final List<Delayed> own = new ArrayList<>();
            final int window = each.isThinned() ? MessageLog.WINDOW : each.messages().size();
            for (int from = 0; from < each.messages().size(); from += window) {
                final int to = Math.min(each.messages().size(), from + window);
                own.addAll(
                        List.of(
                                Attribution.of(
                                        each.messages().subList(from, to),
                                        sender,
                                        echo,
                                        receiver)));
            }
            all.add(own.toArray(Delayed[]::new));
        }
        return all;
    }

    private List<Stall> stalls(final Noted thread, final boolean isShared) {
        if (thread.judged == null) {
            thread.judged = judged(thread, isShared);
        }
        return thread.judged;
    }

    private List<Stall> judged(final Noted thread, final boolean isShared) {
        final List<Stall> stalls = new ArrayList<>();
        long lastEndNs = Long.MIN_VALUE;
        for (final long[] figures : thread.stalls) {
            final long beginNs = Math.max(figures[0], lastEndNs);
            final long endNs = figures[1];
            if (endNs > beginNs) {
                stalls.add(
                        Stall.judged(
                                        beginNs,
                                        endNs,
                                        new Stall.Evidence(
                                                thread.pauses.collectedNs(beginNs, endNs),
                                                thread.pauses.heldNs(beginNs, endNs),
                                                figures[2],
                                                figures[3],
                                                figures[7],
                                                Math.max(0, figures[8])
                                                        + othersRan(
                                                                thread, endNs - figures[9], endNs),
                                                continuedNs.stream()
                                                        .anyMatch(ns ->
                                                                ns >= beginNs
                                                                        && ns - endNs
                                                                                < CONTINUED_WITHIN_NS),
                                                isShared,
                                                thread.offCore.between(beginNs, endNs, processes)))
                                .with(thread.offCore.mostInstead(beginNs, endNs)));
                lastEndNs = endNs;
            }
        }
        return stalls;
    }

    /** CPU time of other roles' threads, without hot ones, over the shortest known interval. */
    private long othersRan(final Noted thread, final long fromNs, final long toNs) {
        long sum = 0;
        for (final Noted other : threads) {
            if (!other.role.equals(thread.role) && !other.ran.isEmpty()) {
                final List<long[]> ran = other.ran;
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
            case "watch" -> own.add(new Noted(role, pauses, cells));
            case "continued" -> continuedNs.add(Long.parseLong(cells[2]));
            default -> take(cells, own.get(Integer.parseInt(cells[2])));
        }
    }

    private void take(final String[] cells, final Noted thread) {
        switch (cells[0]) {
            case "stall" -> thread.stalls.add(numbers(cells, 10));
            case "ran" -> thread.ran.add(numbers(cells, 2));
            case "full" -> thread.notNoted = Long.parseLong(cells[3]);
            case "uncounted" -> thread.isUncounted = true;
            case "dated" -> {
                thread.offCore.isDated(cells[3], cells[6]);
                processes.put(Long.parseLong(cells[4]), OffCore.Process.ROLE);
                processes.putIfAbsent(Long.parseLong(cells[5]), OffCore.Process.BENCH);
            }
            case "off" -> thread.offCore.left(cells);
            case "interrupt" -> thread.offCore.interrupted(cells);
            case "undated" -> {
                thread.undated = Long.parseLong(cells[3]);
                thread.unnamed = Long.parseLong(cells[4]);
            }
            default -> throw new IllegalArgumentException(cells[0]);
        }
    }

    private static long[] numbers(final String[] cells, final int count) {
        if (cells.length != count + 3) {
            throw new IllegalArgumentException("a line of " + cells.length + " cells");
        }
        return Arrays.stream(cells, 3, cells.length).mapToLong(Long::parseLong).toArray();
    }

    private static Optional<Kept> messages(
            final RoleFolder role, final Path file, final int repeat, final int step)
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
                    return Optional.empty();
                }
                if (format != StallRecording.MESSAGES_FORMAT
                        && format != StallRecording.MESSAGES_FORMAT_1) {
                    throw new IllegalArgumentException("another format");
                }
                final int blockRepeat = in.readInt();
                final int blockStep = in.readInt();
                final long seen = in.readLong();
                final boolean isThinned = in.readBoolean();
                final boolean hasKernelTimes =
                        format == StallRecording.MESSAGES_FORMAT && in.readBoolean();
                final int count = in.readInt();
                final boolean isWanted = blockRepeat == repeat && blockStep == step;
                final List<Message> messages = new ArrayList<>();
                long intended = 0;
                for (int i = 0; i < count; i++) {
                    intended += number(in);
                    final long sent = intended + number(in);
                    final long received = sent + number(in);
                    final long departed = hasKernelTimes ? number(in) : 0;
                    final long arrived = hasKernelTimes ? number(in) : 0;
                    if (isWanted) {
                        messages.add(
                                new Message(
                                        intended,
                                        sent,
                                        received,
                                        departed == 0 ? 0 : sent + departed,
                                        arrived == 0 ? 0 : sent + arrived));
                    }
                }
                if (isWanted) {
                    return Optional.of(new Kept(role, seen, isThinned, hasKernelTimes, messages));
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

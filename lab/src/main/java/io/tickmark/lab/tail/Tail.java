package io.tickmark.lab.tail;

import io.tickmark.kernel.record.RoleFiles;
import io.tickmark.kernel.result.TailSummary;
import io.tickmark.kernel.result.TailSummary.NotTraced;
import io.tickmark.kernel.result.TailSummary.Stages;
import io.tickmark.kernel.result.TailSummary.Undisturbed;
import io.tickmark.kernel.result.TailSummary.WatchedThread;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.kernel.stall.MessageLog;
import io.tickmark.kernel.stall.StallRecording;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.lab.result.RoleFolders;
import io.tickmark.lab.tail.Attribution.AtEcho;
import io.tickmark.lab.tail.Attribution.Delayed;
import io.tickmark.lab.tail.Attribution.Departure;
import io.tickmark.lab.tail.Attribution.Message;
import io.tickmark.lab.tail.Attribution.OnWire;
import io.tickmark.lab.verdict.Labels;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** Reads what the roles of a trial noted, and finds out where the tail of a step comes from. */
public final class Tail {
    private static final long CONTINUED_WITHIN_NS = 100_000_000;
    private static final MessageLog.Kind[] KINDS = MessageLog.Kind.values();
    private static final int FEWEST = 1_000;
    private static final int FEWEST_OF_STAGES = 2 * Bands.FEWEST;
    private static final int MOST_NAMES = 10;

    /** Of a step whose messages were not kept to its end. */
    private static final double MOST_PART_NOT_KEPT = 0.1;

    private static final double LEAST_PART_NAMED = 0.1;
    private static final double NS_PER_US = 1e3;
    private static final double NS_PER_MS = 1e6;
    private static final double NS_PER_S = 1e9;

    private static final String SHARED =
            "other threads of the test ran meanwhile, on this core or another";

    /** RFC 1952: magic, method deflate, no flags, no time; as roles write each member. */
    private static final ValueLayout.OfLong GZIP_HEAD =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final long GZIP_HEAD_BITS = 0x0008_8b1fL;
    private static final int GZIP_HEAD_BYTES = Long.BYTES;

    /** No part of a member was read. */
    private static final int NO_REPEAT = -1;

    /** A reading of the clock of another host. */
    private static final String LINE = "line";

    /**
     * A role of the trial.
     *
     * @param name of the role
     * @param index from 1
     * @param folder of its files; empty where it runs on another host, whose files have not arrived
     * @param pauses its JVM's log of pauses; empty where there is none
     */
    public record RoleFolder(
            String name, int index, Optional<Path> folder, Optional<Path> pauses) {}

    /**
     * The roles of a trial by their folders in a result.
     *
     * @param row of the trial
     * @param folders of the result
     * @return in the order of the row
     */
    public static List<RoleFolder> roles(final TrialResult row, final RoleFolders folders) {
        return row.roles().stream()
                .map(role -> {
                    final Optional<Path> folder =
                            folders.find(row.test(), row.channel(), role.role(), role.index());
                    return new RoleFolder(
                            role.role(),
                            role.index(),
                            folder,
                            folder.map(path -> path.resolve(RoleFiles.PAUSES))
                                    .filter(Files::exists));
                })
                .toList();
    }

    /**
     * A step of the file of a role that received the messages.
     *
     * @param windows their first messages, where some between them are missing
     * @param slowest of the others, in the order received
     */
    private record Kept(
            RoleFolder role,
            long seen,
            int[] windows,
            List<Message> messages,
            List<Message> slowest) {
        Kept with(final UnaryOperator<Message> known) {
            return new Kept(role, seen, windows, messages.stream().map(known).toList(), slowest);
        }
    }

    /** What is known of a host and of the processes there. */
    private static final class HostNotes {
        /** Cores, and hot threads on them. */
        private ControllerNotes.Cores cores;

        HostNotes(final ControllerNotes.Cores cores) {
            this.cores = cores;
        }

        /** Counts of its cores and of the roles' control groups. */
        private final TakenCoreTime taken = new TakenCoreTime();

        /** Processes that serve the engine and are nobody's of the test. */
        private final Set<String> foreign = new TreeSet<>();

        /** How long the threads of others that serve the engine had waited for a core by then. */
        private final Map<String, List<TakenCoreTime.Reading>> waited = new TreeMap<>();

        /** Roles that ran there, by their names. */
        private final Set<String> roles = new LinkedHashSet<>();

        /** Processes of roles, as far as a watched thread of them was dated. */
        private final Map<RoleFolder, Long> pids = new HashMap<>();

        /** Threads of roles that are not watched, and when they ran. */
        private final List<OffCore.Other> others = new ArrayList<>();

        /** Owners of processes, of roles and those that started them, by their ids. */
        private final Map<Long, OffCore.Process> processes = new HashMap<>();
    }

    /** When the process of a role was stopped. */
    private static final class Stops {
        /** When it heard that it was continued. */
        private final List<Long> continuedNs = new ArrayList<>();

        /** By faults of the plan. */
        private final List<ControllerNotes.Stop> planned;

        Stops(final List<ControllerNotes.Stop> planned) {
            this.planned = planned;
        }

        /** What stopped it during a stall, as far as anything says so. */
        Optional<Cause> during(final long beginNs, final long endNs) {
            final boolean isContinued =
                    continuedNs.stream()
                            .anyMatch(ns -> ns >= beginNs && ns - endNs < CONTINUED_WITHIN_NS);
            // an order takes its time to another host, and so does the signal behind it
            final long lateNs = isContinued ? CONTINUED_WITHIN_NS : 0;
            return planned.stream()
                            .anyMatch(
                                    stop -> stop.fromNs() < endNs && beginNs < stop.toNs() + lateNs)
                    ? Optional.of(Cause.PLANNED_STOP)
                    : Optional.of(Cause.STOPPED).filter(_ -> isContinued);
        }
    }

    /**
     * When messages of the step passed a role, whether their times were kept or not.
     *
     * @param fullNs from when on there was no room for them; the end where there was
     */
    private record Passed(RoleFolder role, long fromNs, long toNs, long fullNs) {
        boolean isKeptToItsEnd() {
            return toNs - fullNs <= MOST_PART_NOT_KEPT * (toNs - fromNs);
        }

        /** A clause. */
        String keptPart() {
            return String.format(
                    Locale.ROOT,
                    "the times of messages were kept for the first %.1f of %.1f s only",
                    (fullNs - fromNs) / NS_PER_S,
                    (toNs - fromNs) / NS_PER_S);
        }
    }

    /** A watched thread's figures as written. */
    private static final class Noted {
        private final HostNotes host;
        private final RoleFolder role;
        private final Stops stops;
        private final String thread;
        private final StallWatch.Part part;
        private final String notWatched;
        private final Pauses pauses;
        private final List<long[]> stalls = new ArrayList<>();
        private final List<long[]> ran = new ArrayList<>();
        private final OffCore offCore;
        private long notNoted;
        private long notNotedNs;
        private long notNotedFromNs;
        private long notNotedToNs;
        private long undated;
        private long unnamed;
        private boolean isUncounted;
        private long thresholdNs = StallWatch.THRESHOLD_NS;
        private boolean isWrittenToItsEnd;
        private long unsampledNs = Long.MAX_VALUE;
        private long pid;
        private final Map<TailSummary.Trace, String> notTraced =
                new EnumMap<>(TailSummary.Trace.class);
        private List<Stall> judged;

        Noted(
                final HostNotes host,
                final RoleFolder role,
                final Stops stops,
                final Pauses pauses,
                final ClockLine line,
                final String[] watch) {
            this.host = host;
            this.role = role;
            this.stops = stops;
            this.pauses = pauses;
            offCore = new OffCore(line);
            thread = watch[3];
            part = StallWatch.Part.valueOf(watch[4]);
            notWatched = watch[6];
        }

        String name() {
            return role.name() + " " + role.index();
        }

        /** Whether both are threads of one process. */
        boolean isBeside(final Noted other) {
            return role.equals(other.role) || host == other.host && pid != 0 && pid == other.pid;
        }

        /**
         * Whether it is a thread of a role, or of the process that the role shares with its own.
         */
        private boolean isOf(final RoleFolder other) {
            return role.equals(other) || host.pids.getOrDefault(other, 0L) == pid && pid != 0;
        }

        /** How long the stalls that it did not note may have been between two times. */
        private long notNotedNs(final long fromNs, final long toNs) {
            final long ns = Math.min(toNs, notNotedToNs) - Math.max(fromNs, notNotedFromNs);
            return Math.clamp(ns, 0, notNotedNs);
        }

        private String whyNotNoted() {
            return Plural.of(
                    notNoted, "of its stalls was not noted", "of its stalls were not noted");
        }

        String called() {
            return name() + ", " + thread;
        }

        /**
         * Where its process was killed, nothing is known behind what it had written: neither that
         * the thread ran on, nor that it did not.
         *
         * @return when that was; empty where all is written
         */
        OptionalLong cutOffNs() {
            if (isWrittenToItsEnd || ran.isEmpty()) {
                return OptionalLong.empty();
            }
            long lastNs = ran.getLast()[0];
            if (!stalls.isEmpty()) {
                lastNs = Math.max(lastNs, stalls.getLast()[1]);
            }
            return OptionalLong.of(Math.max(lastNs, offCore.lastNs()));
        }
    }

    private final List<Noted> threads = new ArrayList<>();

    /** By their names; the controller's is empty. */
    private final Map<String, HostNotes> hosts = new HashMap<>();

    private final List<String> notWatched = new ArrayList<>();
    private final List<NotTraced> notTraced = new ArrayList<>();
    private final List<Kept> kept = new ArrayList<>();
    private final List<Passed> passed = new ArrayList<>();

    /** Of one-way messages, as their sender knows them, by the time of the send. */
    private final Map<Long, Departure> departures = new HashMap<>();

    /** Of pings, as their echo knows them, by the time of the send. */
    private final Map<Long, AtEcho> echoed = new HashMap<>();

    /** Of pings, as a capture saw them, by the time of the send. */
    private final Map<Long, OnWire> captured = new HashMap<>();

    private final TrialResult row;

    private Tail(final List<RoleFolder> roles, final TrialResult row) throws IOException {
        this.row = row;
        for (final RoleFolder role : roles) {
            final String name = role.name() + " " + role.index();
            final Optional<RoleSummary> summary = summary(role);
            final String host = summary.map(RoleSummary::host).orElse("");
            final HostNotes notes =
                    hosts.computeIfAbsent(
                            host,
                            key ->
                                    new HostNotes(
                                            new ControllerNotes.Cores(
                                                    row.hotThreads(), row.cores())));
            notes.roles.add(name);
            if (role.folder().isEmpty()) {
                notWatched.add(
                        host.isEmpty()
                                ? name + " kept no files."
                                : "%s ran on %s, whose files are not here.".formatted(name, host));
                continue;
            }
            final ClockLine line = host.isEmpty() ? ClockLine.SAME : line(role);
            if (!host.isEmpty()) {
                notWatched.add(elsewhere(name, host, line, summary));
                if (!line.isKnown()) {
                    continue;
                }
            }
            final int before = threads.size();
            read(role, notes, line);
            if (threads.size() == before) {
                notWatched.add(name + " notes no stalls.");
            }
            final Path messages = role.folder().get().resolve(RoleFiles.MESSAGES);
            if (Files.exists(messages)) {
                messages(role, messages, line).ifPresent(kept::add);
            }
        }
        if (!departures.isEmpty()) {
            kept.replaceAll(each ->
                    each.with(message ->
                            message.departed(
                                    departures.getOrDefault(message.sentNs(), Departure.UNKNOWN))));
        }
        if (!echoed.isEmpty()) {
            kept.replaceAll(each ->
                    each.with(message ->
                            message.echoed(echoed.getOrDefault(message.sentNs(), AtEcho.UNKNOWN))));
        }
        if (!captured.isEmpty()) {
            kept.replaceAll(each ->
                    each.with(message ->
                            message.captured(
                                    captured.getOrDefault(message.sentNs(), OnWire.UNKNOWN))));
        }
        for (final Passed each : passed) {
            if (!each.isKeptToItsEnd()) {
                notWatched.add(
                        "%s %d: %s; what delayed the others is not known."
                                .formatted(
                                        each.role().name(), each.role().index(), each.keptPart()));
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
            thread.cutOffNs()
                    .ifPresent(ns -> {
                        thread.offCore.unseenFrom(ns);
                        notWatched.add(
                                thread.called()
                                        + ": its process ended before it had written all: what is known of it ends about a"
                                        + " second before that.");
                    });
            if (thread.unsampledNs != Long.MAX_VALUE) {
                notWatched.add(
                        ("%s: %s that a trial's files take; after that, who had its core is unknown for some stalls.")
                                .formatted(thread.called(), allReadings(thread.ran.size())));
            }
            if (thread.notNoted > 0) {
                notWatched.add(
                        String.format(
                                Locale.ROOT,
                                "%s: %s%s, because there was no room for them: what they delayed is in the rest.",
                                thread.called(),
                                thread.whyNotNoted(),
                                thread.notNotedNs == 0
                                        ? ""
                                        : String.format(
                                                Locale.ROOT,
                                                ", %.1f ms in all",
                                                thread.notNotedNs / NS_PER_MS)));
            }
            if (thread.undated > 0) {
                notWatched.add(
                        "%s, %s: %,d of the kernel's records of it were lost, so that some stalls are not dated."
                                .formatted(name, thread.thread, thread.undated));
            }
            if (thread.unnamed > 0) {
                notWatched.add(
                        ("%s, %s: %,d of the kernel's records of its cores were lost, so that what ran instead"
                                        + " is unknown for some stalls.")
                                .formatted(name, thread.thread, thread.unnamed));
            }
            thread.notTraced.forEach((what, why) ->
                    notTraced.add(
                            new NotTraced(
                                    thread.role.name(),
                                    thread.role.index(),
                                    thread.thread,
                                    what,
                                    why)));
            thread.offCore.lacks().ifPresent(why -> notWatched.add(thread.called() + ": " + why));
            if (thread.isUncounted) {
                notWatched.add(
                        name
                                + ", "
                                + thread.thread
                                + ": the kernel's counters of the thread cannot be read, so that its stalls have no cause.");
            }
        }
    }

    private static String allReadings(final int count) {
        return count == 1
                ? "1 reading of what the other threads of its process ran is all"
                : "%,d readings of what the other threads of its process ran are all"
                        .formatted(count);
    }

    /**
     * Where the tail comes from.
     *
     * @param roles of the trial with local files
     * @param row of the trial
     * @param warnings receives a sentence where files cannot be read to their end
     * @return where it cannot be known or read, why, and the stages where they were asked for;
     *     empty where there is no latency and no thread was watched, or the row is void without it
     */
    public static Optional<TailSummary> summary(
            final List<RoleFolder> roles, final TrialResult row, final Consumer<String> warnings) {
        try {
            final Tail tail = new Tail(roles, row);
            final String whyNot = tail.whyNotAttributed();
            if (whyNot.isEmpty() || tail.haveStages()) {
                return Optional.of(tail.summary());
            }
            return row.verdict() == Verdict.VOID || row.latencies().isEmpty() && !tail.isWatched()
                    ? Optional.empty()
                    : Optional.of(tail.notAttributed(whyNot));
        } catch (final IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
            // the figures do not depend on it, but whether the machine let the test run does
            final String why = "what the roles noted cannot be read (%s)".formatted(e);
            warnings.accept(
                    "Where the tail of repeat %d comes from is not reported: %s."
                            .formatted(row.repeat(), why));
            return row.verdict() == Verdict.VOID
                    ? Optional.empty()
                    : Optional.of(unreadable(roles, why));
        }
    }

    /** The machine may have had the cores for all of the time. */
    private static TailSummary unreadable(final List<RoleFolder> roles, final String why) {
        return new TailSummary(
                0,
                0,
                0,
                List.of(),
                roles.stream()
                        .map(role ->
                                new WatchedThread(
                                        role.name(),
                                        role.index(),
                                        "each of its threads",
                                        StallWatch.THRESHOLD_NS,
                                        0,
                                        0,
                                        0,
                                        0,
                                        "",
                                        1,
                                        why))
                        .toList(),
                List.of(),
                List.of(),
                List.of(),
                new Undisturbed(0, why, null),
                List.of(),
                "",
                why);
    }

    /**
     * The slowest messages of a step, each with what delayed it.
     *
     * @param messages that were examined
     * @param of all messages; more where only an even part was kept
     * @param medianNs of the examined ones
     * @param firstNs when the first of them was due
     * @param slowest of them, the slowest first
     * @param dropped compiled code that JVMs of watched threads dropped, by role
     */
    public record Slowest(
            long messages,
            long of,
            long medianNs,
            long firstNs,
            List<Delayed> slowest,
            Map<String, List<Pauses.Deoptimisation>> dropped) {
        /** Copies the lists. */
        public Slowest {
            slowest = List.copyOf(slowest);
            dropped = Map.copyOf(dropped);
        }
    }

    /**
     * The slowest of a step's messages, none below the median.
     *
     * @param roles of the trial with local files
     * @param row of the trial
     * @param most how many at most
     * @return empty where no messages or too few were kept, or no thread was watched
     * @throws IOException if a file cannot be read
     * @throws IllegalArgumentException if the files of roles are torn or of another format
     */
    public static Optional<Slowest> slowest(
            final List<RoleFolder> roles, final TrialResult row, final int most)
            throws IOException {
        final Tail tail = new Tail(roles, row);
        if (!tail.whyNotAttributed().isEmpty()) {
            return Optional.empty();
        }
        final Delayed[] looked =
                tail.delayed().stream().flatMap(Arrays::stream).toArray(Delayed[]::new);
        final long firstNs = looked[0].message().intendedNs();
        final long medianNs = new Bands(looked).medianNs();
        final long above =
                looked.length / 2
                        + tail.kept.stream().mapToLong(each -> each.slowest().size()).sum();
        final List<Delayed> all =
                Stream.concat(
                                Arrays.stream(looked),
                                tail.kept.stream()
                                        .flatMap(each ->
                                                Arrays.stream(
                                                        tail.delayed(
                                                                each,
                                                                each.slowest(),
                                                                Attribution.usualNs(
                                                                        each.messages())))))
                        .sorted(
                                Comparator.comparingLong(
                                                (Delayed each) -> each.message().latencyNs())
                                        .reversed())
                        .limit(Math.min(most, above))
                        .toList();
        final Map<String, List<Pauses.Deoptimisation>> dropped = new TreeMap<>();
        tail.threads.forEach(thread -> dropped.put(thread.name(), thread.pauses.deoptimisations()));
        return Optional.of(
                new Slowest(looked.length, tail.seen(), medianNs, firstNs, all, dropped));
    }

    private Optional<RoleSummary> summary(final RoleFolder role) {
        return Stream.ofNullable(row.roles())
                .flatMap(List::stream)
                .filter(each -> each.role().equals(role.name()) && each.index() == role.index())
                .findFirst();
    }

    /** How well stalls of another host can be charged, a sentence. */
    private static String elsewhere(
            final String name,
            final String host,
            final ClockLine line,
            final Optional<RoleSummary> summary) {
        if (!line.isKnown()) {
            return ("%s ran on %s and did not record how its clock ran: its stalls are in its folder, but not"
                            + " attributed to messages.")
                    .formatted(name, host);
        }
        final Object boundNs =
                summary.map(RoleSummary::metrics)
                        .map(metrics -> metrics.get(RoleSummary.CLOCK_BOUND_NS))
                        .orElse("");
        return boundNs instanceof final Number ns
                ? String.format(
                        Locale.ROOT,
                        "%s ran on %s, whose clock agreed within %.1f us: its stalls may be charged up to that much"
                                + " too early or too late.",
                        name,
                        host,
                        ns.doubleValue() / NS_PER_US)
                : "%s ran on %s, and its clock error is unknown: its stalls may be attributed to the wrong messages."
                        .formatted(name, host);
    }

    private Stream<Object> kernelTimes() {
        return Stream.ofNullable(row.roles())
                .flatMap(List::stream)
                .map(role -> role.metrics().get(RoleSummary.KERNEL_TIMES))
                .filter(Objects::nonNull);
    }

    private boolean areStagesAsked() {
        return kernelTimes().findAny().isPresent();
    }

    /** Whether somebody knows when messages left and came back: the kernel, or a capture. */
    private boolean haveStages() {
        return areStagesAsked() || !captured.isEmpty();
    }

    /** For a user who asked for stages, and gets none. */
    private String whyNoStages() {
        final String reasons =
                kernelTimes()
                        .filter(String.class::isInstance)
                        .map(String.class::cast)
                        .distinct()
                        .collect(Collectors.joining("; "));
        if (!reasons.isEmpty()) {
            return reasons;
        }
        if (kept.isEmpty()) {
            return "no role on this host recorded the times of its messages, as latency tests do, and streams at a rate with"
                    + " one publisher on the same host";
        }
        return looked() < FEWEST_OF_STAGES
                ? "they need %,d messages or more, and there were %,d"
                        .formatted(FEWEST_OF_STAGES, looked())
                : "the kernel gave both times for none of %,d messages".formatted(looked());
    }

    /** Why stalls are not charged with what messages took, a clause; empty where they are. */
    private String whyNotAttributed() {
        if (areSeveral(StallWatch.Part.SEND) || areSeveral(StallWatch.Part.FORWARD)) {
            return "several threads send or forward, and which of them handled a message is unknown";
        }
        if (kept.isEmpty() && row.labels().contains(Labels.AS_FAST_AS_POSSIBLE)) {
            return "without a rate, latency is the length of a queue";
        }
        if (threads.isEmpty() && kept.isEmpty()) {
            return "no role noted stalls or when messages passed";
        }
        if (!isWatched()) {
            return "no thread was watched, as "
                    + threads.stream()
                            .map(thread -> thread.notWatched)
                            .distinct()
                            .collect(Collectors.joining("; "));
        }
        if (kept.isEmpty()) {
            return "no role noted when messages passed";
        }
        return looked() < FEWEST
                ? "only %,d messages were recorded; %,d are needed".formatted(looked(), FEWEST)
                : "";
    }

    /** Says no more than that nothing is known. */
    private TailSummary notAttributed(final String why) {
        return new TailSummary(
                looked(),
                seen(),
                0,
                List.of(),
                watched(),
                notWatched,
                notTraced,
                List.of(),
                new Undisturbed(0, why, null),
                List.of(),
                "",
                why);
    }

    private boolean areSeveral(final StallWatch.Part part) {
        return threads.stream().filter(thread -> thread.part == part).count() > 1;
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

    private TailSummary summary() {
        final Bands bands = new Bands(delayed().toArray(Delayed[][]::new));
        final List<Stages> stages =
                haveStages() && looked() >= FEWEST_OF_STAGES ? bands.stages() : List.of();
        final boolean isStamped = stages.stream().anyMatch(band -> band.messages() > 0);
        final String whyNotAttributed = whyNotAttributed();
        final boolean isAttributed = whyNotAttributed.isEmpty();
        final long fromNs = fromNs();
        final long toNs = toNs();
        final List<Stall> all = new ArrayList<>();
        final List<String> why = new ArrayList<>();
        if (row.labels().contains(Labels.SATURATED)) {
            why.add("the test was saturated");
        }
        passed.stream()
                .filter(each -> !each.isKeptToItsEnd())
                .findFirst()
                .ifPresent(each -> why.add(each.keptPart()));
        for (final Noted thread : threads) {
            if (thread.notWatched.isEmpty()) {
                all.addAll(between(stalls(thread), fromNs, toNs));
                if (thread.notNoted > 0) {
                    why.add(
                            Plural.of(
                                    thread.notNoted,
                                    "stall was not noted",
                                    "stalls were not noted"));
                }
            }
        }
        final List<String> unseen = new ArrayList<>(notWatched);
        hosts.values().forEach(host -> serving(host, fromNs, toNs, unseen));
        return new TailSummary(
                looked(),
                seen(),
                bands.medianNs(),
                isAttributed ? bands.bands() : List.of(),
                watched(),
                unseen,
                notTraced,
                ranInstead(fromNs, toNs),
                isAttributed
                        ? bands.undisturbed(all, why)
                        : new Undisturbed(0, whyNotAttributed, null),
                isStamped ? stages : List.of(),
                isStamped || !areStagesAsked() ? "" : whyNoStages(),
                whyNotAttributed);
    }

    private static List<Stall> between(
            final List<Stall> stalls, final long fromNs, final long toNs) {
        return stalls.stream().filter(s -> s.endNs() > fromNs && s.beginNs() < toNs).toList();
    }

    /**
     * What the machine took from each thread, while the row's messages passed, kept or not; where
     * too few are known, while the thread was watched, its warm-up included.
     */
    private List<WatchedThread> watched() {
        final boolean isKnown = looked() >= FEWEST;
        final long firstNs = fromNs();
        final long lastNs = toNs();
        final List<WatchedThread> watched = new ArrayList<>();
        for (final Noted thread : threads) {
            if (thread.notWatched.isEmpty()) {
                final long fromNs =
                        isKnown || thread.ran.isEmpty() ? firstNs : thread.ran.getFirst()[0];
                final long toNs =
                        isKnown || thread.ran.isEmpty() ? lastNs : thread.ran.getLast()[0];
                final List<Stall> stalls = between(stalls(thread), fromNs, toNs);
                final TakenCoreTime.Share share =
                        TakenCoreTime.share(
                                        stalls,
                                        whyNotTold(thread, stalls),
                                        thread.unnamed > 0
                                                ? SHARED + ", or records of its cores were lost"
                                                : SHARED,
                                        fromNs,
                                        toNs)
                                .with(
                                        thread.notNotedNs(fromNs, toNs),
                                        toNs - fromNs,
                                        thread.whyNotNoted());
                watched.add(
                        new WatchedThread(
                                thread.role.name(),
                                thread.role.index(),
                                thread.thread,
                                thread.thresholdNs,
                                stalls.size(),
                                stalls.stream().mapToLong(Stall::lengthNs).sum(),
                                thread.notNoted,
                                share.part(),
                                share.by(),
                                share.unattributedPart(),
                                share.whyUnattributed()));
            }
        }
        return watched;
    }

    /** What serves the engine and is nobody's of the test, so that nothing watches it. */
    private static void serving(
            final HostNotes host, final long fromNs, final long toNs, final List<String> unseen) {
        for (final String each : host.foreign) {
            unseen.add(
                    "The engine uses %s, which is not watched: what it delays is in the rest."
                            .formatted(each));
        }
        host.waited.forEach((what, readings) -> {
            final boolean isKnown =
                    readings.size() > 1 && readings.stream().allMatch(each -> each.ns() >= 0);
            unseen.add(
                    "The engine uses %s, which is not watched: what it delays is in the rest. "
                                    .formatted(what)
                            + (isKnown
                                    ? String.format(
                                            Locale.ROOT,
                                            "While the row was measured its threads waited for a core for about %.1f ms,"
                                                    + " added up.",
                                            TakenCoreTime.between(readings, fromNs, toNs)
                                                    / NS_PER_MS)
                                    : "The kernel does not say how long its threads waited for a core."));
        });
    }

    /**
     * Why it is not known in all stalls of a thread whose tasks had the core, a clause; or empty.
     */
    private String whyNotTold(final Noted thread, final List<Stall> stalls) {
        final String why = whyShared(thread);
        if (!why.isEmpty()) {
            return why;
        }
        if (!thread.offCore.isDated()) {
            return "its switches are not dated";
        }
        return stalls.stream()
                        .allMatch(each -> thread.offCore.isDated(each.beginNs(), each.endNs()))
                ? ""
                : "not all of its switches are dated";
    }

    /**
     * Why the test's own may have had the core though nothing says when they ran, a clause; empty
     * where they have not.
     */
    private String whyShared(final Noted thread) {
        final HostNotes host = thread.host;
        if (!host.foreign.isEmpty()) {
            return "the engine uses " + String.join(" and ", host.foreign);
        }
        final List<String> unseen = unseenBeside(thread);
        if (!unseen.isEmpty()) {
            return unseen.size() == 1
                    ? unseen.getFirst() + " is not watched"
                    : "%d roles are not watched, %s among them"
                            .formatted(unseen.size(), unseen.getFirst());
        }
        return isShared(thread, OffCore::isDated) ? "the test has more hot threads than cores" : "";
    }

    /** Roles of which no thread says what CPU time they used, on the host of a watched thread. */
    private List<String> unseenBeside(final Noted thread) {
        final Set<String> seen =
                onHostOf(thread)
                        .filter(each -> each == thread || !each.ran.isEmpty())
                        .map(Noted::name)
                        .collect(Collectors.toSet());
        return thread.host.roles.stream().filter(name -> !seen.contains(name)).toList();
    }

    private List<TailSummary.Ran> ranInstead(final long fromNs, final long toNs) {
        final Map<String, Long> sums = new HashMap<>();
        for (final Noted thread : threads) {
            for (final Stall stall : stalls(thread)) {
                if (stall.endNs() > fromNs && stall.beginNs() < toNs) {
                    addInstead(thread, stall.beginNs(), stall.endNs(), sums);
                }
            }
        }
        return sums.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(MOST_NAMES)
                .map(each -> new TailSummary.Ran(each.getKey(), each.getValue()))
                .toList();
    }

    /** What ran instead of a thread, and what its JVM paused it for. */
    private static void addInstead(
            final Noted thread, final long fromNs, final long toNs, final Map<String, Long> sums) {
        thread.offCore.addRanInstead(fromNs, toNs, sums);
        thread.pauses.addOperations(fromNs, toNs, sums);
    }

    /** The name of most of it; empty where nothing is known, or next to nothing. */
    private static String mostInstead(final Noted thread, final long fromNs, final long toNs) {
        final Map<String, Long> sums = new HashMap<>();
        addInstead(thread, fromNs, toNs, sums);
        return sums.entrySet().stream()
                .filter(each -> each.getValue() >= LEAST_PART_NAMED * (toNs - fromNs))
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse("");
    }

    private Stream<Message> messages() {
        return kept.stream().flatMap(each -> each.messages().stream());
    }

    /** When the first message of the step was due. */
    private long fromNs() {
        return LongStream.concat(
                        messages().mapToLong(Message::intendedNs),
                        passed.stream().mapToLong(Passed::fromNs))
                .min()
                .orElse(0);
    }

    /** When the last message of the step was received. */
    private long toNs() {
        return LongStream.concat(
                        messages().mapToLong(Message::receivedNs),
                        passed.stream().mapToLong(Passed::toNs))
                .max()
                .orElse(0);
    }

    /** Of each role that received messages, and of each of its windows, by itself, in order. */
    private List<Delayed[]> delayed() {
        final List<Delayed[]> all = new ArrayList<>();
        for (final Kept each : kept) {
            final long usualNs = Attribution.usualNs(each.messages());
            int from = 0;
            for (int window = 0; window <= each.windows().length; window++) {
                final int to =
                        window < each.windows().length
                                ? each.windows()[window]
                                : each.messages().size();
                all.add(delayed(each, each.messages().subList(from, to), usualNs));
                from = to;
            }
        }
        return all;
    }

    /** Messages that the same role received, in order. */
    private Delayed[] delayed(final Kept by, final List<Message> messages, final long usualNs) {
        final List<Stall> sender = new ArrayList<>();
        final List<Stall> echo = new ArrayList<>();
        final List<Stall> receiver = new ArrayList<>();
        String between = "the echo";
        for (final Noted thread : threads) {
            final List<Stall> stalls = stalls(thread);
            switch (thread.part) {
                case SEND_AND_RECEIVE -> {
                    sender.addAll(stalls);
                    receiver.addAll(stalls);
                }
                case ECHO -> echo.addAll(stalls);
                case FORWARD -> {
                    echo.addAll(stalls);
                    between = "the forwarding thread";
                }
                case SEND -> sender.addAll(stalls);
                // other receivers are not on these messages' path
                case RECEIVE -> receiver.addAll(thread.role.equals(by.role()) ? stalls : List.of());
                default -> throw new IllegalStateException();
            }
        }
        return Attribution.of(messages, sender, echo, receiver, between, usualNs);
    }

    private List<Stall> stalls(final Noted thread) {
        if (thread.judged == null) {
            thread.judged =
                    thread.host.taken.apportioned(
                            judged(thread), thread.role, thread.offCore.cores());
        }
        return thread.judged;
    }

    private List<Stall> judged(final Noted thread) {
        final List<Stall> stalls = new ArrayList<>(thread.stalls.size());
        final boolean isAlwaysShared = !whyShared(thread).isEmpty();
        final Neighbours neighbours = neighbours(thread);
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
                                                figures[6],
                                                figures[7],
                                                rolesRan(
                                                        thread.host,
                                                        neighbours,
                                                        figures[8],
                                                        figures[1] - figures[9],
                                                        beginNs,
                                                        endNs),
                                                thread.stops.during(beginNs, endNs),
                                                isAlwaysShared
                                                        || neighbours.unsampledNs() < endNs
                                                        || isShared(
                                                                thread,
                                                                each ->
                                                                        each.isDated(
                                                                                beginNs, endNs)),
                                                dated(
                                                        thread,
                                                        neighbours.rivals(),
                                                        beginNs,
                                                        endNs,
                                                        figures[3])))
                                .with(mostInstead(thread, beginNs, endNs)));
                lastEndNs = endNs;
            }
        }
        return stalls;
    }

    /** What the kernel dated of a stall; null where it did not. */
    private static Stall.Dated dated(
            final Noted thread,
            final List<OffCore> rivals,
            final long beginNs,
            final long endNs,
            final long waitedNs) {
        final Stall.Dated dated =
                thread.offCore.between(beginNs, endNs, waitedNs, thread.host.processes, rivals);
        return dated == null || thread.host.foreign.isEmpty() ? dated : dated.withoutOthers();
    }

    /** There are more hot threads than cores, and it is not known of each of them when it ran. */
    private boolean isShared(final Noted thread, final Predicate<OffCore> isDated) {
        final ControllerNotes.Cores on = thread.host.cores;
        return on.hotThreads() > on.cores()
                && on.hotThreads()
                        > onHostOf(thread).filter(each -> isDated.test(each.offCore)).count();
    }

    private Stream<Noted> onHostOf(final Noted thread) {
        return threads.stream().filter(each -> each.host == thread.host);
    }

    /**
     * What runs on the host of a watched thread beside it; found once, since a busy machine stalls
     * a thread many thousand times.
     *
     * @param watched threads of its process
     * @param unwatched threads of its process
     * @param elsewhere watched threads of other processes whose CPU time was read
     * @param rivals all watched threads but itself
     * @param unsampledNs from when on it is not known any more what the threads of some role ran
     */
    private record Neighbours(
            List<OffCore> watched,
            List<OffCore.Other> unwatched,
            List<Elsewhere> elsewhere,
            List<OffCore> rivals,
            long unsampledNs) {}

    /**
     * A watched thread of another process.
     *
     * @param ran times, and the CPU time of its role's other threads until then
     * @param unwatched threads of its role
     */
    private record Elsewhere(List<long[]> ran, List<OffCore.Other> unwatched) {}

    private Neighbours neighbours(final Noted thread) {
        final List<Noted> all = onHostOf(thread).filter(other -> other != thread).toList();
        return new Neighbours(
                all.stream().filter(thread::isBeside).map(other -> other.offCore).toList(),
                unwatched(thread.host, thread::isOf),
                all.stream()
                        .filter(other -> !other.isBeside(thread) && !other.ran.isEmpty())
                        .map(other ->
                                new Elsewhere(
                                        other.ran, unwatched(thread.host, other.role::equals)))
                        .toList(),
                all.stream().map(other -> other.offCore).toList(),
                onHostOf(thread).mapToLong(each -> each.unsampledNs).min().orElseThrow());
    }

    private static List<OffCore.Other> unwatched(
            final HostNotes host, final Predicate<RoleFolder> of) {
        return host.others.stream().filter(each -> each.isOf(of)).toList();
    }

    /**
     * CPU time of the roles' threads that are not watched, around a stall.
     *
     * @param othersNs of all other threads of its process since the counters were read before
     * @param readNs when that was
     */
    private static Stall.RolesRan rolesRan(
            final HostNotes host,
            final Neighbours neighbours,
            final long othersNs,
            final long readNs,
            final long beginNs,
            final long endNs) {
        final long mostNs = ranBeside(neighbours, othersNs, readNs, endNs);
        final long lengthNs = endNs - beginNs;
        final long intervalNs = Math.max(lengthNs, endNs - readNs);
        final long ns = Math.round((double) mostNs * lengthNs / intervalNs);
        // watched threads that are known to have run meanwhile had cores, which carried no other
        long hotNs = 0;
        for (final OffCore rival : neighbours.rivals()) {
            hotNs += rival.isDated() ? rival.ranNs(beginNs, endNs) : 0;
        }
        final long freeNs = Math.max(0, Math.max(0, host.cores.cores() - 1) * lengthNs - hotNs);
        return new Stall.RolesRan(mostNs, ns, Math.max(0, ns - freeNs));
    }

    private static long ranBeside(
            final Neighbours neighbours, final long othersNs, final long fromNs, final long toNs) {
        long sum = othersNs;
        for (final OffCore other : neighbours.watched()) {
            sum -= other.ranNs(fromNs, toNs);
        }
        sum -= datedNs(neighbours.unwatched(), fromNs, toNs);
        return Math.max(0, sum) + ranElsewhere(neighbours, fromNs, toNs);
    }

    /** CPU time of other roles' threads, without hot ones, over the shortest known interval. */
    private static long ranElsewhere(
            final Neighbours neighbours, final long fromNs, final long toNs) {
        long sum = 0;
        for (final Elsewhere other : neighbours.elsewhere()) {
            final List<long[]> ran = other.ran();
            final int from = lastUntil(ran, fromNs);
            final int to = Math.min(ran.size() - 1, lastUntil(ran, toNs) + 1);
            final long datedNs = datedNs(other.unwatched(), ran.get(from)[0], ran.get(to)[0]);
            sum += Math.max(0, ran.get(to)[1] - ran.get(from)[1] - datedNs);
        }
        return sum;
    }

    /** What threads ran that are not watched, as the kernel dated it. */
    private static long datedNs(
            final List<OffCore.Other> unwatched, final long fromNs, final long toNs) {
        long sum = 0;
        for (final OffCore.Other each : unwatched) {
            sum += each.ranNs(fromNs, toNs);
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

    /** The lines of this repeat, taken apart. */
    private void readLines(final RoleFolder role, final Consumer<String[]> taking)
            throws IOException {
        final Path file = role.folder().orElseThrow().resolve(RoleFiles.STALLS);
        if (!Files.exists(file)) {
            return;
        }
        try (RandomAccessFile whole = new RandomAccessFile(file.toFile(), "r");
                Stream<String> lines = Files.lines(file)) {
            whole.seek(Math.max(0, whole.length() - 1));
            // a role that was killed while it wrote leaves a line without its end
            final boolean isWhole = whole.read() == '\n';
            final String repeat = "," + row.repeat() + ",";
            final String[] before = {null};
            lines.forEach(line -> {
                takeLine(before[0], repeat, taking);
                before[0] = line;
            });
            takeLine(isWhole ? before[0] : null, repeat, taking);
        } catch (final java.io.UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Lines of other repeats are not taken apart: the file has those of all. */
    private static void takeLine(
            final String line, final String repeat, final Consumer<String[]> taking) {
        if (line != null && line.startsWith(repeat, Math.max(0, line.indexOf(',')))) {
            taking.accept(line.split(",", -1));
        }
    }

    /**
     * How the clock of a role on another host ran; unknown where an earlier build noted nothing.
     */
    private ClockLine line(final RoleFolder role) throws IOException {
        final List<long[]> readings = new ArrayList<>();
        readLines(
                role,
                cells -> {
                    if (cells[0].equals(LINE)) {
                        readings.add(
                                new long[] {Long.parseLong(cells[2]), Long.parseLong(cells[3])});
                    }
                });
        return new ClockLine(readings);
    }

    private void read(final RoleFolder role, final HostNotes host, final ClockLine line)
            throws IOException {
        final Pauses pauses = Pauses.of(role.pauses(), line);
        final ControllerNotes notes = ControllerNotes.of(role.folder().orElseThrow(), row.repeat());
        host.cores = notes.cores().orElse(host.cores);
        final Stops stops = new Stops(notes.stops());
        final List<Noted> own = new ArrayList<>();
        final Map<String, OffCore.Other> others = new HashMap<>();
        readLines(
                role,
                cells -> {
                    if (cells[0].equals("watch")) {
                        own.add(new Noted(host, role, stops, pauses, line, cells));
                        own.getLast().offCore.beside(host.others);
                    } else if (cells[0].equals("other")) {
                        final OffCore.Other other = new OffCore.Other(role, cells[3]);
                        others.put(cells[2], other);
                        host.others.add(other);
                    } else if (cells[0].equals("aside")) {
                        others.get(cells[2])
                                .ran(
                                        line.at(Long.parseLong(cells[3])),
                                        line.at(Long.parseLong(cells[4])),
                                        Integer.parseInt(cells[5]));
                    } else if (cells[0].equals("notaside")) {
                        notWatched.add(
                                "%s: when its other threads ran is not dated for all of them: %s."
                                        .formatted(role.name() + " " + role.index(), cells[3]));
                    } else if (cells[0].equals("lostaside")) {
                        notWatched.add(
                                ("%s: %,d of the kernel's records of its other threads were lost, so that not all that"
                                                + " they ran is dated.")
                                        .formatted(
                                                role.name() + " " + role.index(),
                                                Long.parseLong(cells[3])));
                    } else if (cells[0].equals("passed")) {
                        if (Integer.parseInt(cells[2]) == row.step()) {
                            passed.add(passed(role, cells));
                        }
                    } else if (cells[0].equals("continued")) {
                        stops.continuedNs.add(Long.parseLong(cells[2]));
                    } else if (!cells[0].equals(LINE)) {
                        take(role, host, cells, own);
                    }
                });
        threads.addAll(own);
    }

    private static Passed passed(final RoleFolder role, final String[] cells) {
        final long toNs = Long.parseLong(cells[4]);
        final long fullNs = Long.parseLong(cells[5]);
        return new Passed(role, Long.parseLong(cells[3]), toNs, fullNs == 0 ? toNs : fullNs);
    }

    private static void take(
            final RoleFolder role,
            final HostNotes host,
            final String[] cells,
            final List<Noted> own) {
        switch (cells[0]) {
            case "server" -> host.processes.put(Long.parseLong(cells[2]), OffCore.Process.ROLE);
            case "foreign" -> host.foreign.add(cells[3]);
            case "waited" ->
                    host.waited
                            .computeIfAbsent(cells[4], key -> new ArrayList<>())
                            .add(
                                    new TakenCoreTime.Reading(
                                            Long.parseLong(cells[2]), Long.parseLong(cells[3])));
            case "throttled" ->
                    host.taken.throttled(role, Long.parseLong(cells[2]), Long.parseLong(cells[3]));
            case "stolen" -> host.taken.stolen(Long.parseLong(cells[2]), cells[3]);
            default -> take(cells, own.get(Integer.parseInt(cells[2])));
        }
    }

    private static void take(final String[] cells, final Noted thread) {
        switch (cells[0]) {
            case "stall" -> thread.stalls.add(numbers(cells, 10));
            case "ran" -> thread.ran.add(numbers(cells, 2));
            case "full" -> {
                thread.notNoted = Long.parseLong(cells[3]);
                if (cells.length > 4) { // earlier builds noted their number alone
                    thread.notNotedNs = Long.parseLong(cells[4]);
                    thread.notNotedFromNs = Long.parseLong(cells[5]);
                    thread.notNotedToNs = Long.parseLong(cells[6]);
                }
            }
            case "untraced" -> thread.notTraced.put(TailSummary.Trace.valueOf(cells[3]), cells[4]);
            case "threshold" -> {
                thread.thresholdNs = Long.parseLong(cells[3]);
                thread.isWrittenToItsEnd = true;
            }
            case "unsampled" -> thread.unsampledNs = Long.parseLong(cells[3]);
            case "uncounted" -> thread.isUncounted = true;
            case "dated" -> {
                thread.offCore.isDated(cells[3]);
                thread.pid = Long.parseLong(cells[4]);
                thread.host.pids.put(thread.role, thread.pid);
                if (!cells[6].isEmpty()) {
                    thread.notTraced.put(TailSummary.Trace.valueOf(cells[6]), cells[7]);
                }
                thread.host.processes.put(Long.parseLong(cells[4]), OffCore.Process.ROLE);
                thread.host.processes.putIfAbsent(Long.parseLong(cells[5]), OffCore.Process.BENCH);
            }
            case "off" -> thread.offCore.left(cells);
            case "unseen" -> thread.offCore.unseen(cells);
            case "end" -> thread.offCore.ended(cells);
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
        final long[] numbers = new long[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = Long.parseLong(cells[i + 3]);
        }
        return numbers;
    }

    /**
     * What a role kept of the messages of this step, in as many members of the file as it wrote; of
     * one that it was killed in, what is whole. {@code line} of the clock by which the kernel
     * stamped them.
     */
    private Optional<Kept> messages(final RoleFolder role, final Path file, final ClockLine line)
            throws IOException {
        final Pieces parts = new Pieces();
        try (FileChannel channel = FileChannel.open(file);
                Arena arena = Arena.ofConfined()) {
            final MemorySegment all =
                    channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            for (long from = 0; from < all.byteSize(); ) {
                final long to = nextMember(all, from + 1);
                final byte[] member = all.asSlice(from, to - from).toArray(ValueLayout.JAVA_BYTE);
                if (!isReadWhole(member, parts, line)) {
                    parts.isTorn |=
                            parts.repeat == row.repeat()
                                    || parts.repeat == NO_REPEAT && to == all.byteSize();
                }
                from = to;
            }
        }
        if (parts.isTorn) {
            notWatched.add(
                    role.name()
                            + " "
                            + role.index()
                            + " was ended while it wrote: the last of its messages are missing.");
        }
        parts.slowest.sort(Comparator.comparingLong(Message::receivedNs));
        return parts.isAny
                ? Optional.of(
                        new Kept(
                                role,
                                parts.seen,
                                parts.hasWindows
                                        ? parts.windows.stream()
                                                .mapToInt(Integer::intValue)
                                                .toArray()
                                        : everyWindow(parts.messages.size()),
                                parts.messages,
                                parts.slowest))
                : Optional.empty();
    }

    /**
     * Where the next member begins, by the head that roles write; the end where there is none. A
     * process that goes on after one that was killed has written behind a torn member.
     */
    private static long nextMember(final MemorySegment all, final long from) {
        final long last = all.byteSize() - GZIP_HEAD_BYTES;
        for (long at = from; at <= last; at++) {
            if (all.get(ValueLayout.JAVA_BYTE, at) == (byte) GZIPInputStream.GZIP_MAGIC
                    && all.get(GZIP_HEAD, at) == GZIP_HEAD_BITS) {
                return at;
            }
        }
        return all.byteSize();
    }

    /** Reads the parts of a member; false where it is torn. */
    private boolean isReadWhole(final byte[] member, final Pieces parts, final ClockLine line)
            throws IOException {
        parts.repeat = NO_REPEAT;
        try (DataInputStream in =
                new DataInputStream(
                        new BufferedInputStream(
                                new GZIPInputStream(new ByteArrayInputStream(member))))) {
            for (int format = firstNumber(in); format != 0; format = firstNumber(in)) {
                readPart(in, format, parts, line);
            }
            return true;
        } catch (final EOFException e) {
            return false; // said to the user as messages that are missing
        }
    }

    /** The format of a part; 0 at the end of a member. */
    private static int firstNumber(final DataInputStream in) throws IOException {
        in.mark(1);
        if (in.read() < 0) {
            return 0;
        }
        in.reset();
        final int format = in.readInt();
        if (format < StallRecording.MESSAGES_FORMAT_1 || format > StallRecording.MESSAGES_FORMAT) {
            throw new IllegalArgumentException("another format");
        }
        return format;
    }

    /** Of the messages of this step, what has been read so far. */
    private static final class Pieces {
        private final List<Message> messages = new ArrayList<>();
        private final List<Message> slowest = new ArrayList<>();
        private final List<Integer> windows = new ArrayList<>();
        private boolean hasWindows = true;
        private boolean isAny;
        private boolean isTorn;
        private int repeat;
        private long seen;
    }

    private void readPart(
            final DataInputStream in, final int format, final Pieces parts, final ClockLine line)
            throws IOException {
        final int blockRepeat = in.readInt();
        parts.repeat = blockRepeat;
        final int blockStep = in.readInt();
        final long seen = in.readLong();
        final int[] windows =
                format > StallRecording.MESSAGES_FORMAT_WITHOUT_WINDOWS
                        ? windows(in)
                        : in.readBoolean() ? null : new int[0];
        final MessageLog.Kind kind =
                format == StallRecording.MESSAGES_FORMAT_1
                        ? MessageLog.Kind.RECEIVED
                        : KINDS[in.readUnsignedByte()];
        final int count = in.readInt();
        final boolean isWanted = blockRepeat == row.repeat() && blockStep == row.step();
        final boolean hasQueues = format > StallRecording.MESSAGES_FORMAT_WITHOUT_QUEUES;
        switch (kind) {
            case SENT -> departures(in, count, isWanted, hasQueues, line);
            case CAPTURED -> captured(in, count, isWanted, line);
            case ECHOED -> echoes(in, count, blockRepeat == row.repeat(), line);
            case SLOWEST ->
                    received(in, count, false, false, line, isWanted ? parts.slowest : null);
            case RECEIVED, STAMPED -> {
                if (isWanted) {
                    parts.isAny = true;
                    parts.seen = seen;
                    parts.hasWindows &= windows != null;
                    Arrays.stream(windows == null ? new int[0] : windows)
                            .forEach(parts.windows::add);
                }
                received(
                        in,
                        count,
                        kind == MessageLog.Kind.STAMPED,
                        hasQueues,
                        line,
                        isWanted ? parts.messages : null);
            }
            default -> throw new IllegalArgumentException("another kind");
        }
    }

    /** Adds to {@code to}, where they are wanted. */
    private static void received(
            final DataInputStream in,
            final int count,
            final boolean hasKernelTimes,
            final boolean hasQueues,
            final ClockLine line,
            final List<Message> to)
            throws IOException {
        long intended = 0;
        for (int i = 0; i < count; i++) {
            intended += number(in);
            final long sent = intended + number(in);
            final long received = sent + number(in);
            final long queued = hasKernelTimes && hasQueues ? number(in) : 0;
            final long departed = hasKernelTimes ? number(in) : 0;
            final long arrived = hasKernelTimes ? number(in) : 0;
            final long onCard = hasKernelTimes && hasQueues ? number(in) : 0;
            if (to != null) {
                to.add(
                        new Message(
                                intended,
                                sent,
                                received,
                                stamped(sent, queued, line),
                                stamped(sent, departed, line),
                                stamped(sent, arrived, line),
                                onCard,
                                AtEcho.UNKNOWN));
            }
        }
    }

    private static int[] windows(final DataInputStream in) throws IOException {
        final int count = in.readInt();
        if (count < 0 || count > MessageLog.MOST) {
            throw new IllegalArgumentException("%d windows of messages".formatted(count));
        }
        final int[] windows = new int[count];
        for (int i = 0; i < count; i++) {
            windows[i] = in.readInt();
        }
        return windows;
    }

    /** Of earlier files, as if no message had been lost. */
    private static int[] everyWindow(final int messages) {
        return IntStream.iterate(0, from -> from < messages, from -> from + MessageLog.WINDOW)
                .toArray();
    }

    private void departures(
            final DataInputStream in,
            final int count,
            final boolean isWanted,
            final boolean hasQueues,
            final ClockLine line)
            throws IOException {
        long sent = 0;
        for (int i = 0; i < count; i++) {
            sent += number(in);
            final long queued = hasQueues ? number(in) : 0;
            final long departed = number(in);
            if (isWanted && departed != 0) {
                departures.put(
                        sent,
                        new Departure(stamped(sent, queued, line), stamped(sent, departed, line)));
            }
        }
    }

    private void captured(
            final DataInputStream in, final int count, final boolean isWanted, final ClockLine line)
            throws IOException {
        long sent = 0;
        for (int i = 0; i < count; i++) {
            sent += number(in);
            final long out = number(in);
            final long back = number(in);
            if (isWanted) {
                captured.put(sent, new OnWire(stamped(sent, out, line), stamped(sent, back, line)));
            }
        }
    }

    /** Of any step: the time of the send tells pings apart. */
    private void echoes(
            final DataInputStream in, final int count, final boolean isWanted, final ClockLine line)
            throws IOException {
        long sent = 0;
        for (int i = 0; i < count; i++) {
            sent += number(in);
            final long arrived = number(in);
            final long taken = number(in);
            final long departed = number(in);
            if (isWanted) {
                echoed.put(
                        sent,
                        new AtEcho(
                                stamped(sent, arrived, line),
                                sent + taken,
                                stamped(sent, departed, line)));
            }
        }
    }

    /** A time of the kernel as it is written, from the send on; 0 where it is unknown. */
    private static long stamped(final long sentNs, final long ns, final ClockLine line) {
        return ns == 0 ? 0 : line.at(sentNs + ns);
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

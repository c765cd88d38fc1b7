package io.tickmark.lab.tail;

import io.tickmark.kernel.record.RoleFiles;
import io.tickmark.kernel.result.TailSummary;
import io.tickmark.kernel.result.TailSummary.NotTraced;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.lab.tail.TailReader.RoleFolder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the roles of a trial noted of their stalls in one repeat, and what caused each. It is read
 * and judged once for all rows of the repeat.
 */
final class StallNotes {
    private static final long CONTINUED_WITHIN_NS = 100_000_000;

    /** On a busy machine a process hears late that it goes on. */
    private static final long HEARD_WITHIN_NS = 5_000_000_000L;

    private static final double LEAST_PART_NAMED = 0.1;

    /** Of a step whose messages were not kept to its end. */
    private static final double MOST_PART_NOT_KEPT = 0.1;

    private static final int NOT_NOTED = -1;
    private static final double NS_PER_US = 1e3;
    private static final double NS_PER_MS = 1e6;
    private static final double NS_PER_S = 1e9;

    /** A reading of the clock of another host. */
    private static final String LINE = "line";

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
            final List<Long> byOthersNs = new ArrayList<>(continuedNs);
            for (final ControllerNotes.Stop stop : planned) {
                final Optional<Long> heardNs = heard(stop, byOthersNs);
                heardNs.ifPresent(byOthersNs::remove);
                // an order takes its time to another host, and so does the signal behind it
                final boolean isHeard =
                        heardNs.filter(ns -> isWithin(ns, beginNs, endNs)).isPresent();
                final long lateNs = isHeard ? CONTINUED_WITHIN_NS : 0;
                if (stop.fromNs() < endNs && beginNs < stop.toNs() + lateNs) {
                    return Optional.of(Cause.PLANNED_STOP);
                }
            }
            return byOthersNs.stream().anyMatch(ns -> isWithin(ns, beginNs, endNs))
                    ? Optional.of(Cause.STOPPED)
                    : Optional.empty();
        }

        /**
         * The stalls of a thread with the parts of planned stops that it did not notice: one that
         * waits in the kernel for a message is not in its loop, and goes on behind the stop as if
         * the message had just come.
         */
        List<Stall> withPlanned(final List<Stall> noticed) {
            if (planned.isEmpty()) {
                return noticed;
            }
            final List<Stall> all = new ArrayList<>(noticed);
            for (final ControllerNotes.Stop stop : planned) {
                long fromNs = stop.fromNs();
                final long toNs =
                        heard(stop, continuedNs).filter(ns -> ns < stop.toNs()).orElse(stop.toNs());
                for (final Stall stall : noticed) {
                    if (stall.endNs() > fromNs && stall.beginNs() < toNs) {
                        add(all, fromNs, stall.beginNs());
                        fromNs = stall.endNs();
                    }
                }
                add(all, fromNs, toNs);
            }
            all.sort(Comparator.comparingLong(Stall::beginNs));
            return all;
        }

        private static void add(final List<Stall> all, final long fromNs, final long toNs) {
            if (fromNs < toNs) {
                all.add(Stall.of(fromNs, toNs, Cause.PLANNED_STOP));
            }
        }

        /** When it heard that this stop was over, perhaps while it stood for another reason. */
        private static Optional<Long> heard(
                final ControllerNotes.Stop stop, final List<Long> continuedNs) {
            return continuedNs.stream()
                    .filter(ns -> ns >= stop.fromNs() && ns - stop.toNs() < HEARD_WITHIN_NS)
                    .min(Long::compare);
        }

        private static boolean isWithin(final long ns, final long beginNs, final long endNs) {
            return ns >= beginNs && ns - endNs < CONTINUED_WITHIN_NS;
        }
    }

    /** A part of the time. */
    record Span(long fromNs, long toNs) {}

    /**
     * When messages of a step passed a role, whether their times were kept or not.
     *
     * @param fullNs from when on there was no room for them; the end where there was
     * @param busyNs how long their sender took to send them, its stalls included, as all of them
     *     show; {@link #NOT_NOTED} where the kept ones show it, and in files of 0.1.0
     * @param spanNs of which time
     */
    record Passed(
            RoleFolder role,
            int step,
            long fromNs,
            long toNs,
            long fullNs,
            long busyNs,
            long spanNs) {
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
    static final class Noted {
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

        RoleFolder role() {
            return role;
        }

        String thread() {
            return thread;
        }

        StallWatch.Part part() {
            return part;
        }

        boolean isWatched() {
            return notWatched.isEmpty();
        }

        /** A clause; empty where it is watched. */
        String whyNotWatched() {
            return notWatched;
        }

        long thresholdNs() {
            return thresholdNs;
        }

        /** How many of its stalls there was no room for. */
        long notNoted() {
            return notNoted;
        }

        /** Whether records of the kernel are missing that would say what ran on its cores. */
        boolean isPartlyUnnamed() {
            return unnamed > 0;
        }

        Pauses pauses() {
            return pauses;
        }

        /** When its CPU time was read first and last; empty where it never was. */
        Optional<Span> watched() {
            return ran.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Span(ran.getFirst()[0], ran.getLast()[0]));
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

        /** How long its stalls were between two times, without those that it did not note. */
        long stalledNs(final long fromNs, final long toNs) {
            long sum = 0;
            for (final long[] stall : stalls) {
                sum += Math.max(0, Math.min(stall[1], toNs) - Math.max(stall[0], fromNs));
            }
            return sum;
        }

        /** How long the stalls that it did not note may have been between two times. */
        long notNotedNs(final long fromNs, final long toNs) {
            final long ns = Math.min(toNs, notNotedToNs) - Math.max(fromNs, notNotedFromNs);
            return Math.clamp(ns, 0, notNotedNs);
        }

        String whyNotNoted() {
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

    /** Of roles, sentences. */
    private final List<String> rolesNotWatched = new ArrayList<>();

    /** Of threads, sentences. */
    private final List<String> threadsNotWatched = new ArrayList<>();

    private final List<NotTraced> notTraced = new ArrayList<>();
    private final List<Passed> passed = new ArrayList<>();

    /** Clocks of the roles whose notes can be used. */
    private final Map<RoleFolder, ClockLine> clocks = new LinkedHashMap<>();

    private final int repeat;
    private final RepeatStarts starts;

    /**
     * Reads the notes.
     *
     * @param roles of the trial
     * @param row of the repeat
     * @param starts where repeats begin in files, as far as that is known
     * @throws IOException if a file cannot be read
     * @throws IllegalArgumentException if a file is torn or of another format
     */
    StallNotes(final List<RoleFolder> roles, final TrialResult row, final RepeatStarts starts)
            throws IOException {
        repeat = row.repeat();
        this.starts = starts;
        for (final RoleFolder role : roles) {
            final String name = role.name() + " " + role.index();
            final Optional<RoleSummary> summary = summary(role, row);
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
                rolesNotWatched.add(
                        host.isEmpty()
                                ? name + " kept no files."
                                : "%s ran on %s, whose files are not here.".formatted(name, host));
                continue;
            }
            final ClockLine line = host.isEmpty() ? ClockLine.SAME : line(role);
            if (!host.isEmpty()) {
                rolesNotWatched.add(elsewhere(name, host, line, summary));
                if (!line.isKnown()) {
                    continue;
                }
            }
            clocks.put(role, line);
            final int before = threads.size();
            read(role, notes, line);
            if (threads.size() == before) {
                rolesNotWatched.add(name + " notes no stalls.");
            }
        }
        threads.forEach(this::tellWhatIsUnknown);
    }

    /** Of a thread, and what the kernel did not trace of it. */
    private void tellWhatIsUnknown(final Noted thread) {
        final String name = thread.name();
        if (thread.notWatched.isEmpty() && !thread.pauses.isKept()) {
            threadsNotWatched.add(
                    name
                            + ": its JVM kept no log of its pauses, so that collections count as unknown.");
        }
        if (!thread.notWatched.isEmpty()) {
            threadsNotWatched.add(name + ", " + thread.thread + ": " + thread.notWatched + ".");
        }
        thread.cutOffNs()
                .ifPresent(ns -> {
                    thread.offCore.unseenFrom(ns);
                    threadsNotWatched.add(
                            thread.called()
                                    + ": its process ended before it had written everything: its last second is"
                                    + " missing.");
                });
        if (thread.unsampledNs != Long.MAX_VALUE) {
            threadsNotWatched.add(
                    ("%s: %s that a trial's files take; after that, what ran on its core is unknown for some stalls.")
                            .formatted(thread.called(), allReadings(thread.ran.size())));
        }
        if (thread.notNoted > 0) {
            threadsNotWatched.add(
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
            threadsNotWatched.add(
                    "%s, %s: %,d of the kernel's records of it were lost, so that some stalls are not dated."
                            .formatted(name, thread.thread, thread.undated));
        }
        if (thread.unnamed > 0) {
            threadsNotWatched.add(
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
        thread.offCore
                .lacks()
                .ifPresent(why -> threadsNotWatched.add(thread.called() + ": " + why));
        if (thread.isUncounted) {
            threadsNotWatched.add(
                    name
                            + ", "
                            + thread.thread
                            + ": the kernel's counters of the thread cannot be read, so that its stalls have no cause.");
        }
    }

    /** From where on a file may have what was noted of the repeat. */
    long from(final Path file) {
        return starts.from(file, repeat);
    }

    /** Threads of roles that were to be watched, whether they were or not. */
    List<Noted> threads() {
        return threads;
    }

    /** Of messages of a step. */
    List<Passed> passed(final int step) {
        return passed.stream().filter(each -> each.step() == step).toList();
    }

    /** The clocks of the roles whose notes can be used. */
    Map<RoleFolder, ClockLine> clocks() {
        return clocks;
    }

    /** What the notes do not say of roles, sentences. */
    List<String> rolesNotWatched() {
        return rolesNotWatched;
    }

    /** What the notes do not say of threads, sentences. */
    List<String> threadsNotWatched() {
        return threadsNotWatched;
    }

    List<NotTraced> notTraced() {
        return notTraced;
    }

    private static String allReadings(final int count) {
        return count == 1
                ? "1 reading of what the other threads of its process ran is all"
                : "%,d readings of what the other threads of its process ran are all"
                        .formatted(count);
    }

    private static Optional<RoleSummary> summary(final RoleFolder role, final TrialResult row) {
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

    /**
     * What serves the engine and is nobody's of the test, so that nothing watches it, sentences.
     */
    List<String> serving(final long fromNs, final long toNs) {
        final List<String> unseen = new ArrayList<>();
        hosts.values().forEach(host -> serving(host, fromNs, toNs, unseen));
        return unseen;
    }

    private static void serving(
            final HostNotes host, final long fromNs, final long toNs, final List<String> unseen) {
        for (final String each : host.foreign) {
            unseen.add(
                    "The engine uses %s, which is not watched: delays that it causes are in the rest."
                            .formatted(each));
        }
        host.waited.forEach((what, readings) -> {
            final boolean isKnown =
                    readings.size() > 1 && readings.stream().allMatch(each -> each.ns() >= 0);
            unseen.add(
                    "The engine uses %s, which is not watched: delays that it causes are in the rest. "
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
    String whyNotTold(final Noted thread, final List<Stall> stalls) {
        final String why = whyShared(thread);
        if (!why.isEmpty()) {
            return why;
        }
        if (!thread.offCore.isDated()) {
            return "context switches have no timestamps";
        }
        return stalls.stream()
                        .allMatch(each -> thread.offCore.isDated(each.beginNs(), each.endNs()))
                ? ""
                : "not all of its context switches have timestamps";
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

    /** What ran instead of a thread, and what its JVM paused it for. */
    static void addInstead(
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

    /** The stalls of a thread, each with its causes, in order. */
    List<Stall> stalls(final Noted thread) {
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
        return thread.stops.withPlanned(stalls);
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
        // a role that was killed while it wrote leaves a line without its end
        final boolean isWhole = endsWithLine(file);
        try (BufferedReader lines = RepeatStarts.reader(file, from(file), StandardCharsets.UTF_8)) {
            final String ofRepeat = "," + repeat + ",";
            String before = null;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                takeLine(before, ofRepeat, taking);
                before = line;
            }
            takeLine(isWhole ? before : null, ofRepeat, taking);
        }
    }

    /** As a stream: a channel into a packed run would hold all of the file in memory. */
    private static boolean endsWithLine(final Path file) throws IOException {
        final long bytes = Files.size(file);
        try (InputStream in = Files.newInputStream(file)) {
            in.skipNBytes(Math.max(0, bytes - 1));
            return in.read() == '\n';
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
        final Pauses pauses = Pauses.of(role.pauses(), line, this::from);
        final ControllerNotes notes = ControllerNotes.of(role.folder().orElseThrow(), repeat);
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
                        rolesNotWatched.add(
                                "%s: not all of its other threads could be traced: %s."
                                        .formatted(role.name() + " " + role.index(), cells[3]));
                    } else if (cells[0].equals("lostaside")) {
                        rolesNotWatched.add(
                                ("%s: %,d of the kernel's records of its other threads were lost, so that not all that"
                                                + " they ran is dated.")
                                        .formatted(
                                                role.name() + " " + role.index(),
                                                Long.parseLong(cells[3])));
                    } else if (cells[0].equals("passed")) {
                        passed.add(passed(role, cells));
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
        return new Passed(
                role,
                Integer.parseInt(cells[2]),
                Long.parseLong(cells[3]),
                toNs,
                fullNs == 0 ? toNs : fullNs,
                cells.length > 6 ? Long.parseLong(cells[6]) : NOT_NOTED,
                cells.length > 6 ? Long.parseLong(cells[7]) : 0);
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
}

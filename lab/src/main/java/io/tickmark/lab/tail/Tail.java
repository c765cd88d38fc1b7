package io.tickmark.lab.tail;

import io.tickmark.kernel.result.TailSummary;
import io.tickmark.kernel.result.TailSummary.Stages;
import io.tickmark.kernel.result.TailSummary.Undisturbed;
import io.tickmark.kernel.result.TailSummary.WatchedThread;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.lab.tail.Attribution.Delayed;
import io.tickmark.lab.tail.Attribution.Message;
import io.tickmark.lab.tail.StallNotes.Noted;
import io.tickmark.lab.tail.StallNotes.Passed;
import io.tickmark.lab.tail.StallNotes.Span;
import io.tickmark.lab.tail.StepMessages.Kept;
import io.tickmark.lab.verdict.Labels;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Where the tail of a row comes from, by what its roles noted. */
final class Tail {
    private static final int FEWEST = 1_000;
    private static final int FEWEST_OF_STAGES = 2 * Bands.FEWEST;
    private static final int MOST_NAMES = 10;

    private static final String SHARED =
            "other threads of the test ran meanwhile, on this core or another";

    private final TrialResult row;
    private final StallNotes notes;
    private final StepMessages messages;
    private final List<Passed> passed;
    private final List<String> notWatched = new ArrayList<>();

    /**
     * Reads the messages of a row.
     *
     * @param notes of its repeat
     * @param files of all roles
     * @throws IOException if a file cannot be read
     * @throws IllegalArgumentException if a file is of another format
     */
    Tail(final StallNotes notes, final TrialResult row, final MappedFiles files)
            throws IOException {
        this(notes, row, new StepMessages(notes.clocks(), notes::from, row, files));
    }

    private Tail(final StallNotes notes, final TrialResult row, final StepMessages messages) {
        this.notes = notes;
        this.row = row;
        this.messages = messages;
        passed = notes.passed(row.step());
        notWatched.addAll(notes.rolesNotWatched());
        notWatched.addAll(messages.torn());
        for (final Passed each : passed) {
            if (!each.isKeptToItsEnd()) {
                notWatched.add(
                        "%s %d: %s; what delayed the others is not known."
                                .formatted(
                                        each.role().name(), each.role().index(), each.keptPart()));
            }
        }
        notWatched.addAll(notes.threadsNotWatched());
    }

    /** Of the threads alone: nothing that has to do with single messages is known. */
    static Tail withoutMessages(final StallNotes notes, final TrialResult row) {
        return new Tail(notes, row, StepMessages.notRead(row));
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
    boolean haveStages() {
        return areStagesAsked() || messages.areCaptured();
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
        if (messages.kept().isEmpty()) {
            return "no role on this host recorded the times of its messages, as latency tests do, and streams at a rate with"
                    + " one publisher on the same host";
        }
        return looked() < FEWEST_OF_STAGES
                ? "they need %,d messages or more, and there were %,d"
                        .formatted(FEWEST_OF_STAGES, looked())
                : "no message of %,d has both kernel timestamps".formatted(looked());
    }

    /** Why stalls are not charged with what messages took, a clause; empty where they are. */
    String whyNotAttributed() {
        if (areSeveral(StallWatch.Part.SEND) || areSeveral(StallWatch.Part.FORWARD)) {
            return "several threads send or forward, and which of them handled a message is unknown";
        }
        if (messages.kept().isEmpty() && row.labels().contains(Labels.AS_FAST_AS_POSSIBLE)) {
            return "without a rate, latency is the length of a queue";
        }
        if (notes.threads().isEmpty() && messages.kept().isEmpty()) {
            return "no role noted stalls or when messages passed";
        }
        if (!isWatched()) {
            return "no thread was watched, as "
                    + notes.threads().stream()
                            .map(Noted::whyNotWatched)
                            .distinct()
                            .collect(Collectors.joining("; "));
        }
        if (messages.kept().isEmpty()) {
            return "no role noted when messages passed";
        }
        return looked() < FEWEST
                ? "only %,d messages were recorded; %,d are needed".formatted(looked(), FEWEST)
                : "";
    }

    /** Says no more than that nothing is known. */
    TailSummary notAttributed(final String why) {
        return new TailSummary(
                looked(),
                seen(),
                0,
                List.of(),
                watched(),
                notWatched,
                notes.notTraced(),
                List.of(),
                new Undisturbed(0, why, null),
                List.of(),
                "",
                why);
    }

    private boolean areSeveral(final StallWatch.Part part) {
        return notes.threads().stream().filter(thread -> thread.part() == part).count() > 1;
    }

    private long looked() {
        return messages.kept().stream().mapToLong(each -> each.messages().size()).sum();
    }

    private long seen() {
        return messages.kept().stream().mapToLong(Kept::seen).sum();
    }

    boolean isWatched() {
        return notes.threads().stream().anyMatch(Noted::isWatched);
    }

    /** The slowest messages, none below the median; only where stalls are charged. */
    TailReader.Slowest slowest(final int most) {
        final Delayed[] looked = delayed().stream().flatMap(Arrays::stream).toArray(Delayed[]::new);
        final long firstNs = looked[0].message().intendedNs();
        final long medianNs = new Bands(looked).medianNs();
        final long above =
                looked.length / 2
                        + messages.kept().stream().mapToLong(each -> each.slowest().size()).sum();
        final List<Delayed> all =
                Stream.concat(
                                Arrays.stream(looked),
                                messages.kept().stream()
                                        .flatMap(each ->
                                                Arrays.stream(
                                                        delayed(
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
        notes.threads()
                .forEach(thread -> dropped.put(thread.name(), thread.pauses().deoptimisations()));
        return new TailReader.Slowest(looked.length, seen(), medianNs, firstNs, all, dropped);
    }

    /** Where the tail comes from, as far as stalls are charged, and the stages. */
    TailSummary summary() {
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
        why.addAll(whyPerhapsBusy());
        for (final Noted thread : notes.threads()) {
            if (thread.isWatched()) {
                all.addAll(between(notes.stalls(thread), fromNs, toNs));
                if (thread.notNoted() > 0) {
                    why.add(
                            Plural.of(
                                    thread.notNoted(),
                                    "stall was not noted",
                                    "stalls were not noted"));
                }
            }
        }
        final List<String> unseen = new ArrayList<>(notWatched);
        unseen.addAll(notes.serving(fromNs, toNs));
        return new TailSummary(
                looked(),
                seen(),
                bands.medianNs(),
                isAttributed ? bands.bands() : List.of(),
                watched(),
                unseen,
                notes.notTraced(),
                ranInstead(fromNs, toNs),
                isAttributed
                        ? bands.undisturbed(all, why)
                        : new Undisturbed(0, whyNotAttributed, null),
                isStamped ? stages : List.of(),
                isStamped || !areStagesAsked() ? "" : whyNoStages(),
                whyNotAttributed);
    }

    /**
     * Where single messages are kept, evenly spread, these do not show how busy the sender was: the
     * roles noted it of all.
     */
    private List<String> whyPerhapsBusy() {
        for (final Kept each : messages.kept()) {
            final List<Passed> own =
                    passed.stream().filter(passing -> passing.role().equals(each.role())).toList();
            if (each.isSample() && own.stream().allMatch(Passed::isKeptToItsEnd)) {
                if (own.isEmpty() || own.stream().anyMatch(passing -> passing.busyNs() < 0)) {
                    return List.of("how busy the sender was is not known");
                }
                if (own.stream().anyMatch(passing -> usedPart(passing) > Bands.MOST_USED)) {
                    return List.of(Bands.BUSY);
                }
            }
        }
        return List.of();
    }

    /** The part of the time that the sender needed to send, without its stalls. */
    private double usedPart(final Passed passing) {
        long stalledNs = 0;
        for (final Noted thread : notes.threads()) {
            if (thread.part() == StallWatch.Part.SEND) {
                stalledNs +=
                        between(notes.stalls(thread), passing.fromNs(), passing.toNs()).stream()
                                .mapToLong(Stall::lengthNs)
                                .sum();
            }
        }
        return passing.spanNs() == 0
                ? 0
                : (double) (passing.busyNs() - stalledNs) / passing.spanNs();
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
        for (final Noted thread : notes.threads()) {
            if (thread.isWatched()) {
                final Span all = new Span(firstNs, lastNs);
                final Span span = isKnown ? all : thread.watched().orElse(all);
                final List<Stall> stalls =
                        between(notes.stalls(thread), span.fromNs(), span.toNs());
                final TakenCoreTime.Share share = share(thread, stalls, span);
                watched.add(
                        new WatchedThread(
                                thread.role().name(),
                                thread.role().index(),
                                thread.thread(),
                                thread.thresholdNs(),
                                stalls.size(),
                                stalls.stream().mapToLong(Stall::lengthNs).sum(),
                                thread.notNoted(),
                                share.part(),
                                share.by(),
                                share.unattributedPart(),
                                share.whyUnattributed()));
            }
        }
        return watched;
    }

    /** What the machine took from a thread in a part of the time, by its stalls then. */
    private TakenCoreTime.Share share(
            final Noted thread, final List<Stall> stalls, final Span span) {
        return TakenCoreTime.share(
                        stalls,
                        notes.whyNotTold(thread, stalls),
                        thread.isPartlyUnnamed()
                                ? SHARED + ", or records of its cores were lost"
                                : SHARED,
                        span.fromNs(),
                        span.toNs())
                .with(
                        thread.notNotedNs(span.fromNs(), span.toNs()),
                        span.toNs() - span.fromNs(),
                        thread.whyNotNoted());
    }

    /**
     * Whether the machine may have had the core of a thread for more than a part of the time, be
     * that the time in which the row's messages passed or that in which the thread was watched:
     * which of them counts is decided by the messages. Where no role noted when messages passed,
     * there are few to look at.
     */
    boolean mayBeTaken(final double most) {
        return passed.isEmpty()
                || notes.threads().stream()
                        .filter(Noted::isWatched)
                        .anyMatch(thread ->
                                Stream.concat(
                                                Stream.of(new Span(fromNs(), toNs())),
                                                thread.watched().stream())
                                        .anyMatch(span -> mayBeTaken(thread, span, most)));
    }

    /** It cannot have had it for longer than the thread stood: mostly that is all to be known. */
    private boolean mayBeTaken(final Noted thread, final Span span, final double most) {
        final long stoodNs =
                thread.stalledNs(span.fromNs(), span.toNs())
                        + thread.notNotedNs(span.fromNs(), span.toNs());
        if (stoodNs <= most * (span.toNs() - span.fromNs())) {
            return false;
        }
        final TakenCoreTime.Share share =
                share(thread, between(notes.stalls(thread), span.fromNs(), span.toNs()), span);
        return share.part() + share.unattributedPart() > most;
    }

    private List<TailSummary.Ran> ranInstead(final long fromNs, final long toNs) {
        final Map<String, Long> sums = new HashMap<>();
        for (final Noted thread : notes.threads()) {
            for (final Stall stall : notes.stalls(thread)) {
                if (stall.endNs() > fromNs && stall.beginNs() < toNs) {
                    StallNotes.addInstead(thread, stall.beginNs(), stall.endNs(), sums);
                }
            }
        }
        return TailSummary.Ran.longest(sums, MOST_NAMES);
    }

    private Stream<Message> messages() {
        return messages.kept().stream().flatMap(each -> each.messages().stream());
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
        for (final Kept each : messages.kept()) {
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
        for (final Noted thread : notes.threads()) {
            final List<Stall> stalls = notes.stalls(thread);
            switch (thread.part()) {
                // those of other pairs are not on these messages' path
                case SEND_AND_RECEIVE -> {
                    if (thread.role().equals(by.role())) {
                        sender.addAll(stalls);
                        receiver.addAll(stalls);
                    }
                }
                case ECHO -> echo.addAll(stalls);
                case FORWARD -> {
                    echo.addAll(stalls);
                    between = "the forwarding thread";
                }
                case SEND -> sender.addAll(stalls);
                // other receivers are not on these messages' path
                case RECEIVE ->
                        receiver.addAll(thread.role().equals(by.role()) ? stalls : List.of());
                default -> throw new IllegalStateException();
            }
        }
        return Attribution.of(messages, sender, echo, receiver, between, usualNs);
    }
}

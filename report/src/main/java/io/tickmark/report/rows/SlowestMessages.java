package io.tickmark.report.rows;

import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.result.RoleFolders;
import io.tickmark.lab.tail.Attribution.Delay;
import io.tickmark.lab.tail.Attribution.Delayed;
import io.tickmark.lab.tail.Cause;
import io.tickmark.lab.tail.Pauses.Deoptimisation;
import io.tickmark.lab.tail.Stall;
import io.tickmark.lab.tail.TailReader;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Printable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The slowest messages of a step, all repeats together, and what delayed each, from the files that
 * its roles left.
 *
 * @param title where they were measured, the median, and how many were looked at
 * @param rows cells of {@link #COLUMNS}, the slowest first; messages that one stall delayed share a
 *     row
 * @param all how many rows there are, with those that were not asked for
 */
public record SlowestMessages(String title, List<List<String>> rows, int all) {
    /** Rows of a step where nobody asks for more or fewer. */
    public static final int ROWS = 10;

    /** Messages of a repeat that are listed, at most. */
    public static final int MOST_MESSAGES = 10_000;

    /** What a row holds: figures, and last why the message was slow, in words. */
    public static final List<String> COLUMNS =
            List.of(
                    "wanted at s",
                    "repeat",
                    "messages",
                    "sent after",
                    "received after",
                    "stalls",
                    "rest",
                    "why");

    private static final double NS_PER_S = 1e9;
    private static final double LEAST_PART_TOLD = 0.1;
    private static final double LEAST_OF_LATENCY = 0.01;

    /** Places and causes told of a message. */
    private static final int MOST_SUMS = 3;

    private static final int MOST_NAMES = 2;

    /** Copies the lists. */
    public SlowestMessages {
        rows = rows.stream().map(List::copyOf).toList();
    }

    /**
     * Reads the files of a step.
     *
     * @param block of the step
     * @param row of the block, with all its repeats
     * @param tails reads them, once for all steps of a trial
     * @param folders of its roles
     * @param most rows
     * @return empty where no repeat says what delayed its messages
     * @throws UserError if files cannot be read, or are torn or of another format
     */
    public static Optional<SlowestMessages> of(
            final Block block,
            final MergedRow row,
            final TailReader tails,
            final RoleFolders folders,
            final int most) {
        final List<Group> groups = new ArrayList<>();
        final List<Long> medians = new ArrayList<>();
        long listed = 0;
        long looked = 0;
        long of = 0;
        for (final TrialResult trial : row.repeats()) {
            final Optional<TailReader.Slowest> slowest = slowest(trial, tails, folders);
            if (slowest.isPresent()) {
                listed += slowest.get().slowest().size();
                looked += slowest.get().messages();
                of += slowest.get().of();
                medians.add(slowest.get().medianNs());
                groups.addAll(groups(trial.repeat(), slowest.get()));
            }
        }
        if (medians.isEmpty()) {
            return Optional.empty();
        }
        medians.sort(null);
        groups.sort(Comparator.comparingLong(Group::latencyNs).reversed());
        return Optional.of(
                new SlowestMessages(
                        "%s%s: median %s; the slowest %s of %s messages%s"
                                .formatted(
                                        block.place(),
                                        block.commaStep(row, Figures.ASCII),
                                        Figures.ASCII.time(medians.get(medians.size() / 2)),
                                        Figures.count(listed),
                                        Figures.count(looked),
                                        looked < of ? " of " + Figures.count(of) : ""),
                        groups.stream().limit(most).map(Group::cells).toList(),
                        groups.size()));
    }

    /**
     * That no message of a run or of a test has anything that says what delayed it.
     *
     * @param what the run or the test, the subject of the sentence
     * @return a sentence
     */
    public static String none(final Object what) {
        return ("%s does not say for any message what delayed it: latency tests, streams at a rate, market data, FIX and"
                        + " feeds record that, with threads that do not yield, and with 1,000 messages"
                        + " or more; and the roles' folders must still exist.")
                .formatted(what);
    }

    /** Messages that one stall delayed, or one message that none did. */
    private static final class Group {
        private final int repeat;
        private final long firstNs;
        private final Delayed slowest;
        private final Map<String, List<Deoptimisation>> dropped;
        private long messages;

        Group(final int repeat, final TailReader.Slowest of, final Delayed slowest) {
            this.repeat = repeat;
            this.firstNs = of.firstNs();
            this.slowest = slowest;
            this.dropped = of.dropped();
        }

        long latencyNs() {
            return slowest.message().latencyNs();
        }

        List<String> cells() {
            final List<Delay> delays = slowest.delays();
            return List.of(
                    String.format(
                            Locale.ROOT,
                            "%.6f",
                            (slowest.message().intendedNs() - firstNs) / NS_PER_S),
                    String.valueOf(repeat),
                    Figures.count(messages),
                    Figures.ASCII.time(slowest.message().sentNs() - slowest.message().intendedNs()),
                    Figures.ASCII.time(latencyNs()),
                    Figures.ASCII.time(slowest.chargedNs()),
                    Figures.ASCII.time(slowest.restNs()),
                    Printable.of(
                            (delays.isEmpty() ? TailFigures.REST : why(delays, latencyNs()))
                                    + deoptimised()));
        }

        /** What may explain the rest: code that goes on interpreted, until it is compiled again. */
        private String deoptimised() {
            if (2 * slowest.restNs() < latencyNs()) {
                return "";
            }
            final StringBuilder text = new StringBuilder();
            new TreeMap<>(dropped)
                    .forEach((role, all) -> {
                        final List<Deoptimisation> meanwhile =
                                all.stream()
                                        .filter(each ->
                                                each.atNs() >= slowest.message().intendedNs()
                                                        && each.atNs()
                                                                <= slowest.message().receivedNs())
                                        .toList();
                        if (!meanwhile.isEmpty()) {
                            text.append(
                                    "; the JVM of %s dropped compiled code of %s (%s)%s"
                                            .formatted(
                                                    role,
                                                    meanwhile.getFirst().method(),
                                                    meanwhile.getFirst().reason(),
                                                    meanwhile.size() == 1
                                                            ? ""
                                                            : " and of %d more methods"
                                                                    .formatted(
                                                                            meanwhile.size() - 1)));
                        }
                    });
            return text.toString();
        }
    }

    /** Stalls of one thread that have the same main cause. */
    private static final class Sum {
        private final Map<Cause, Long> causes = new EnumMap<>(Cause.class);
        private final Map<String, Long> instead = new LinkedHashMap<>();
        private final String place;
        private long delayNs;
        private long stalledNs;
        private int stalls;

        Sum(final String place) {
            this.place = place;
        }

        void add(final Delay delay) {
            final Stall stall = delay.stall();
            delayNs += delay.ns();
            stalledNs += stall.lengthNs();
            stalls++;
            stall.causes().forEach((cause, ns) -> causes.merge(cause, ns, Long::sum));
            if (!stall.instead().isEmpty()) {
                instead.merge(stall.instead(), stall.lengthNs(), Long::sum);
            }
        }

        /** Where it was, for how long, and each cause of a tenth of it or more. */
        String words() {
            final List<Map.Entry<Cause, Long>> told =
                    causes.entrySet().stream()
                            .filter(each -> each.getValue() >= LEAST_PART_TOLD * stalledNs)
                            .sorted(Map.Entry.<Cause, Long>comparingByValue().reversed())
                            .toList();
            return "%s was stalled for %s%s: %s%s"
                    .formatted(
                            place,
                            Figures.ASCII.time(stalledNs),
                            stalls == 1 ? "" : " in " + Plural.of(stalls, "stall"),
                            told.stream()
                                    .map(each ->
                                            (told.size() > 1
                                                            ? Figures.ASCII.time(each.getValue())
                                                                    + " "
                                                            : "")
                                                    + "%s (%s)"
                                                            .formatted(
                                                                    each.getKey().words(),
                                                                    each.getKey().evidence()))
                                    .collect(Collectors.joining(", ")),
                            meanwhile());
        }

        private String meanwhile() {
            final List<String> names =
                    instead.entrySet().stream()
                            .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                            .map(Map.Entry::getKey)
                            .toList();
            final List<String> operations =
                    names.stream().flatMap(name -> TailFigures.operation(name).stream()).toList();
            final List<String> ran =
                    names.stream().filter(name -> TailFigures.operation(name).isEmpty()).toList();
            return (operations.isEmpty() ? "" : "; the operation was " + most(operations))
                    + (ran.isEmpty() ? "" : "; meanwhile " + most(ran) + " ran");
        }

        private static String most(final List<String> names) {
            final List<String> first = names.subList(0, Math.min(MOST_NAMES, names.size()));
            final int more = names.size() - first.size();
            return String.join(", ", first) + (more == 0 ? "" : " and %d more".formatted(more));
        }
    }

    /**
     * What delayed a message most: its stalls by place and main cause, and how many others.
     *
     * @param delays the one that delayed it most first
     */
    static String why(final List<Delay> delays, final long latencyNs) {
        final Map<String, Sum> sums = new LinkedHashMap<>();
        for (final Delay delay : delays) {
            final String place = (delay.backlog() ? "behind others: " : "") + delay.where();
            final String cause =
                    delay.stall().causes().entrySet().stream()
                            .max(
                                    Map.Entry.<Cause, Long>comparingByValue()
                                            .thenComparing(Map.Entry.comparingByKey()))
                            .map(most -> most.getKey().name())
                            .orElse("");
            sums.computeIfAbsent(place + cause, key -> new Sum(place)).add(delay);
        }
        final List<Sum> sorted =
                sums.values().stream()
                        .sorted(Comparator.comparingLong((Sum sum) -> sum.delayNs).reversed())
                        .toList();
        final List<Sum> told =
                sorted.stream()
                        .limit(MOST_SUMS)
                        .filter(each ->
                                each == sorted.getFirst()
                                        || each.delayNs >= LEAST_OF_LATENCY * latencyNs)
                        .toList();
        final int others = delays.size() - told.stream().mapToInt(sum -> sum.stalls).sum();
        return told.stream().map(Sum::words).collect(Collectors.joining("; "))
                + (others == 0 ? "" : "; and " + Plural.of(others, "other stall"));
    }

    private static List<Group> groups(final int repeat, final TailReader.Slowest slowest) {
        final Map<Stall, Group> byStall = new IdentityHashMap<>();
        final List<Group> groups = new ArrayList<>();
        for (final Delayed each : slowest.slowest()) {
            final Stall stall = each.worst();
            Group group = stall == null ? null : byStall.get(stall);
            if (group == null) {
                group = new Group(repeat, slowest, each);
                groups.add(group);
                if (stall != null) {
                    byStall.put(stall, group);
                }
            }
            group.messages++;
        }
        return groups;
    }

    private static Optional<TailReader.Slowest> slowest(
            final TrialResult trial, final TailReader tails, final RoleFolders folders) {
        try {
            return tails.slowest(TailReader.roles(trial, folders), trial, MOST_MESSAGES);
        } catch (final IOException e) {
            throw UserError.environment(
                    "What the roles of %s on %s noted cannot be read (%s)."
                            .formatted(trial.test(), trial.channel(), IoReason.of(e)),
                    e);
        } catch (final IllegalArgumentException | IndexOutOfBoundsException e) {
            throw UserError.environment(
                    "What the roles of %s on %s noted of repeat %d is incomplete or of another version (%s)."
                            .formatted(
                                    trial.test(), trial.channel(), trial.repeat(), e.getMessage()),
                    e);
        }
    }
}

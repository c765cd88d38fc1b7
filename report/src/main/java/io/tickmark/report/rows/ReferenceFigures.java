package io.tickmark.report.rows;

import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.SearchSummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Printable;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Answers of searches compared with figures of another source: the machines differ, so only ratios
 * can be compared. The other's figures are relative to the first of them; ours to the first without
 * a store whose messages take the same path between the same hosts, because shared memory against
 * UDP, or one host against a cable, would say nothing about storing. Each row states what
 * represented the other's engine, and how faithfully.
 */
public final class ReferenceFigures {
    private static final String NO_STORE = "none";

    /** The paths of messages by engine, with and without a store. */
    private static final Map<String, String> PATHS =
            Map.of(
                    "aeron:ipc", "shared memory",
                    "archive", "shared memory",
                    "aeron:udp", "UDP",
                    "cluster", "UDP",
                    "nats", "TCP, a server",
                    "jetstream", "TCP, a server",
                    "kafka", "TCP, a server of Kafka");

    private ReferenceFigures() {}

    /**
     * Which way messages took: what is stored is compared with nothing that took another.
     *
     * @param path by its name
     * @param hosts those of each role that sends or receives, and of stores that are on none of
     *     these; empty where all ran on the controller's machine
     */
    private record Route(String path, Map<String, Set<String>> hosts) {
        static Route of(final SearchSummary search, final TrialResult trial) {
            final String engine = engine(search.channel());
            return new Route(PATHS.getOrDefault(engine, engine), hosts(trial.roles()));
        }

        private static Map<String, Set<String>> hosts(final List<RoleSummary> roles) {
            if (roles.stream().allMatch(role -> role.host().isEmpty())) {
                return Map.of();
            }
            final Map<String, Set<String>> hosts =
                    roles.stream()
                            .collect(
                                    Collectors.groupingBy(
                                            RoleSummary::role,
                                            HashMap::new,
                                            Collectors.mapping(
                                                    RoleSummary::host, Collectors.toSet())));
            final Set<String> stores =
                    Objects.requireNonNullElse(hosts.remove(StoredFigures.STORE), Set.of());
            final Set<String> elsewhere = new HashSet<>(stores);
            hosts.values().forEach(elsewhere::removeAll);
            if (!elsewhere.isEmpty()) {
                hosts.put(StoredFigures.STORE, elsewhere);
            }
            return hosts;
        }

        String shown() {
            final long count = hosts.values().stream().flatMap(Set::stream).distinct().count();
            return count == 0 ? path : path + (count == 1 ? ", on one host" : ", across hosts");
        }
    }

    /**
     * One row for each search that has such a figure.
     *
     * @param run any result
     * @return the table, empty where there is none
     */
    public static Optional<SideTable> of(final RunResult run) {
        final List<SearchSummary> all =
                run.searches().stream().filter(each -> each.referencePerSecond() > 0).toList();
        if (all.isEmpty()) {
            return Optional.empty();
        }
        final double firstReference = all.getFirst().referencePerSecond();
        final Map<Route, Double> streaming = streaming(run, all);
        return Optional.of(
                new SideTable(
                        "Beside figures of another source",
                        1,
                        7,
                        List.of(
                                "test",
                                "engine",
                                "path",
                                "deletion",
                                "class",
                                "reference",
                                "how faithful",
                                "stores",
                                "held/s",
                                "streaming there/s",
                                "to streaming",
                                "reference/s",
                                "to first"),
                        all.stream()
                                .map(search -> row(run, search, streaming, firstReference))
                                .toList()));
    }

    /** The rate that the first without a store held on each route. */
    private static Map<Route, Double> streaming(
            final RunResult run, final List<SearchSummary> all) {
        final Map<Route, Double> held = new HashMap<>();
        for (final SearchSummary search : all) {
            trial(run, search)
                    .filter(each -> StoredFigures.stores(each) == 0)
                    .ifPresent(each -> held.putIfAbsent(Route.of(search, each), counted(search)));
        }
        return held;
    }

    private static Optional<TrialResult> trial(final RunResult run, final SearchSummary search) {
        return run.trials().stream()
                .filter(each ->
                        each.test().equals(search.test())
                                && each.channel().equals(search.channel()))
                .findFirst();
    }

    private static List<String> row(
            final RunResult run,
            final SearchSummary search,
            final Map<Route, Double> streaming,
            final double firstReference) {
        final Optional<TrialResult> trial = trial(run, search);
        final Optional<Route> route = trial.map(each -> Route.of(search, each));
        final double streamed = route.map(streaming::get).orElse(0.0);
        return List.of(
                Printable.of(search.test()),
                Printable.of(engine(search.channel())),
                route.map(each -> Printable.of(each.shown())).orElse(StoredFigures.NONE),
                trial.map(each -> said(each, "deletion")).orElse(StoredFigures.NONE),
                trial.map(each -> said(each, "durability").replaceFirst(" .*", ""))
                        .orElse(StoredFigures.NONE),
                Printable.of(search.reference()),
                Printable.of(search.fidelity()),
                trial.map(ReferenceFigures::stores).orElse(StoredFigures.NONE),
                rate(counted(search)),
                rate(streamed),
                ratio(counted(search), streamed),
                rate(search.referencePerSecond()),
                ratio(search.referencePerSecond(), firstReference));
    }

    /** The channel without its parameters. */
    private static String engine(final String channel) {
        return channel.replaceFirst("[?].*", "").replaceFirst(":$", "");
    }

    private static String said(final TrialResult trial, final String metric) {
        return StoredFigures.stores(trial) == 0 ? NO_STORE : StoredFigures.said(trial, metric);
    }

    /** Processes that keep messages: stores times the members of each. */
    private static String stores(final TrialResult trial) {
        final long stores = StoredFigures.stores(trial);
        final String members = StoredFigures.said(trial, "members");
        return stores == 0 || members.equals("1") || members.equals(StoredFigures.NONE)
                ? Long.toString(stores)
                : stores == 1 ? members : stores + " x " + members;
    }

    private static double counted(final SearchSummary search) {
        return search.boundsAreUnconfirmed() // no answer to compare
                ? 0
                : search.lowerBoundPerSecond() * search.messagesPerSend();
    }

    private static String ratio(final double one, final double other) {
        return one > 0 && other > 0 ? String.format(Locale.ROOT, "%.2f", one / other) : "n/a";
    }

    private static String rate(final double perSecond) {
        return perSecond > 0 ? Figures.count(Math.round(perSecond)) : "n/a";
    }
}

package io.tickmark.cli.run;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.compare.Comparison;
import io.tickmark.lab.compare.Comparison.SettingSheet;
import io.tickmark.lab.compare.Side;
import io.tickmark.lab.verdict.Labels;
import io.tickmark.report.rows.StoredFigures;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.PlainMessages;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportTraits;
import io.tickmark.transport.Transports;
import io.tickmark.transport.store.DurableTransport;
import io.tickmark.transport.store.Guarantees;
import io.tickmark.workloads.messaging.store.Stores;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The guarantees of each run of a comparison, in the same terms for every engine: from the traits
 * of its channels, which the contract test of each engine asserts, and from what its roles report.
 */
public final class EngineSheets {
    private static final String NOT_SAID = "n/a";

    /** The same in the facts of a role. */
    private static final String DURABILITY = "durability";

    private final Map<String, Transport> transports = new Transports().all();

    /** Sheets of the engines on the class path. */
    public EngineSheets() {}

    /**
     * Adds the sheets where runs are of several channels.
     *
     * @param comparison without sheets
     * @param sides its runs
     * @return the comparison
     */
    public Comparison addTo(final Comparison comparison, final List<Side> sides) {
        final boolean isOfSeveral =
                comparison.rows().stream()
                        .anyMatch(row -> !row.channel().equals(row.otherChannel()));
        return isOfSeveral
                ? comparison.withSettings(sides.stream().map(this::sheet).toList())
                : comparison;
    }

    SettingSheet sheet(final Side side) {
        final List<TrialResult> trials = side.result().trials();
        final Map<String, String> values =
                values(
                        trials.stream().map(TrialResult::channel).distinct().toList(),
                        trials.stream().anyMatch(EngineSheets::isStored),
                        trials.stream()
                                .anyMatch(trial ->
                                        trial.labels().contains(Labels.AS_FAST_AS_POSSIBLE)));
        final String reported =
                trials.stream()
                        .flatMap(trial -> StoredFigures.reported(trial, DURABILITY).stream())
                        .distinct()
                        .sorted()
                        .collect(Collectors.joining(" / "));
        if (!reported.isEmpty()) {
            values.put(DURABILITY, reported);
        }
        values.put("threads", threads(side));
        return new SettingSheet(side.name(), values);
    }

    /** A store that somebody else runs has no role; a publisher that failed has no counts. */
    private static boolean isStored(final TrialResult trial) {
        return trial.counts().containsKey(Counts.ACKNOWLEDGED)
                || trial.roles().stream().anyMatch(role -> role.role().equals(Stores.STORE));
    }

    /**
     * What these channels do with messages.
     *
     * @param isStored whether they went through a store; many engines only keep those that do
     * @param isFullSpeed whether they were sent as fast as possible, when the workload batches
     */
    Map<String, String> values(
            final List<String> channels, final boolean isStored, final boolean isFullSpeed) {
        final Map<String, String> values = new LinkedHashMap<>();
        values.put(
                "delivery",
                words(
                        channels,
                        (channel, transport) ->
                                goesThroughStore(transport, isStored)
                                                || transport.traits(channel).reliable()
                                        ? "all"
                                        : "best effort"));
        values.put("ordering", traits(channels, each -> each.ordered() ? "per publisher" : "none"));
        values.put(
                "slow receiver",
                terms(
                        channels,
                        isStored,
                        PlainMessages::slowReceiver,
                        _ -> "messages wait in the store"));
        values.put(
                DURABILITY,
                terms(channels, isStored, PlainMessages::kept, each -> each.durability().words()));
        values.put(
                "acknowledged",
                terms(channels, isStored, PlainMessages::acknowledged, Guarantees::acknowledged));
        values.put("synced", terms(channels, isStored, PlainMessages::synced, Guarantees::synced));
        values.put(
                "batching",
                terms(
                        channels,
                        isStored,
                        each ->
                                isFullSpeed && each.batching().equals(PlainMessages.NONE)
                                        ? "by the bench, what is due together"
                                        : each.batching(),
                        Guarantees::batching));
        values.put(
                "compression",
                terms(channels, isStored, PlainMessages::compression, Guarantees::compression));
        return values;
    }

    private String traits(
            final List<String> channels, final Function<TransportTraits, String> word) {
        return words(channels, (channel, transport) -> word.apply(transport.traits(channel)));
    }

    private interface OfChannel {
        String word(ChannelUri channel, Transport transport);
    }

    private String words(final List<String> channels, final OfChannel what) {
        final String words =
                channels.stream()
                        .flatMap(channel -> word(channel, what).stream())
                        .collect(Collectors.toCollection(TreeSet::new))
                        .stream()
                        .collect(Collectors.joining(" / "));
        return words.isEmpty() ? NOT_SAID : words;
    }

    private Optional<String> word(final String text, final OfChannel what) {
        try {
            final ChannelUri channel = ChannelUri.parse(text);
            return Optional.ofNullable(transports.get(channel.scheme()))
                    .map(transport -> what.word(channel, transport));
        } catch (final UserError e) {
            return Optional
                    .empty(); // a run of another build may know channels that this one does not
        }
    }

    /** The word of the terms that hold for these messages. */
    private String terms(
            final List<String> channels,
            final boolean isStored,
            final Function<PlainMessages, String> word,
            final Function<Guarantees, String> stored) {
        return words(
                channels,
                (channel, transport) ->
                        goesThroughStore(transport, isStored)
                                ? stored.apply(((DurableTransport) transport).guarantees(channel))
                                : word.apply(transport.plainMessages(channel)));
    }

    private static boolean goesThroughStore(final Transport transport, final boolean isStored) {
        return transport instanceof final DurableTransport durable
                && (isStored || !durable.carriesPlainMessages());
    }

    private static String threads(final Side side) {
        return side.result().trials().stream()
                .map(trial -> trial.hotThreads() + " hot on " + trial.cores() + " cores")
                .distinct()
                .collect(Collectors.joining(" / "));
    }
}

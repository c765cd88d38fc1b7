package io.tickmark.cli.run;

import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.compare.Comparison;
import io.tickmark.lab.compare.Comparison.SettingSheet;
import io.tickmark.lab.compare.Side;
import io.tickmark.lab.verdict.Labels;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportTraits;
import io.tickmark.transport.Transports;
import io.tickmark.transport.store.DurableTransport;
import io.tickmark.transport.store.Guarantees;
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

    private SettingSheet sheet(final Side side) {
        final Map<String, String> values = new LinkedHashMap<>();
        values.put("delivery", traits(side, traits -> traits.reliable() ? "all" : "best effort"));
        values.put("ordering", traits(side, traits -> traits.ordered() ? "per publisher" : "none"));
        values.put(
                "slow receiver",
                traits(side, traits -> traits.backPressured() ? "pushes back" : "drops, counted"));
        values.put(
                "durability",
                durable(side, guarantees -> guarantees.durability().words(), "D0 memory"));
        values.put("batching", batching(side));
        values.put("compression", durable(side, Guarantees::compression, "none"));
        values.put("threads", threads(side));
        return new SettingSheet(side.name(), values);
    }

    private String traits(final Side side, final Function<TransportTraits, String> word) {
        return channels(side, (channel, transport) -> word.apply(transport.traits(channel)));
    }

    private interface OfChannel {
        String word(ChannelUri channel, Transport transport);
    }

    private String channels(final Side side, final OfChannel what) {
        final String words =
                side.result().trials().stream()
                        .map(TrialResult::channel)
                        .distinct()
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

    /** What a store reports, otherwise the values for messages that are only in memory. */
    private String durable(
            final Side side, final Function<Guarantees, String> word, final String otherwise) {
        return channels(
                side,
                (channel, transport) ->
                        transport instanceof final DurableTransport durable
                                ? word.apply(durable.guarantees(channel))
                                : otherwise);
    }

    /**
     * Stores do it by themselves; otherwise the workload does, when it sends as fast as possible.
     */
    private String batching(final Side side) {
        final boolean isFullSpeed =
                side.result().trials().stream()
                        .anyMatch(trial -> trial.labels().contains(Labels.AS_FAST_AS_POSSIBLE));
        return durable(side, Guarantees::batching, isFullSpeed ? "when more is waiting" : "none");
    }

    private static String threads(final Side side) {
        return side.result().trials().stream()
                .map(trial -> trial.hotThreads() + " hot on " + trial.cores() + " cores")
                .distinct()
                .collect(Collectors.joining(" / "));
    }
}

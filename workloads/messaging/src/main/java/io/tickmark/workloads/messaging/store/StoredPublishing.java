package io.tickmark.workloads.messaging.store;

import io.tickmark.kernel.result.CountSentence;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Topic;
import io.tickmark.transport.control.Control;
import io.tickmark.transport.store.DurableTransport;
import io.tickmark.workloads.messaging.EngineFacts;
import io.tickmark.workloads.messaging.OutgoingMessage;
import io.tickmark.workloads.messaging.session.PublishingEnd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.agrona.CloseHelper;
import org.agrona.concurrent.NanoClock;

/**
 * Publishes through a store, or several that are assigned to the topics in turn. It waits for no
 * receiver: what is stored can be read later. A reader finds an announcement first, and the ends
 * after the data.
 */
public final class StoredPublishing implements PublishingEnd {
    /** For stores of the trial other than the lost one. */
    private static final long GIVEN_UP_NS = 1_000_000_000;

    private final RoleContext context;
    private final NanoClock clock;
    private final DurableTransport transport;
    private final Control control;
    private final Optional<AcknowledgedFiles> files;
    private final List<String> notes;
    private final List<Topic> topics;
    private final List<FlightPublication> flights = new ArrayList<>();
    private final long timeoutNs;
    private final Deadline deadline;
    private ChannelUri channel;
    private long reopened;
    private boolean isGivenUp;

    /**
     * The load.
     *
     * @param payloadBytes message length
     * @param verify whether messages carry a checksum
     * @param flight how far it may be ahead
     * @param patience how long it waits for a store
     */
    public record Load(
            int payloadBytes, boolean verify, FlightSettings flight, StoreWaitSettings patience) {}

    /**
     * Opens the topics.
     *
     * @param channel as in the settings, for use by hand
     * @param endpoints of the trial
     * @param topics to open
     * @param load to send
     * @param context of the role
     * @throws UserError if a store cannot be reached
     */
    public StoredPublishing(
            final ChannelUri channel,
            final Endpoints endpoints,
            final List<Topic> topics,
            final Load load,
            final RoleContext context) {
        this.context = context;
        this.channel = channel;
        this.topics = List.copyOf(topics);
        clock = context.clock();
        transport = Stores.of(channel);
        control = Control.ofTrial(context);
        files = AcknowledgedFiles.of(endpoints, transport.guarantees(channel).deletion());
        notes = AcknowledgedFiles.notes(endpoints);
        timeoutNs = load.patience().storeTimeout().toNanos();
        deadline = new Deadline(context);
        final FlightPublication.FlightTools tools =
                new FlightPublication.FlightTools(
                        clock,
                        context.recording().latency(Latencies.STABLE_NS).ofStreams(topics.size()),
                        files);
        try {
            for (final Topic topic : topics) {
                final ChannelUri store = Stores.ofTopic(endpoints, channel, topic.id());
                this.channel = store;
                flights.add(
                        Stores.open(() -> flight(store, topic, load, tools), endpoints, context));
            }
        } catch (final RuntimeException e) {
            close();
            throw e;
        }
    }

    private FlightPublication flight(
            final ChannelUri store,
            final Topic topic,
            final Load load,
            final FlightPublication.FlightTools tools) {
        return new FlightPublication(
                () -> transport.durablePublication(store, topic),
                new OutgoingMessage(load.payloadBytes(), control.trialId(), load.verify()),
                load.payloadBytes(),
                topic.id(),
                load.flight(),
                tools);
    }

    @Override
    public List<Publication> publications() {
        return List.copyOf(flights);
    }

    @Override
    public ChannelUri channel() {
        return channel;
    }

    @Override
    public int trialId() {
        return control.trialId();
    }

    /**
     * The announcement is the first message of each topic; once stable, it shows that the store
     * works.
     */
    @Override
    public void countIn() {
        context.log("Publishing through the store at " + channel);
        deadline.in(context.connectTimeoutNs());
        for (final FlightPublication flight : flights) {
            while (!control.announce(flight, topics)) {
                flight.doWork();
                requireTime(flight);
            }
            if (!flight.drain(deadline)) {
                requireTime(flight);
            }
        }
    }

    private void requireTime(final FlightPublication flight) {
        if (!flight.end().isEmpty()) {
            throw UserError.environment("--channel %s: %s.".formatted(channel, flight.end()));
        }
        if (deadline.isOver() || context.isStopped()) {
            throw UserError.environment(
                    "--channel %s: the store made no message stable within %s; see its log."
                            .formatted(
                                    channel,
                                    Durations.format(
                                            Duration.ofNanos(context.connectTimeoutNs()))));
        }
    }

    @Override
    public List<String> end(final int step, final long[] sentBySource, final boolean last) {
        deadline.in(isGivenUp ? GIVEN_UP_NS : timeoutNs);
        final List<String> missing = new ArrayList<>();
        for (int topic = 1; topic <= flights.size(); topic++) {
            final FlightPublication flight = flights.get(topic - 1);
            if (!flight.drain(deadline)) {
                missing.add(
                        CountSentence.of(
                                "%d message{|s} of topic %d did not become stable%s.",
                                flight.inFlight(), topic, why(flight)));
            } else if (!put(flight, step, topic, sentBySource[topic], last)) {
                missing.add(
                        "the end of topic %d could not be stored%s."
                                .formatted(topic, inBrackets(flight.end())));
            }
        }
        if (!missing.isEmpty() && last) {
            files.ifPresent(AcknowledgedFiles::giveUp);
        }
        return missing;
    }

    private String why(final FlightPublication flight) {
        if (!flight.end().isEmpty()) {
            return ": " + flight.end();
        }
        final String when =
                context.isStopped()
                        ? " before it was stopped"
                        : " within " + Durations.format(Duration.ofNanos(timeoutNs));
        return when + (isGivenUp ? "" : inBrackets(flight.trouble()));
    }

    /** Readers are notified, as they wait for the end. */
    @Override
    public String giveUp(final long refusal) {
        isGivenUp = true;
        flights.forEach(FlightPublication::giveUp);
        files.ifPresent(AcknowledgedFiles::giveUp);
        return "the store is lost"
                + inBrackets(
                        flights.stream()
                                .map(FlightPublication::trouble)
                                .filter(said -> !said.isEmpty())
                                .findFirst()
                                .orElse(""))
                + ".";
    }

    private static String inBrackets(final String said) {
        return said.isEmpty() ? "" : " (" + withoutEnd(said) + ")";
    }

    private static String withoutEnd(final String said) {
        return said.replaceFirst("\\.$", "");
    }

    private boolean put(
            final FlightPublication flight,
            final int step,
            final int topic,
            final long sent,
            final boolean last) {
        while (!control.end(flight, step, topic, sent, last)) {
            flight.doWork();
            if (!flight.end().isEmpty() || deadline.isOver()) {
                return false;
            }
        }
        return flight.drain(deadline);
    }

    @Override
    public void linger(final long lingerNs) {
        final long deadlineNs = clock.nanoTime() + lingerNs;
        while (clock.nanoTime() - deadlineNs < 0 && !context.isStopped()) {
            flights.forEach(FlightPublication::doWork);
            Thread.onSpinWait();
        }
    }

    @Override
    public long stallNs() {
        return timeoutNs;
    }

    @Override
    public Map<String, Long> takeCounts() {
        final Map<String, Long> counts = new LinkedHashMap<>();
        for (final FlightPublication flight : flights) {
            final FlightPublication.FlightCounts taken = flight.takeCounts();
            taken.addTo(counts);
            reopened += taken.timesReopened();
        }
        return counts;
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts =
                new LinkedHashMap<>(transport.guarantees(channel).facts());
        facts.put("timesReopened", reopened);
        facts.put(
                WaitGrowth.FELL_BEHIND_NS,
                flights.stream().mapToLong(FlightPublication::fellBehindNs).max().orElse(0));
        facts.putAll(
                EngineFacts.sum(
                        flights.stream().map(FlightPublication::facts).toList(),
                        flights.getFirst()::isCount));
        return facts;
    }

    /** An ended publication reports this at the end of the step, and its measurements are kept. */
    @Override
    public void ended(final long refusal) {}

    @Override
    public List<String> notes() {
        final List<String> all = new ArrayList<>(notes);
        for (int topic = 1; topic <= flights.size(); topic++) {
            final FlightPublication flight = flights.get(topic - 1);
            for (final String reason : flight.reasons()) {
                all.add(
                        "The publication of topic %d was reopened: %s."
                                .formatted(topic, withoutEnd(reason)));
            }
            if (flight.forOtherReasons() > 0) {
                all.add(
                        "The publication of topic %d was reopened %s for other reasons."
                                .formatted(
                                        topic, Plural.of(flight.forOtherReasons(), "more time")));
            }
        }
        flights.stream()
                .flatMap(flight -> flight.engineErrors().stream())
                .distinct()
                .forEach(all::add);
        return all;
    }

    @Override
    public void close() {
        try {
            CloseHelper.closeAll(flights);
        } finally {
            files.ifPresent(AcknowledgedFiles::close);
        }
    }
}

package io.tickmark.workloads.feed.role;

import io.tickmark.kernel.loop.Column;
import io.tickmark.kernel.loop.Columns;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Topic;
import io.tickmark.transport.TransportTraits;
import io.tickmark.transport.Transports;
import io.tickmark.transport.control.Control;
import io.tickmark.workloads.feed.source.FeedPlan;
import io.tickmark.workloads.feed.source.FeedSender;
import io.tickmark.workloads.feed.source.FeedSettings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.IdleStrategy;

/** Sends a feed on a channel for the measured time, to all subscribers. */
public final class FeedPublisherRole implements Role {
    private static final long ANNOUNCE_NS = TimeUnit.MILLISECONDS.toNanos(10);

    /** For receivers to acknowledge the end; a stopped publisher leaves soon. */
    private static final long END_NS = TimeUnit.SECONDS.toNanos(5);

    private static final long STOPPED_END_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final FeedPublisherSettings settings;
    private final RoleContext context;
    private final IdleStrategy idle;
    private final FeedStep step;
    private Exchange exchange;
    private FeedSender sender;

    private FeedPublisherRole(final FeedPublisherSettings settings, final RoleContext context) {
        this.settings = settings;
        this.context = context;
        idle = context.idleStrategy(Factory.THREAD);
        step = new FeedStep(context);
    }

    @Override
    public Endpoints prepare() {
        final ChannelUri channel = ChannelUri.parse(settings.channel());
        exchange =
                new Transports()
                        .of(channel)
                        .exchange(
                                channel,
                                Topic.of(List.of("feed")).getFirst(),
                                ExchangeSide.BIND,
                                0);
        sender =
                new FeedSender(
                        FeedPlan.of(settings.feed()),
                        exchange,
                        context.clock(),
                        Control.ofTrial(context));
        return Endpoints.of(Map.of("channel", exchange.channel().toString()));
    }

    @Override
    public void connect(final Endpoints endpoints) {
        context.log("Publishing on " + exchange.channel());
        final long endNs = context.clock().nanoTime() + context.connectTimeoutNs();
        long announceNs = context.clock().nanoTime();
        while (sender.receivers() < settings.receivers()) {
            final long nowNs = context.clock().nanoTime();
            if (nowNs - endNs > 0 || context.isStopped()) {
                throw UserError.environment(
                        "--receivers %d: %d connected to %s in time; start 'console' or 'feed server' with --source %s."
                                .formatted(
                                        settings.receivers(),
                                        sender.receivers(),
                                        exchange.channel(),
                                        exchange.channel()));
            }
            if (nowNs - announceNs >= 0) {
                announceNs = nowNs + ANNOUNCE_NS;
                sender.announce();
            }
            idle.idle(sender.attend());
        }
    }

    @Override
    public RoleResult run(final long startAtNs) {
        context.pin(Factory.THREAD);
        attendUntil(startAtNs);
        context.began();
        sender.start(context.clock().nanoTime());
        sendUntil(settings.time().fromNs(startAtNs));
        context.recording().beginStep(0, "feed");
        sender.forgetMaxima();
        sender.beginMeasured();
        final long unheardBefore = sender.unheard();
        step.begin(sender.figures());
        sendUntil(settings.time().toNs(startAtNs));
        final StepResult sent = step.end(sender.figures(), settings.feed());
        final boolean hasSent = sent.counts().get(Counts.SENT) > 0;
        final long unheard = sender.unheard() - unheardBefore;
        sender.end(settings.receivers(), context.isStopped() ? STOPPED_END_NS : END_NS, idle);
        final ReceiverCounts receivers = receivers(unheard);
        final Map<String, Long> counts = new LinkedHashMap<>(sent.counts());
        counts.putAll(ReceiverCounts.COLUMNS.counts(receivers, Set.of()));
        return new RoleResult(
                List.of(sent.withCounts(counts)),
                ReceiverCounts.COLUMNS.metrics(receivers, receivers, 0, Set.of(), Map.of()),
                hasSent ? ReceiverCounts.COLUMNS.warnings(receivers) : List.of(),
                hasSent || context.isStopped()
                        ? ""
                        : "Nothing was sent in the measured time: no receiver was connected, or the channel accepted nothing.");
    }

    /** What receivers have acknowledged, once the end was sent to them. */
    private ReceiverCounts receivers(final long unheard) {
        final ReceiverCounts counts = ReceiverCounts.COLUMNS.zero();
        final int wanted = settings.receivers();
        counts.receivers().set(sender.receivers());
        counts.unheard().set(unheard);
        counts.countedIn().set(Math.max(wanted, sender.confirmed()));
        counts.lost().set(Math.max(sender.lostAtReceivers(), wanted == 0 ? 0 : unheard));
        counts.notConfirmed().set(Math.max(0, wanted - sender.confirmed()));
        return counts;
    }

    /**
     * What became of the messages of a publisher.
     *
     * @param receivers receivers that have connected at any time
     * @param unheard messages that were due while no receiver was connected, and were not sent
     * @param countedIn receivers that were waited for, or that acknowledged the end
     * @param lost messages that receivers reported as lost; one that was not sent is missing at
     *     each of them, and is among these as far as they came back
     * @param notConfirmed receivers that did not acknowledge the end
     */
    record ReceiverCounts(
            @Column(metric = "receivers") Counter receivers,
            @Column(
                            metric = "unheard",
                            warning =
                                    "%d message{ was|s were} due while no receiver was connected, and {was|were} not sent.")
                    Counter unheard,
            @Column(count = Counts.COUNTED_IN, isLargest = true) Counter countedIn,
            @Column(count = Counts.LOST_AT_SUBSCRIBERS) Counter lost,
            @Column(count = Counts.NOT_CONFIRMED) Counter notConfirmed) {
        static final Columns<ReceiverCounts> COLUMNS = Columns.of(ReceiverCounts.class);
    }

    private void attendUntil(final long ns) {
        while (context.clock().nanoTime() - ns < 0 && !context.isStopped()) {
            idle.idle(sender.attend());
        }
    }

    private void sendUntil(final long ns) {
        while (context.clock().nanoTime() - ns < 0 && !context.isStopped()) {
            final int sent = sender.send();
            step.update(sender.sent(), sender.lagNs());
            idle.idle(sent + sender.attend());
        }
    }

    @Override
    public void close() {
        if (exchange != null) {
            exchange.close();
        }
    }

    /** Creates publishers of a feed. */
    public static final class Factory extends RoleFactory.Declared<FeedPublisherSettings> {
        static final HotThread THREAD = new HotThread("publisher");

        /** For the service loader. */
        public Factory() {
            super(
                    "feed-publisher",
                    "Makes a price feed and sends it on a channel of an engine.",
                    FeedPublisherSettings.class);
        }

        @Override
        public List<HotThread> hotThreads(
                final FeedPublisherSettings settings, final int index, final int count) {
            return List.of(THREAD);
        }

        @Override
        public int engineThreads(final FeedPublisherSettings settings) {
            return Transports.busyThreads(ChannelUri.parse(settings.channel()), ExchangeSide.BIND);
        }

        @Override
        public long expectedDurationNs(final FeedPublisherSettings settings) {
            return settings.time().wholeNs();
        }

        @Override
        public void check(final FeedPublisherSettings settings) {
            final ChannelUri channel = ChannelUri.parse(settings.channel());
            final TransportTraits traits = new Transports().of(channel).traits(channel);
            final int length = Stamp.FULL_LENGTH + settings.feed().messageBytes();
            if (length > traits.maxPayloadBytes()) {
                throw UserError.usage(
                        "--message-bytes %d: makes messages of %d bytes with their stamp, and %s takes %d at most."
                                .formatted(
                                        settings.feed().messageBytes(),
                                        length,
                                        channel,
                                        traits.maxPayloadBytes()));
            }
        }

        @Override
        public void checkHere(final FeedPublisherSettings settings) {
            Transports.requireHere(ChannelUri.parse(settings.channel()), ExchangeSide.BIND);
        }

        @Override
        public boolean staysOnOneHost(final FeedPublisherSettings settings) {
            return Transports.stayOnOneHost(ChannelUri.parse(settings.channel()));
        }

        @Override
        public Role create(final FeedPublisherSettings settings, final RoleContext context) {
            return new FeedPublisherRole(settings, context);
        }
    }

    /**
     * Settings of the publisher.
     *
     * @param feed what it makes
     * @param channel to send on
     * @param receivers to wait for
     * @param time when to measure
     */
    public record FeedPublisherSettings(
            FeedSettings feed,
            @Setting(
                            help =
                                    "Channel to send on, of any engine: what 'console' or 'feed server' is given as --source.",
                            byDefault = "shm://prices",
                            label = "CHANNEL")
                    String channel,
            @Setting(
                            help =
                                    "Receivers that must be connected before it begins; more may connect and disconnect later.",
                            byDefault = "1",
                            min = 0,
                            max = 1000)
                    int receivers,
            MeasuredTime time) {

        /** Checks conditions between settings. */
        public FeedPublisherSettings {
            if (feed.threads() > 1) {
                throw UserError.usage(
                        "--threads " + feed.threads() + ": one thread sends on a channel; give 1.");
            }
            if (feed.isChannel()) {
                throw UserError.usage(
                        "--source "
                                + feed.source()
                                + ": a publisher makes prices or replays a file; give 'generator' or a file.");
            }
        }
    }
}

package io.tickmark.workloads.messaging.latency;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stall.MessageLog;
import io.tickmark.kernel.stall.StallRecording;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transports;
import io.tickmark.workloads.messaging.Departures;
import io.tickmark.workloads.messaging.EngineFacts;
import io.tickmark.workloads.messaging.ParticipantCheck;
import io.tickmark.workloads.messaging.Receiving;
import io.tickmark.workloads.messaging.StepReceiver;
import io.tickmark.workloads.messaging.ThreadSettings;
import io.tickmark.workloads.messaging.session.ExchangeReceiving;
import io.tickmark.workloads.messaging.store.Stores;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.agrona.DirectBuffer;

/** Counts pings; the one with the highest cookie sends them back, before it counts them. */
public final class LatencySubscriber implements Role {
    /**
     * An echo that the engine refuses this many times is given up: the publisher counts it as lost.
     */
    private static final int MAX_ECHO_TRIES = 1_000_000;

    private final LatencySubSettings settings;
    private final RoleContext context;
    private final boolean echoes;
    private final HotThread thread;
    private final Receiving receiving;
    private final Counter received;

    /** One object, because code is compiled for the classes that it has seen. */
    private final MessageHandler handler = this::onMessage;

    private StallWatch watch = StallWatch.off();
    private StepReceiver steps;
    private Publication echo;
    private long echoesRefused;

    /** When pings went through this end, where the kernel stamps them. */
    private Departures departures = Departures.NONE;

    /** About how many pings each step will have; 0 where none is noted. */
    private long expectedPings;

    LatencySubscriber(final LatencySubSettings settings, final RoleContext context) {
        this.settings = settings;
        this.context = context;
        echoes = Factory.echoes(settings, context.index(), context.count());
        thread = Factory.thread(echoes);
        receiving =
                new Receiving(
                        settings.own(settings.channel()),
                        List.of(new Topic(settings.topic(), 1)),
                        settings.cookie() == 0 ? context.index() : settings.cookie(),
                        settings.thread(),
                        thread,
                        context);
        received = context.recording().counter(Counts.RECEIVED);
    }

    @Override
    public Endpoints prepare() {
        return Endpoints.NONE;
    }

    @Override
    public void connect(final Endpoints endpoints) {
        receiving.expect(endpoints);
        final ExchangeReceiving way = receiving.open(own(endpoints));
        final List<Exchange> exchanges = way.exchanges();
        EngineFacts.line(exchanges.getFirst()).ifPresent(context::log);
        echo = exchanges.getFirst().publication();
        way.session().whenMatched(() -> echo = way.exchanges().getFirst().publication());
        steps = receiving.steps(settings.verify());
        if (echoes) {
            way.session().echoes();
            steps.beforeClose(() -> departures.settle());
            steps.whenBegun(this::begin);
        }
        receiving.introduce(handler);
        expectedPings =
                receiving.kernelStamps().and(echo.kernelStamps()).areKept()
                        ? LatencyPublisher.expectedPings(endpoints)
                        : 0;
        watch = receiving.watch(echoes ? StallWatch.Part.ECHO : StallWatch.Part.RECEIVE);
        steps.begin();
    }

    /**
     * This subscriber's own parameters (its multicast group) take precedence over the publisher's.
     */
    private Endpoints own(final Endpoints endpoints) {
        return endpoints.named("channel").stream()
                .findFirst()
                .map(channel -> Endpoints.of(Map.of("channel", settings.own(channel))))
                .orElse(endpoints);
    }

    @Override
    public RoleResult run(final long startAtNs) {
        return receiving.run(
                steps,
                handler,
                () -> {},
                true,
                settings.idleTimeout().toNanos(),
                metrics -> {
                    metrics.put("cookie", receiving.cookie());
                    metrics.put("echoes", echoes);
                    metrics.put("echoesRefused", echoesRefused);
                });
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length) {
        if (echoes
                && Stamp.isStamped(buffer, offset, length)
                && (Stamp.flags(buffer, offset) & ~Stamp.WARM_UP) == 0) {
            watch.worked(); // no clock is read before an echo is sent; the send is not a stall
            if (departures.areKept() && length >= Stamp.FULL_LENGTH) {
                sendBackAndNote(buffer, offset, length);
            } else {
                sendBack(buffer, offset, length);
            }
        }
        final long nowNs = context.clock().nanoTime();
        watch.look(nowNs);
        if (steps.onMessage(buffer, offset, length, nowNs)) {
            received.increment();
        }
    }

    /** Between two steps, while no ping is under way. */
    private void begin(final int step) {
        if (expectedPings == 0 || steps.isOver()) {
            departures = Departures.NONE;
            return;
        }
        final StallRecording stalls = context.recording().stalls();
        departures =
                new Departures(
                        step > StepReceiver.WARM_UP_STEP
                                ? stalls.messages(step, expectedPings, MessageLog.Kind.ECHOED)
                                : stalls.unreadMessages(expectedPings, MessageLog.Kind.ECHOED));
    }

    private void sendBackAndNote(final DirectBuffer buffer, final int offset, final int length) {
        final long takenNs = context.clock().nanoTime();
        final long position = sendBack(buffer, offset, length);
        if (position >= 0) {
            departures.echoed(
                    echo,
                    position,
                    Stamp.sequence(buffer, offset),
                    Stamp.sentNs(buffer, offset),
                    receiving.arrivedNs(),
                    takenNs);
        }
    }

    /** Its position; negative where it was given up. */
    private long sendBack(final DirectBuffer buffer, final int offset, final int length) {
        for (int tries = 0; tries < MAX_ECHO_TRIES; tries++) {
            final long position = echo.offer(buffer, offset, length);
            if (position >= 0) {
                echo.flush();
                return position;
            }
            echo.doWork();
            if (position == Publication.TOO_LONG || context.isStopped()) {
                break;
            }
        }
        echoesRefused++;
        return Publication.BACK_PRESSURED;
    }

    @Override
    public void close() {
        receiving.close();
    }

    /** Creates latency subscribers. */
    public static final class Factory extends RoleFactory.Declared<LatencySubSettings> {
        private static final HotThread ECHO = new HotThread("echo");
        private static final HotThread RECEIVER = new HotThread("receiver");

        /** For the service loader. */
        public Factory() {
            super(
                    "latency-sub",
                    "Receives pings; the one with the highest cookie sends them back.",
                    LatencySubSettings.class);
        }

        @Override
        public List<HotThread> hotThreads(
                final LatencySubSettings settings, final int index, final int count) {
            return List.of(settings.thread().of(thread(echoes(settings, index, count))));
        }

        static boolean echoes(final LatencySubSettings settings, final int index, final int count) {
            return !settings.noEcho() && index == count;
        }

        static HotThread thread(final boolean echoes) {
            return echoes ? ECHO : RECEIVER;
        }

        @Override
        public int engineThreads(final LatencySubSettings settings) {
            return Transports.busyThreads(
                    ChannelUri.parse(channel(settings)), ExchangeSide.CONNECT);
        }

        @Override
        public long patienceNs(final LatencySubSettings settings) {
            return Stores.patienceNs(ChannelUri.parse(channel(settings)));
        }

        @Override
        public long expectedDurationNs(final LatencySubSettings settings) {
            return 0;
        }

        @Override
        public void check(final LatencySubSettings settings) {
            Topic.of(List.of(settings.topic()));
            final ChannelUri channel = ChannelUri.parse(settings.own(settings.channel()));
            new Transports().of(channel).traits(channel);
            Stores.check(channel, false);
        }

        @Override
        public void checkHere(final LatencySubSettings settings) {
            Transports.requireHere(ChannelUri.parse(channel(settings)), ExchangeSide.CONNECT);
        }

        @Override
        public String channel(final LatencySubSettings settings) {
            return settings.own(settings.channel());
        }

        @Override
        public void checkCompany(
                final LatencySubSettings settings,
                final Map<String, Integer> counts,
                final UnaryOperator<String> naming) {
            ParticipantCheck.needPublisher(name(), "latency-pub", counts);
        }

        @Override
        public boolean staysOnOneHost(final LatencySubSettings settings) {
            return Transports.stayOnOneHost(ChannelUri.parse(channel(settings)));
        }

        @Override
        public Role create(final LatencySubSettings settings, final RoleContext context) {
            return new LatencySubscriber(settings, context);
        }
    }

    /**
     * Settings of the latency subscriber.
     *
     * @param channel to measure
     * @param channelParameters parameters in which this subscriber's channel differs from the
     *     publisher's, each as {@code name=value}
     * @param topic within it
     * @param cookie number of this subscriber, 0 to take its index in the plan
     * @param noEcho whether it only receives; the one with the highest cookie must echo
     * @param idleTimeout end after this long without a message
     * @param verify whether to check checksums
     * @param thread how the hot thread waits and where it runs
     */
    public record LatencySubSettings(
            @Setting(help = "Channel to measure.", byDefault = "udp://127.0.0.1:0", label = "URI")
                    String channel,
            @Setting(
                            help =
                                    "Parameters of the channel in which this subscriber differs from its publisher, such as a "
                                            + "multicast group of its own.",
                            label = "NAME=VALUE,...")
                    List<String> channelParameters,
            @Setting(help = "Topic within the channel.", byDefault = "tickmark", label = "NAME")
                    String topic,
            @Setting(
                            help =
                                    "Cookie of this subscriber: a number from 1, a different one for each; 0 takes its index in"
                                            + " the plan.",
                            byDefault = "0",
                            min = 0,
                            max = 1024)
                    int cookie,
            @Setting(
                            help =
                                    "Only receive; exactly one subscriber, the one with the highest cookie, echoes.",
                            byDefault = "false")
                    boolean noEcho,
            @Setting(
                            help = "End after this long without a message.",
                            byDefault = "10s",
                            min = 1e6,
                            max = 3.6e12)
                    Duration idleTimeout,
            @Setting(help = "Check the CRC32C of messages from 32 bytes on.", byDefault = "true")
                    boolean verify,
            ThreadSettings thread) {
        /** Refuses parameters without a name or a value. */
        public LatencySubSettings {
            channelParameters = List.copyOf(channelParameters);
            for (final String parameter : channelParameters) {
                if (parameter.indexOf('=') < 1) {
                    throw UserError.usage(
                            "--channel-parameters %s: write each as name=value, for example multicast=225.3.2.1."
                                    .formatted(parameter));
                }
            }
        }

        /** The effective channel: the publisher's, with the parameters of this subscriber. */
        String own(final String published) {
            ChannelUri own = ChannelUri.parse(published);
            for (final String parameter : channelParameters) {
                final int equals = parameter.indexOf('=');
                own = own.with(parameter.substring(0, equals), parameter.substring(equals + 1));
            }
            return channelParameters.isEmpty() ? published : own.toString();
        }
    }
}

package io.tickmark.engines.mqtt;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttClientBuilder;
import com.hivemq.client.mqtt.MqttClientState;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.lifecycle.MqttClientDisconnectedContext;
import com.hivemq.client.mqtt.lifecycle.MqttDisconnectSource;
import com.hivemq.client.mqtt.mqtt3.Mqtt3AsyncClient;
import com.hivemq.client.mqtt.mqtt3.exceptions.Mqtt3ConnAckException;
import com.hivemq.client.mqtt.mqtt3.exceptions.Mqtt3SubAckException;
import com.hivemq.client.mqtt.mqtt3.message.connect.Mqtt3Connect;
import com.hivemq.client.mqtt.mqtt3.message.publish.Mqtt3Publish;
import com.hivemq.client.mqtt.mqtt3.message.subscribe.Mqtt3Subscribe;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5ConnAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5PubAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5PubRecException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5SubAckException;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5Connect;
import com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAck;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscribe;
import io.reactivex.Flowable;
import io.reactivex.Scheduler;
import io.reactivex.processors.UnicastProcessor;
import io.reactivex.schedulers.Schedulers;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.broker.BoundedClose;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerPlainPublication;
import io.tickmark.transport.broker.BrokerPublication;
import io.tickmark.transport.broker.BrokerSubscription;
import io.tickmark.transport.broker.BrokerTransport;
import io.tickmark.transport.broker.Flight;
import io.tickmark.transport.broker.Inbox;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A connection to the broker of a channel, with one thread of the client, which ends with it. It is
 * reconnected when the broker returns; messages sent meanwhile are not resent, as they could arrive
 * twice.
 */
final class MqttLink implements BrokerTransport.Link {
    static final int CLIENT_THREADS = 1;
    private static final long TIMEOUT_MS = 10_000;
    private static final long AGAIN_MS = 100;

    /**
     * Of PUBLISH: fixed header, lengths of topic and properties, packet identifier (MQTT 5, 3.3).
     */
    private static final int MOST_HEADER_BYTES = 10;

    /** Call-backs of the client run on its own thread, without a hand-over to another. */
    private static final Scheduler AT_ONCE = Schedulers.from(Runnable::run);

    private static final String REFUSED =
            "the broker refuses the connection (%s); check ?user and ?passwordFile, or see its log";
    private static final String FORBIDDEN =
            "the broker refuses the subscription (%s); allow access to what is below ?prefix there";

    private final BrokerChannel<MqttParameters> channel;
    private final MqttParameters parameters;
    private final Session session;
    private final Session.Limits limits;
    private final EngineErrors breaks =
            new EngineErrors(
                    "The connection to the broker broke (%s); see whether it runs, what its log says, and whether it takes"
                            + " messages of ?maxPayloadBytes and ?qos.",
                    "The connection to the broker broke %d times, first: %s; see whether it runs, what its log says, and"
                            + " whether it takes messages of ?maxPayloadBytes and ?qos.");
    private volatile Runnable subscribeAgain = () -> {};
    private volatile boolean isOpen;
    private volatile boolean isClosed;

    /** Connects. */
    MqttLink(final BrokerChannel<MqttParameters> channel) {
        this.channel = channel;
        parameters = channel.parameters();
        session =
                Session.of(
                        MqttClient.builder()
                                .serverAddress(
                                        new InetSocketAddress(
                                                channel.address().address(),
                                                channel.address().port()))
                                .executorConfig()
                                .nettyExecutor(this::startThread)
                                .nettyThreads(CLIENT_THREADS)
                                .applicationScheduler(AT_ONCE)
                                .applyExecutorConfig()
                                .addConnectedListener(context -> connected())
                                .addDisconnectedListener(this::disconnected),
                        parameters);
        limits = answered(session.connect(identity()));
        isOpen = true;
    }

    /**
     * The client separates threads by the executor that starts them, so that each link has its own.
     */
    private void startThread(final Runnable task) {
        Thread.ofPlatform().daemon().name("mqtt-client-" + channel.authority()).start(task);
    }

    private Session.Identity identity() {
        final String password = parameters.credentials().password(channel);
        return new Session.Identity(
                parameters.credentials().user(), password.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * On the client's thread. While the client is connecting it does not let itself be
     * disconnected, so a link that was closed meanwhile is ended here.
     */
    private void connected() {
        if (isClosed) {
            session.disconnect();
            return;
        }
        breaks.mended();
        subscribeAgain.run();
    }

    /**
     * On the client's thread. A first connection that fails is reported by its caller. The client
     * could also subscribe again, but would not tell what the broker grants.
     */
    private void disconnected(final MqttClientDisconnectedContext context) {
        if (isOpen && context.getSource() != MqttDisconnectSource.USER) {
            if (context.getReconnector().getAttempts() == 0) {
                breaks.broke(said(context.getCause()));
            }
            context.getReconnector()
                    .reconnect(true)
                    .resubscribeIfSessionExpired(false)
                    .delay(AGAIN_MS, TimeUnit.MILLISECONDS);
        }
    }

    /** Broken connections that were restored, and one that was not. */
    @Override
    public Optional<String> errors() {
        return breaks.sentence();
    }

    /**
     * An error of a message path through the client, on its thread; when the link closes, it ends
     * without an error.
     */
    private void ended(final Throwable error) {
        if (isOpen) {
            breaks.add(said(error));
        }
    }

    private <T> T answered(final CompletableFuture<T> answer) {
        try {
            return answer.get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (final ExecutionException e) {
            throw refused(e.getCause());
        } catch (final TimeoutException e) {
            throw refused(e);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw refused(e);
        }
    }

    private UserError refused(final Throwable error) {
        close();
        final String form =
                switch (error) {
                    case Mqtt3ConnAckException _ -> REFUSED;
                    case Mqtt5ConnAckException _ -> REFUSED;
                    case Mqtt3SubAckException _ -> FORBIDDEN;
                    case Mqtt5SubAckException _ -> FORBIDDEN;
                    case InterruptedException _ -> "connecting was interrupted";
                    default -> "";
                };
        return form.isEmpty()
                ? channel.unanswered("MQTT broker", said(error), error)
                : channel.failed(form.formatted(said(error)), error);
    }

    /**
     * The reason in an exception of the client: the broker's code, or the message of the root
     * cause.
     */
    private static String said(final Throwable error) {
        return switch (error) {
            case Mqtt3ConnAckException e -> words(e.getMqttMessage().getReturnCode());
            case Mqtt5ConnAckException e -> words(e.getMqttMessage().getReasonCode());
            case Mqtt5PubAckException e -> words(e.getMqttMessage().getReasonCode());
            case Mqtt5PubRecException e -> words(e.getMqttMessage().getReasonCode());
            case TimeoutException _ -> "no answer within %d s".formatted(TIMEOUT_MS / 1000);
            default ->
                    error.getCause() == null
                            ? String.valueOf(error.getMessage()).strip().replaceFirst("\\.$", "")
                            : said(error.getCause());
        };
    }

    private static String words(final Enum<?> code) {
        return code.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    @Override
    public boolean isServed() {
        return session.state().isConnected();
    }

    @Override
    public Map<String, Object> facts() {
        return Map.of(
                "protocol", "MQTT " + parameters.version(),
                "qos", parameters.qos(),
                "serverStartedHere", channel.startsServers(),
                "maxFlight", parameters.maxFlight(),
                "disconnects", breaks.count());
    }

    @Override
    public boolean isCount(final String fact) {
        return fact.equals("disconnects");
    }

    @Override
    public BrokerPublication publication(final String name) {
        final long longest =
                (long) parameters.broker().maxPayloadBytes() + name.length() + MOST_HEADER_BYTES;
        if (longest > limits.packetBytes()) {
            throw channel.wrong(
                    "the broker takes packets of at most %d bytes; give ?maxPayloadBytes=%d or less"
                            .formatted(
                                    limits.packetBytes(),
                                    limits.packetBytes() - name.length() - MOST_HEADER_BYTES));
        }
        if (parameters.qos() > limits.qos()) {
            throw lower("the broker takes messages of at most qos=%d", limits.qos());
        }
        return new Sender(name);
    }

    /** Figures with the label of a higher quality of service would not be its figures. */
    private UserError lower(final String what, final int qos) {
        close();
        return channel.wrong((what + "; give ?qos=%d, or allow more there").formatted(qos, qos));
    }

    @Override
    public BrokerSubscription subscription(final String name) {
        return new Receiver(
                name,
                new Inbox<>(arrival -> arrival.payload().length, parameters.receivePendingBytes()));
    }

    @Override
    public void close() {
        isOpen = false;
        isClosed = true;
        BoundedClose.of(() -> session.disconnect().get(TIMEOUT_MS, TimeUnit.MILLISECONDS));
    }

    /** What the broker does not acknowledge it may have published all the same. */
    private EngineErrors failures() {
        final String missing = parameters.qos() == 0 ? "published" : "acknowledged";
        return new EngineErrors(
                "A message that the client had accepted was not "
                        + missing
                        + ": %s; see what the broker allows.",
                "%d messages that the client had accepted were not "
                        + missing
                        + ", the first: %s; see what the broker allows.");
    }

    /** Passes messages to the client's thread with a queue, and never waits for it. */
    private final class Sender extends BrokerPlainPublication {
        private final UnicastProcessor<byte[]> waiting = UnicastProcessor.create();

        Sender(final String name) {
            super(
                    channel,
                    parameters.broker().maxPayloadBytes(),
                    new Flight(parameters.maxFlight(), parameters.sendPendingBytes()),
                    failures());
            session.publish(name, waiting).subscribe(this::onAnswer, MqttLink.this::ended);
        }

        /** On the client's thread. */
        private void onAnswer(final Optional<Throwable> failure) {
            failure.ifPresent(error -> failed(said(error)));
            answered();
        }

        @Override
        protected long send(final byte[] message) {
            waiting.onNext(message);
            return 0;
        }

        @Override
        protected Map<String, Object> engineFacts() {
            return Map.of("sendPendingBytes", parameters.sendPendingBytes());
        }
    }

    /** Polls a queue that the client's thread fills. */
    private final class Receiver extends BrokerSubscription {
        private static final Runnable NOTHING = () -> {};

        private final String name;
        private final Inbox<Session.Arrival> arrived;
        private final EngineErrors notGranted =
                new EngineErrors(
                        "Once the connection was restored, the broker did not grant the same subscription (%s): messages that"
                                + " followed were delivered with a lower ?qos, or not at all.",
                        "Once the connection was restored, the broker did not grant the same subscription, %d times, first:"
                                + " %s; messages that followed were delivered with a lower ?qos, or not at all.");

        private final EngineErrors notAnswered =
                new EngineErrors(
                        "Once the connection was restored, the broker did not confirm a subscription (%s): messages that"
                                + " followed may be missing, or have a lower ?qos.",
                        "Once the connection was restored, the broker did not confirm a subscription, %d times,"
                                + " first: %s; messages that followed may be missing, or have a lower ?qos.");

        /** Messages published from now on are received: the broker has answered. */
        Receiver(final String name, final Inbox<Session.Arrival> arrived) {
            super(channel, arrived);
            this.name = name;
            this.arrived = arrived;
            subscribeAgain = this::subscribeAgain;
            final int granted = answered(subscribe());
            if (granted < parameters.qos()) {
                throw lower("the broker grants a subscription at most qos=%d", granted);
            }
        }

        private CompletableFuture<Integer> subscribe() {
            session.arrivals().subscribe(this::arrive, this::endedUnlessBroken);
            return session.subscribe(name);
        }

        /** They end with each connection, which is reported as a break. On the client's thread. */
        private void endedUnlessBroken(final Throwable error) {
            if (MqttLink.this.isServed()) {
                ended(error);
            }
        }

        /** On the client's thread: nobody waits for the answer. */
        private void subscribeAgain() {
            subscribe()
                    .orTimeout(TIMEOUT_MS, TimeUnit.MILLISECONDS)
                    .whenComplete((granted, error) -> {
                        if (error != null) {
                            notSubscribed(error);
                        } else if (granted < parameters.qos()) {
                            notGranted.add(
                                    "qos=%d instead of %d".formatted(granted, parameters.qos()));
                        }
                    });
        }

        /** Where the connection broke once more, it is subscribed again after that. */
        private void notSubscribed(final Throwable error) {
            final Throwable cause = error instanceof CompletionException ? error.getCause() : error;
            switch (cause) {
                case Mqtt3SubAckException _ -> notGranted.add(said(cause));
                case Mqtt5SubAckException _ -> notGranted.add(said(cause));
                case TimeoutException _ -> notAnswered.add(said(cause));
                default -> endedUnlessBroken(cause);
            }
        }

        /**
         * On the client's thread. A broker sends no more than its limit ahead of acknowledgements
         * (MQTT 5, section 4.9), so messages beyond both limits wait there.
         */
        private void arrive(final Session.Arrival arrival) {
            if (arrived.hasRoom(arrival)) {
                arrival.acknowledgement().run();
                arrived.add(new Session.Arrival(arrival.payload(), NOTHING));
            } else if (parameters.qos() == 0) {
                arrived.addOrDrop(arrival);
            } else {
                arrived.add(arrival);
            }
        }

        @Override
        protected byte[] next() {
            final Session.Arrival arrival = arrived.poll();
            if (arrival == null) {
                return null;
            }
            arrival.acknowledgement().run();
            return arrival.payload();
        }

        @Override
        public Optional<String> engineErrors() {
            return EngineErrors.together(
                    super.engineErrors(), notGranted.sentence(), notAnswered.sentence());
        }

        @Override
        public boolean isCount(final String fact) {
            return fact.equals("droppedByClient") || super.isCount(fact);
        }

        @Override
        public Map<String, Object> facts() {
            final Map<String, Object> facts = super.facts();
            facts.put("receivePendingBytes", parameters.receivePendingBytes());
            facts.put("droppedByClient", arrived.dropped());
            return facts;
        }
    }

    /**
     * A session with one version of the protocol, which ends with its connection: clean at its
     * start (MQTT 3.1.1 and 5, section 3.1.2.4). Any thread; messages arrive on the client's
     * thread.
     */
    private interface Session {
        /** Largest packet where the broker names no limit (MQTT 5, section 2.1.4). */
        int LARGEST_PACKET_BYTES = 268_435_460;

        /** The client's credentials; none where the name is empty. */
        record Identity(String username, byte[] password) {}

        /**
         * A received message.
         *
         * @param acknowledgement to be run once it is stored here; does nothing with qos=0
         */
        record Arrival(byte[] payload, Runnable acknowledgement) {}

        /**
         * What the broker named when it accepted the connection.
         *
         * @param packetBytes size of the largest packet that it accepts
         * @param qos highest quality of service that it publishes with (MQTT 5, section 3.2.2.3.4)
         */
        record Limits(int packetBytes, int qos) {}

        /** Ends with the broker's limits; MQTT 3.1.1 names none. */
        CompletableFuture<Limits> connect(Identity identity);

        /**
         * Sends payloads to a topic as they are offered, and is notified for each whether it was
         * acknowledged (empty) or never will be (the reason).
         */
        Flowable<Optional<Throwable>> publish(String topic, Flowable<byte[]> payloads);

        /** The messages received by this client from now on. */
        Flowable<Arrival> arrivals();

        /**
         * Ends with the quality of service that the broker granted, which may be lower than what
         * was asked for (MQTT 3.1.1 and 5, section 3.9).
         */
        CompletableFuture<Integer> subscribe(String topic);

        CompletableFuture<Void> disconnect();

        MqttClientState state();

        static Session of(final MqttClientBuilder client, final MqttParameters parameters) {
            final MqttQos qos = MqttQos.fromCode(parameters.qos());
            return parameters.version().equals(MqttParameters.V3)
                    ? new Version3(client.useMqttVersion3().buildAsync(), qos)
                    : new Version5(client.useMqttVersion5().buildAsync(), qos);
        }

        /** MQTT 3.1.1. */
        record Version3(Mqtt3AsyncClient client, MqttQos qos) implements Session {
            @Override
            public CompletableFuture<Limits> connect(final Identity identity) {
                final var connect = Mqtt3Connect.builder().cleanSession(true);
                if (!identity.username().isEmpty()) {
                    connect.simpleAuth()
                            .username(identity.username())
                            .password(identity.password())
                            .applySimpleAuth();
                }
                return client.connect(connect.build())
                        .thenApply(answer ->
                                new Limits(LARGEST_PACKET_BYTES, MqttQos.EXACTLY_ONCE.getCode()));
            }

            @Override
            public Flowable<Optional<Throwable>> publish(
                    final String topic, final Flowable<byte[]> payloads) {
                final Mqtt3Publish empty = Mqtt3Publish.builder().topic(topic).qos(qos).build();
                return client.toRx()
                        .publish(payloads.map(bytes -> empty.extend().payload(bytes).build()))
                        .map(sent -> sent.getError());
            }

            @Override
            public Flowable<Arrival> arrivals() {
                return client.toRx()
                        .publishes(MqttGlobalPublishFilter.ALL, true)
                        .map(come -> new Arrival(come.getPayloadAsBytes(), come::acknowledge));
            }

            @Override
            public CompletableFuture<Integer> subscribe(final String topic) {
                return client.subscribe(
                                Mqtt3Subscribe.builder().topicFilter(topic).qos(qos).build())
                        .thenApply(answer -> answer.getReturnCodes().getFirst().getCode());
            }

            @Override
            public CompletableFuture<Void> disconnect() {
                return client.disconnect();
            }

            @Override
            public MqttClientState state() {
                return client.getState();
            }
        }

        /**
         * MQTT 5. Receive Maximum stays at its largest: with 10 the client (1.4.2) closed
         * connections to brokers that respected it.
         */
        record Version5(Mqtt5AsyncClient client, MqttQos qos) implements Session {
            @Override
            public CompletableFuture<Limits> connect(final Identity identity) {
                final var connect = Mqtt5Connect.builder().cleanStart(true);
                if (!identity.username().isEmpty()) {
                    connect.simpleAuth()
                            .username(identity.username())
                            .password(identity.password())
                            .applySimpleAuth();
                }
                return client.connect(connect.build())
                        .thenApply(Mqtt5ConnAck::getRestrictions)
                        .thenApply(limits ->
                                new Limits(
                                        limits.getMaximumPacketSize(),
                                        limits.getMaximumQos().getCode()));
            }

            @Override
            public Flowable<Optional<Throwable>> publish(
                    final String topic, final Flowable<byte[]> payloads) {
                final Mqtt5Publish empty = Mqtt5Publish.builder().topic(topic).qos(qos).build();
                return client.toRx()
                        .publish(payloads.map(bytes -> empty.extend().payload(bytes).build()))
                        .map(sent -> sent.getError());
            }

            @Override
            public Flowable<Arrival> arrivals() {
                return client.toRx()
                        .publishes(MqttGlobalPublishFilter.ALL, true)
                        .map(come -> new Arrival(come.getPayloadAsBytes(), come::acknowledge));
            }

            @Override
            public CompletableFuture<Integer> subscribe(final String topic) {
                return client.subscribe(
                                Mqtt5Subscribe.builder().topicFilter(topic).qos(qos).build())
                        .thenApply(answer -> answer.getReasonCodes().getFirst().getCode());
            }

            @Override
            public CompletableFuture<Void> disconnect() {
                return client.disconnect();
            }

            @Override
            public MqttClientState state() {
                return client.getState();
            }
        }
    }
}

package io.tickmark.engines.mqtt;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.PlainMessages;
import io.tickmark.transport.Topic;
import io.tickmark.transport.TransportTraits;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerTransport;
import io.tickmark.transport.broker.ServerProgram;
import io.tickmark.transport.broker.ServerSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * MQTT 3.1.1 and 5: {@code mqtt://HOST:PORT}, or {@code mqtt:} for a broker that the binding side
 * starts. Stateless, any thread; errors are sentences for users. See {@link MqttParameters} for the
 * parameters.
 */
public final class MqttTransport extends BrokerTransport<MqttParameters> {
    private static final ServerProgram PROGRAM =
            new ServerProgram("mosquitto", "TICKMARK_MOSQUITTO", "mosquitto");
    private static final int DEFAULT_PORT = 1883;
    private static final Duration START_PATIENCE = Duration.ofSeconds(30);

    /** No wildcards and no names of the broker's own (MQTT 5, sections 4.7.1 and 4.7.2). */
    private static final String NAMES = "[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*";

    private static final int LONGEST_NAME = 200;

    /** Connects to nothing yet. */
    public MqttTransport() {
        super("mqtt", DEFAULT_PORT, MqttParameters.class);
    }

    @Override
    public String summary() {
        return "MQTT 3.1.1 and 5, qos 0 to 2: mqtt://HOST:PORT, or mqtt: for a broker started here.";
    }

    @Override
    public Optional<String> missing() {
        return PROGRAM.absence();
    }

    @Override
    protected String serverNoun() {
        return "broker";
    }

    @Override
    protected void check(final BrokerChannel<MqttParameters> channel) {
        final MqttParameters parameters = channel.parameters();
        final String prefix = parameters.broker().prefix();
        if (prefix.length() > LONGEST_NAME || !prefix.matches(NAMES)) {
            throw channel.wrong(
                    "?prefix=%s is not a name; use letters, digits, dots, dashes and underscores, and / between levels"
                            .formatted(prefix));
        }
        if (!List.of(MqttParameters.V3, MqttParameters.V5).contains(parameters.version())) {
            throw channel.wrong(
                    "?version=%s is not known; write 3.1.1 or 5".formatted(parameters.version()));
        }
        parameters.credentials().check(channel);
        channel.requireOneServer();
    }

    @Override
    protected String serverTitle() {
        return "MQTT broker";
    }

    @Override
    public List<Kind> kinds() {
        return List.of(new Kind("mqtt:", true), new Kind("mqtt:?qos=1", true));
    }

    @Override
    protected int clientThreads(final BrokerChannel<MqttParameters> channel) {
        return MqttLink.CLIENT_THREADS;
    }

    /**
     * MQTT 5, section 4.3: PUBACK with qos=1, PUBREC and PUBCOMP with qos=2. A stock mosquitto lets
     * the kernel gather small messages, and no broker reports whether it does.
     */
    @Override
    public PlainMessages plainMessages(final ChannelUri uri) {
        final BrokerChannel<MqttParameters> channel = channel(uri);
        final PlainMessages inMemory =
                PlainMessages.inMemory(traits(uri))
                        .batching(
                                channel.startsServers()
                                        ? PlainMessages.NONE
                                        : "none by the client, not known of the broker");
        if (channel.parameters().qos() == 0) {
            return inMemory.slowReceiver("the broker or the client drops what it has no room for");
        }
        return inMemory.acknowledged("the broker has it in memory")
                .slowReceiver(
                        channel.startsServers()
                                ? "messages wait at the broker"
                                : "messages wait at the broker, up to its own limits");
    }

    /**
     * With acknowledgements nothing is lost at a broker that we start, whose queues have no limit;
     * a given one has its own limits, which it does not report (MQTT 5, section 4.3).
     */
    @Override
    public TransportTraits traits(final ChannelUri uri) {
        final BrokerChannel<MqttParameters> channel = channel(uri);
        return traits(
                channel.parameters().qos() > 0 && channel.startsServers(),
                channel.parameters().broker().maxPayloadBytes());
    }

    /** Nothing outlives the process, messages are dropped only with qos=0, none are gathered. */
    @Override
    protected ServerSpec server(
            final BrokerChannel<MqttParameters> channel,
            final ServerSpec.Member member,
            final List<ServerSpec.Member> all,
            final boolean stores) {
        final Path configuration = member.folder().resolve("mosquitto.conf");
        final String text =
                """
                listener %d %s
                allow_anonymous true
                persistence false
                log_dest stderr
                set_tcp_nodelay true
                max_inflight_messages %d
                max_queued_messages 0
                max_queued_bytes 0
                """
                        .formatted(
                                member.address().port(),
                                member.address().address().getHostAddress(),
                                channel.parameters().maxFlight());
        return new ServerSpec(
                List.of(PROGRAM.required(channel).toString(), "-c", configuration.toString()),
                Map.of(configuration.getFileName().toString(), text),
                " running",
                "Error: ",
                List.of("Error: "),
                START_PATIENCE);
    }

    @Override
    protected Link connect(final BrokerChannel<MqttParameters> channel) {
        return new MqttLink(channel);
    }

    /** A topic's name has no levels, so that none is the reply topic of another. */
    @Override
    protected String name(final BrokerChannel<MqttParameters> channel, final Topic topic) {
        return channel.parameters().broker().prefix() + "/" + topic.name();
    }

    @Override
    protected String replyName(final BrokerChannel<MqttParameters> channel, final Topic topic) {
        return name(channel, topic) + "/reply";
    }
}

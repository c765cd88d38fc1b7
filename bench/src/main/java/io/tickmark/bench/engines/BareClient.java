package io.tickmark.bench.engines;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.Producer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.nats.client.Nats;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.SubscriptionMode;

/**
 * The least that a loop on an engine's own client needs, with the settings that our engine has by
 * default. One thread sends.
 */
interface BareClient extends AutoCloseable {
    /** Begins to receive what is sent to a topic from now on; called on the client's threads. */
    void subscribe(String topic, Consumer<byte[]> received) throws Exception;

    /**
     * Sends a message, as its client does it.
     *
     * @param taken called once the client has no more to do with it
     */
    void send(String topic, byte[] payload, Runnable taken) throws Exception;

    @Override
    void close();

    /**
     * The client of an engine, connected to a server, or to the side that binds.
     *
     * @param at where that is
     */
    static BareClient of(final String scheme, final String at) throws Exception {
        if (BareDirect.schemes().contains(scheme)) {
            return BareDirect.of(scheme, at);
        }
        final String host = at.replaceFirst(":[0-9]+$", "");
        final int port = Integer.parseInt(at.substring(host.length() + 1));
        return switch (scheme) {
            case "artemis" -> new Artemis(host, port);
            case "kafka" -> new Kafka(host, port);
            case "mqtt" -> new Mqtt(host, port);
            case "nats" -> new NatsClient(host, port);
            case "pulsar" -> new Pulsar(host, port);
            case "rabbitmq" -> new Rabbitmq(host, port);
            case "rabbitmq-stream" -> new RabbitmqStream(host, port);
            case "redis" -> new Redis(host, port);
            default -> throw new IllegalArgumentException("no bare loop for " + scheme);
        };
    }

    /** Publish/subscribe; two connections, as a subscribed one takes no other command. */
    final class Redis implements BareClient {
        private final RedisClient client;
        private final RedisAsyncCommands<byte[], byte[]> commands;

        Redis(final String host, final int port) {
            client = RedisClient.create(RedisURI.create(host, port));
            commands = client.connect(ByteArrayCodec.INSTANCE).async();
        }

        @Override
        public void subscribe(final String topic, final Consumer<byte[]> received) {
            final StatefulRedisPubSubConnection<byte[], byte[]> connection =
                    client.connectPubSub(ByteArrayCodec.INSTANCE);
            connection.addListener(
                    new RedisPubSubAdapter<>() {
                        @Override
                        public void message(final byte[] of, final byte[] payload) {
                            received.accept(payload);
                        }
                    });
            connection.sync().subscribe(topic.getBytes(StandardCharsets.US_ASCII));
        }

        @Override
        public void send(final String topic, final byte[] payload, final Runnable taken) {
            commands.publish(topic.getBytes(StandardCharsets.US_ASCII), payload).thenRun(taken);
        }

        @Override
        public void close() {
            client.shutdown();
        }
    }

    /** An exchange, and a queue for each subscriber; what is received is acknowledged at times. */
    final class Rabbitmq implements BareClient {
        private static final String EXCHANGE = "bare";
        private static final int PREFETCH = 1000;

        private final ConnectionFactory factory = new ConnectionFactory();
        private final Connection connection;
        private final Channel channel;

        Rabbitmq(final String host, final int port) throws Exception {
            factory.useBlockingIo();
            factory.setHost(host);
            factory.setPort(port);
            connection = factory.newConnection();
            channel = connection.createChannel();
            channel.exchangeDeclare(EXCHANGE, BuiltinExchangeType.DIRECT, false, false, null);
        }

        @Override
        public void subscribe(final String topic, final Consumer<byte[]> received)
                throws Exception {
            final Channel own = factory.newConnection().createChannel();
            own.basicQos(PREFETCH);
            final String queue = own.queueDeclare().getQueue();
            own.queueBind(queue, EXCHANGE, topic);
            own.basicConsume(
                    queue,
                    false,
                    (tag, delivery) -> {
                        final long number = delivery.getEnvelope().getDeliveryTag();
                        if (number % (PREFETCH / 4) == 0) {
                            own.basicAck(number, true);
                        }
                        received.accept(delivery.getBody());
                    },
                    tag -> {});
        }

        @Override
        public void send(final String topic, final byte[] payload, final Runnable taken)
                throws IOException {
            channel.basicPublish(EXCHANGE, topic, null, payload);
            taken.run();
        }

        @Override
        public void close() {
            connection.abort();
        }
    }

    /** A stream for each topic. */
    final class RabbitmqStream implements BareClient {
        private final Environment environment;
        private final Map<String, Producer> producers = new HashMap<>();

        RabbitmqStream(final String host, final int port) {
            environment = Environment.builder().host(host).port(port).build();
        }

        private void declare(final String topic) {
            environment.streamCreator().stream(topic).create();
        }

        @Override
        public void subscribe(final String topic, final Consumer<byte[]> received) {
            declare(topic);
            environment.consumerBuilder().stream(topic)
                    .offset(OffsetSpecification.next())
                    .noTrackingStrategy()
                    .messageHandler(
                            (context, message) -> received.accept(message.getBodyAsBinary()))
                    .build();
        }

        @Override
        public void send(final String topic, final byte[] payload, final Runnable taken) {
            final Producer producer =
                    producers.computeIfAbsent(
                            topic,
                            name -> {
                                declare(name);
                                return environment.producerBuilder().stream(name).build();
                            });
            producer.send(
                    producer.messageBuilder().addData(payload).build(), status -> taken.run());
        }

        @Override
        public void close() {
            environment.close();
        }
    }

    /** MQTT 5, qos 0. */
    final class Mqtt implements BareClient {
        private final Mqtt5AsyncClient client;

        Mqtt(final String host, final int port) {
            client =
                    MqttClient.builder()
                            .identifier("bare-" + UUID.randomUUID())
                            .serverHost(host)
                            .serverPort(port)
                            .useMqttVersion5()
                            .buildAsync();
            client.connect().join();
        }

        @Override
        public void subscribe(final String topic, final Consumer<byte[]> received) {
            client.publishes(
                    MqttGlobalPublishFilter.ALL,
                    message -> received.accept(message.getPayloadAsBytes()));
            client.subscribeWith().topicFilter(topic).qos(MqttQos.AT_MOST_ONCE).send().join();
        }

        @Override
        public void send(final String topic, final byte[] payload, final Runnable taken) {
            client.publishWith()
                    .topic(topic)
                    .qos(MqttQos.AT_MOST_ONCE)
                    .payload(payload)
                    .send()
                    .thenRun(taken);
        }

        @Override
        public void close() {
            client.disconnect();
        }
    }

    /** Core NATS. */
    final class NatsClient implements BareClient {
        private final io.nats.client.Connection connection;

        NatsClient(final String host, final int port) throws Exception {
            connection = Nats.connect("nats://%s:%d".formatted(host, port));
        }

        @Override
        public void subscribe(final String topic, final Consumer<byte[]> received)
                throws Exception {
            connection
                    .createDispatcher(message -> received.accept(message.getData()))
                    .subscribe(topic);
            connection.flush(Duration.ofSeconds(10));
        }

        /** The client makes its caller wait where too much is under way. */
        @Override
        public void send(final String topic, final byte[] payload, final Runnable taken) {
            connection.publish(topic, payload);
            taken.run();
        }

        @Override
        public void close() {
            try {
                connection.close();
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** One partition, acknowledged by all in sync and stored once, without linger. */
    final class Kafka implements BareClient {
        private final Map<String, Object> settings;
        private final KafkaProducer<byte[], byte[]> producer;
        private volatile boolean isClosed;

        Kafka(final String host, final int port) {
            settings = Map.of("bootstrap.servers", "%s:%d".formatted(host, port));
            final Map<String, Object> sending = new HashMap<>(settings);
            sending.put("acks", "all");
            sending.put("enable.idempotence", true);
            sending.put("linger.ms", 0);
            producer =
                    new KafkaProducer<>(
                            sending, new ByteArraySerializer(), new ByteArraySerializer());
        }

        @Override
        public void subscribe(final String topic, final Consumer<byte[]> received)
                throws InterruptedException {
            create(topic);
            final CountDownLatch ready = new CountDownLatch(1);
            Thread.ofPlatform().daemon().start(() -> consume(topic, received, ready));
            ready.await();
        }

        /** The topic may be there already: the other side has created it. */
        private void create(final String topic) throws InterruptedException {
            try (Admin admin = Admin.create(settings)) {
                admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
            } catch (final ExecutionException e) {
                if (!(e.getCause() instanceof TopicExistsException)) {
                    throw new IllegalStateException(e);
                }
            }
        }

        private void consume(
                final String topic, final Consumer<byte[]> received, final CountDownLatch ready) {
            try (KafkaConsumer<byte[], byte[]> consumer =
                    new KafkaConsumer<>(
                            settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
                final TopicPartition partition = new TopicPartition(topic, 0);
                consumer.partitionsFor(topic);
                consumer.assign(List.of(partition));
                consumer.seekToEnd(List.of(partition));
                consumer.position(partition);
                ready.countDown();
                while (!isClosed) {
                    for (final ConsumerRecord<byte[], byte[]> each :
                            consumer.poll(Duration.ofMillis(100))) {
                        received.accept(each.value());
                    }
                }
            }
        }

        @Override
        public void send(final String topic, final byte[] payload, final Runnable taken) {
            producer.send(
                    new ProducerRecord<>(topic, 0, null, payload), (metadata, e) -> taken.run());
        }

        @Override
        public void close() {
            isClosed = true;
            producer.close(Duration.ofSeconds(2));
        }
    }

    /** A multicast address, and a queue for each subscriber; messages are not durable. */
    final class Artemis implements BareClient {
        private static final int WINDOW_BYTES = 1 << 20;

        private final ServerLocator locator;
        private final ClientSessionFactory factory;
        private final Map<String, ClientProducer> producers = new HashMap<>();
        private final ClientSession session;

        Artemis(final String host, final int port) throws Exception {
            locator =
                    ActiveMQClient.createServerLocator(
                                    "tcp://%s:%d?useEpoll=false".formatted(host, port))
                            .setBlockOnNonDurableSend(false)
                            .setProducerWindowSize(-1)
                            .setConfirmationWindowSize(WINDOW_BYTES)
                            .setConsumerWindowSize(WINDOW_BYTES);
            factory = locator.createSessionFactory();
            session = started();
        }

        private ClientSession started() throws Exception {
            return factory.createSession(false, true, true, true).start();
        }

        @Override
        public void subscribe(final String topic, final Consumer<byte[]> received)
                throws Exception {
            final ClientSession own = started();
            final SimpleString queue = SimpleString.of(topic + "." + UUID.randomUUID());
            own.createQueue(
                    QueueConfiguration.of(queue)
                            .setAddress(topic)
                            .setRoutingType(RoutingType.MULTICAST)
                            .setDurable(false)
                            .setTemporary(true));
            own.createConsumer(queue)
                    .setMessageHandler(message -> {
                        final byte[] payload = new byte[message.getBodySize()];
                        message.getBodyBuffer().readBytes(payload);
                        received.accept(payload);
                    });
        }

        @Override
        public void send(final String topic, final byte[] payload, final Runnable taken)
                throws Exception {
            ClientProducer producer = producers.get(topic);
            if (producer == null) {
                producer = session.createProducer(topic);
                producers.put(topic, producer);
            }
            final ClientMessage message = session.createMessage(Message.BYTES_TYPE, false);
            message.setRoutingType(RoutingType.MULTICAST);
            message.getBodyBuffer().writeBytes(payload);
            producer.send(message, sent -> taken.run());
        }

        @Override
        public void close() {
            factory.close();
            locator.close();
        }
    }

    /**
     * Topics that nobody keeps, and a subscription for each subscriber; batches of a millisecond.
     */
    final class Pulsar implements BareClient {
        private final PulsarClient client;
        private final Map<String, org.apache.pulsar.client.api.Producer<byte[]>> producers =
                new HashMap<>();

        @SuppressWarnings("deprecation") // its statistics need another library
        Pulsar(final String host, final int port) throws Exception {
            client =
                    PulsarClient.builder()
                            .serviceUrl("pulsar://%s:%d".formatted(host, port))
                            .statsInterval(0, TimeUnit.SECONDS)
                            .build();
        }

        private static String name(final String topic) {
            return "non-persistent://public/default/" + topic;
        }

        @Override
        public void subscribe(final String topic, final Consumer<byte[]> received)
                throws Exception {
            client.newConsumer()
                    .topic(name(topic))
                    .subscriptionName(UUID.randomUUID().toString())
                    .subscriptionMode(SubscriptionMode.NonDurable)
                    .messageListener((consumer, message) -> {
                        received.accept(message.getData());
                        consumer.acknowledgeAsync(message);
                    })
                    .subscribe();
        }

        @Override
        public void send(final String topic, final byte[] payload, final Runnable taken)
                throws Exception {
            org.apache.pulsar.client.api.Producer<byte[]> producer = producers.get(topic);
            if (producer == null) {
                producer =
                        client.newProducer()
                                .topic(name(topic))
                                .sendTimeout(0, TimeUnit.SECONDS)
                                .create();
                producers.put(topic, producer);
            }
            producer.sendAsync(payload).thenRun(taken);
        }

        @Override
        public void close() {
            try {
                client.close();
            } catch (final PulsarClientException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Names of engines with a server that have a bare loop. */
    static List<String> schemes() {
        return List.of(
                "redis",
                "mqtt",
                "nats",
                "rabbitmq",
                "rabbitmq-stream",
                "artemis",
                "kafka",
                "pulsar");
    }
}

package io.tickmark.engines.pulsar;

import io.tickmark.kernel.settings.Plural;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.SecretFile;
import io.tickmark.transport.broker.BrokerChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.pulsar.client.api.AuthenticationFactory;
import org.apache.pulsar.client.api.ClientBuilder;
import org.apache.pulsar.client.api.ConsumerBuilder;
import org.apache.pulsar.client.api.ProducerBuilder;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.SizeUnit;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionMode;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.client.impl.PulsarClientImpl;

/**
 * A client of the server of a channel, with its own threads, which end with it. It connects again
 * by itself, and sends again what was under way. Any thread.
 */
final class PulsarConnection implements AutoCloseable {
    private static final int IO_THREADS = 1;
    private static final int LISTENER_THREADS = 1;
    private static final int TIMEOUT_MS = 10_000;

    /** The reason in an answer of the server, which the client quotes with ids and addresses. */
    private static final Pattern REASON = Pattern.compile("\"errorMsg\":\"(.*?)\",\"reqId\"");

    /** The client says so where nobody answered its greeting. */
    private static final String NO_HANDSHAKE = "Connection already closed";

    private final BrokerChannel<PulsarParameters> channel;
    private final PulsarClient client;

    /** The token in the file that a channel names; empty where it names none. */
    static String token(final BrokerChannel<PulsarParameters> channel) {
        return SecretFile.read(channel.uri(), "tokenFile", channel.parameters().tokenFile());
    }

    /**
     * Connects.
     *
     * @throws UserError of kind environment that says what to do
     */
    @SuppressWarnings("deprecation") // its own statistics need one more library, and are not read
    PulsarConnection(final BrokerChannel<PulsarParameters> channel) {
        this.channel = channel;
        final String token = token(channel);
        requireAnswer();
        final ClientBuilder builder =
                PulsarClient.builder()
                        .serviceUrl("pulsar://" + channel.address().authority())
                        .ioThreads(IO_THREADS)
                        .listenerThreads(LISTENER_THREADS)
                        .operationTimeout(TIMEOUT_MS, TimeUnit.MILLISECONDS)
                        .lookupTimeout(TIMEOUT_MS, TimeUnit.MILLISECONDS)
                        .connectionTimeout(TIMEOUT_MS, TimeUnit.MILLISECONDS)
                        .memoryLimit(0, SizeUnit.BYTES) // each publication has a limit of ours
                        .statsInterval(0, TimeUnit.SECONDS);
        if (!token.isEmpty()) {
            builder.authentication(AuthenticationFactory.token(token));
        }
        try {
            client = builder.build();
        } catch (final PulsarClientException e) {
            throw refused(e);
        }
    }

    /** The client would try for ten seconds, and then not say that nobody was there. */
    private void requireAnswer() {
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(channel.address().address(), channel.address().port()),
                    TIMEOUT_MS);
        } catch (final IOException e) {
            throw nobody(e.getMessage(), e);
        }
    }

    private UserError nobody(final String why, final Exception e) {
        return channel.unanswered("Pulsar server", why, e);
    }

    PulsarClientImpl client() {
        return (PulsarClientImpl) client;
    }

    /**
     * Waits for what the client does on its own threads; it has limits of its own.
     *
     * @throws PulsarClientException if it failed
     */
    static <T> T await(final Future<T> answer) throws PulsarClientException {
        try {
            return answer.get();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PulsarClientException(e);
        } catch (final ExecutionException e) {
            throw PulsarClientException.unwrap(e);
        }
    }

    /** A producer that never waits and never gives up a message by itself. */
    ProducerBuilder<byte[]> producer(final String topic) throws PulsarClientException {
        requireOnePartition(topic);
        final PulsarParameters parameters = channel.parameters();
        return client.newProducer()
                .topic(topic)
                .sendTimeout(0, TimeUnit.SECONDS)
                .maxPendingMessages(0)
                .blockIfQueueFull(false)
                .enableBatching(parameters.batching())
                .batchingMaxPublishDelay(parameters.batchingDelayUs(), TimeUnit.MICROSECONDS);
    }

    /** A consumer with a subscription of its own, which ends with it. */
    ConsumerBuilder<byte[]> consumer(final String topic, final SubscriptionInitialPosition from)
            throws PulsarClientException {
        requireOnePartition(topic);
        return client.newConsumer()
                .topic(topic)
                .subscriptionName("tickmark-" + UUID.randomUUID())
                .subscriptionMode(SubscriptionMode.NonDurable)
                .subscriptionType(SubscriptionType.Exclusive)
                .subscriptionInitialPosition(from)
                .receiverQueueSize(channel.parameters().receiverQueue());
    }

    /** The type of subscriptions that the channel asks for. */
    SubscriptionType type() {
        return switch (channel.parameters().subscription()) {
            case EXCLUSIVE -> SubscriptionType.Exclusive;
            case FAILOVER -> SubscriptionType.Failover;
            case SHARED -> SubscriptionType.Shared;
        };
    }

    private void requireOnePartition(final String topic) throws PulsarClientException {
        final List<String> partitions = await(client.getPartitionsForTopic(topic, true));
        if (!partitions.equals(List.of(topic))) {
            throw channel.failed(
                    "the topic '%s' has %s; delete it, or give ?prefix="
                            .formatted(
                                    topic,
                                    Plural.of(
                                            partitions.size(),
                                            "partition, and tests use topics without",
                                            "partitions, which keep no order between them")),
                    null);
        }
    }

    /** The error for a refusal after which the caller cannot continue. */
    UserError refused(final PulsarClientException e) {
        return switch (e) {
            case PulsarClientException.AuthenticationException refusal -> unknown(refusal);
            case PulsarClientException.AuthorizationException refusal -> unknown(refusal);
            case PulsarClientException.TimeoutException silence -> nobody(said(silence), silence);
            case PulsarClientException.ConnectException broken -> nobody(said(broken), broken);
            case PulsarClientException silent when said(silent).equals(NO_HANDSHAKE) ->
                    nobody(said(silent), silent);
            case PulsarClientException.TopicDoesNotExistException missing ->
                    channel.failed(
                            "the server has no such topic or namespace (%s); create it, or give another ?namespace="
                                    .formatted(said(missing)),
                            missing);
            case PulsarClientException.IncompatibleSchemaException other ->
                    channel.failed(
                            "the topic has a schema, and messages here are plain bytes (%s); delete it, or give ?prefix="
                                    .formatted(said(other)),
                            other);
            case PulsarClientException.ProducerBusyException busy -> otherWriter(busy);
            case PulsarClientException.ProducerFencedException busy -> otherWriter(busy);
            case PulsarClientException.ProducerBlockedQuotaExceededException full -> full(full);
            case PulsarClientException.ProducerBlockedQuotaExceededError full -> full(full);
            case PulsarClientException.ConsumerBusyException busy ->
                    channel.failed(
                            "the topic has another subscriber (%s); end that one, or give ?prefix="
                                    .formatted(said(busy)),
                            busy);
            default -> channel.failed("Pulsar refuses: " + said(e), e);
        };
    }

    private UserError unknown(final PulsarClientException e) {
        return channel.failed(
                "the server refuses %s (%s); give ?tokenFile= with a token of a role that may produce and consume"
                        .formatted(
                                channel.parameters().tokenFile().isEmpty()
                                        ? "clients without a token"
                                        : "the token",
                                said(e)),
                e);
    }

    private UserError full(final PulsarClientException e) {
        return channel.failed(
                "the topic is full: what nobody has acknowledged exceeds its backlog quota (%s); raise the quota, or give"
                                .formatted(said(e))
                        + " ?prefix=",
                e);
    }

    private UserError otherWriter(final PulsarClientException e) {
        return channel.failed(
                "another program writes to the topic (%s); end that one, or give ?prefix="
                        .formatted(said(e)),
                e);
    }

    /** Why a message is above the limit of the server, and what to do; a clause. */
    static String tooLong(final Throwable e) {
        return ("the server accepts no message of this length (%s); give a smaller ?maxPayloadBytes= and smaller"
                        + " messages, or raise maxMessageSize in its broker.conf")
                .formatted(said(e));
    }

    /** The reason in an exception of the client. */
    static String said(final Throwable e) {
        final String text = String.valueOf(e.getMessage());
        final Matcher reason = REASON.matcher(text);
        return (reason.find() ? reason.group(1) : text)
                .lines()
                .findFirst()
                .orElse("")
                .strip()
                .replaceFirst("^(\\S+Exception: )+", "")
                .replaceFirst(" caused by .*", "")
                .replaceFirst("\\.$", "");
    }

    /** What both ends of a channel report about it. */
    Map<String, Object> facts() {
        final PulsarParameters parameters = channel.parameters();
        final Map<String, Object> facts = new TreeMap<>();
        facts.put("serverStartedHere", channel.startsServers());
        facts.put("batching", parameters.batching());
        return facts;
    }

    /** Without waiting: its threads take two seconds to end. */
    @Override
    public void close() {
        client.closeAsync();
    }
}

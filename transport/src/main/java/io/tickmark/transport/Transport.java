package io.tickmark.transport;

import java.util.List;
import java.util.Optional;

/**
 * Adapter of one engine; found by {@link java.util.ServiceLoader} through {@link Transports}.
 * Stateless, any thread, cheap to load: the engine's own classes are touched only when something is
 * opened.
 */
public interface Transport {
    /**
     * Scheme of its channels, for example {@code udp}.
     *
     * @return lower case, unique
     */
    String scheme();

    /**
     * What it is.
     *
     * @return one sentence
     */
    String summary();

    /**
     * What the channel URI may carry after its question mark.
     *
     * @return a settings record, from which checks and docs are made
     */
    Class<? extends Record> parameters();

    /**
     * Why it cannot be used on this machine.
     *
     * @return a sentence that says what is missing and how to get it; empty when it can be used
     */
    default Optional<String> absence() {
        return Optional.empty();
    }

    /**
     * Why a channel of it cannot be used on this machine, where channels may bring what others lack
     * (a library of their own).
     *
     * @param channel of this scheme
     * @return a sentence as of {@link #absence()}
     */
    default Optional<String> absence(final ChannelUri channel) {
        return absence();
    }

    /**
     * What of it cannot be used on this machine, where the rest can (a server that is not
     * installed, when one that runs elsewhere would do).
     *
     * @return a clause that says what is missing and how to get it; empty where nothing is
     */
    default Optional<String> missing() {
        return Optional.empty();
    }

    /**
     * What can be relied on with this channel; the contract test asserts it. Opens nothing, so that
     * a channel can be checked before anything is started.
     *
     * @param channel of this scheme
     * @return the traits
     * @throws io.tickmark.kernel.settings.UserError if the address or a parameter is wrong
     */
    TransportTraits traits(ChannelUri channel);

    /**
     * One channel for each kind of traffic that it has: rows of the table of traits, and what the
     * plan over all engines measures. A store whose channels carry nothing unstored has none.
     *
     * @return channels that need nothing but this machine, in the order of tables; none by default
     */
    default List<Kind> kinds() {
        return List.of();
    }

    /**
     * A channel that stands for others.
     *
     * @param channel as a user writes it
     * @param isCompared whether it stands beside other engines, which one that calibrates or loses
     *     by design does not
     */
    record Kind(String channel, boolean isCompared) {}

    /**
     * Whether topics are streams of their own (Aeron stream, shm file). Where they are not, all
     * topics of a test share one publication and are told apart by the stamp's source, and {@code
     * topic} is ignored when opening.
     *
     * @return true if each topic is opened apart
     */
    default boolean separatesTopics() {
        return false;
    }

    /**
     * Whether the way of a topic depends on its {@link Topic#id()} and not on its name: who learns
     * that a topic has another number at the other side has to open it anew.
     *
     * @return true where an engine knows numbers only
     */
    default boolean numbersTopics() {
        return false;
    }

    /**
     * Whether both ends of a channel must be in one process. A test on one machine then puts its
     * roles into one.
     *
     * @return true if another process cannot reach a channel
     */
    default boolean needsOneProcess() {
        return false;
    }

    /**
     * Whether both ends of a channel must be on one host. A test on several hosts then has its
     * roles together on one of them.
     *
     * @param channel of this scheme
     * @return true if another host cannot reach it
     */
    default boolean staysOnOneHost(final ChannelUri channel) {
        return needsOneProcess();
    }

    /**
     * Opens the sending end of a one-way stream. On udp the subscriptions bind and the publication
     * sends to them; on tcp the publication listens. A port of 0 where it binds means choose: see
     * {@link Publication#channel()}.
     *
     * @param channel of this scheme
     * @param topic within the channel
     * @return the publication, to be used by one thread
     * @throws io.tickmark.kernel.settings.UserError if a parameter is wrong, a port in use, the
     *     engine absent
     */
    Publication publication(ChannelUri channel, Topic topic);

    /**
     * Opens the receiving end of a one-way stream.
     *
     * @param channel of this scheme, as {@link Publication#channel()} or {@link
     *     Subscription#channel()} of the binding side gave it
     * @param topic within the channel
     * @return the subscription, to be used by one thread
     * @throws io.tickmark.kernel.settings.UserError if a parameter is wrong, a port in use, the
     *     engine absent
     */
    Subscription subscription(ChannelUri channel, Topic topic);

    /**
     * Opens one side of a two-way exchange: a publication and a subscription that share a return
     * path (the same socket for udp and tcp, a derived reply channel elsewhere). The BIND side fans
     * out to every CONNECT side it knows and hears all of them; on udp it learns them from their
     * hello (a {@link io.tickmark.kernel.stamp.Stamp} with the flags HELLO and REPLY, sequence and
     * step 0), so they must speak first; on multicast the CONNECT side learns the return path from
     * what it hears.
     *
     * @param channel of this scheme; for the CONNECT side as {@link Exchange#channel()} of the BIND
     *     side gave it
     * @param topic within the channel
     * @param side which side this is
     * @param cookie number of the CONNECT side, from 1, unique among those of one BIND side;
     *     ignored for BIND
     * @return the exchange, to be used by one thread
     * @throws io.tickmark.kernel.settings.UserError if a parameter is wrong, a port in use, the
     *     engine absent
     */
    Exchange exchange(ChannelUri channel, Topic topic, ExchangeSide side, int cookie);

    /**
     * The side that a publisher takes of an exchange with an echo that is not ours. Where a channel
     * is the address of the echo, that is the one that connects. Where both directions have names
     * of their own (topics, subjects), the publisher's direction keeps its name, whoever echoes.
     *
     * @return {@link ExchangeSide#CONNECT} unless the engine says otherwise
     */
    default ExchangeSide sideTowardsForeignEcho() {
        return ExchangeSide.CONNECT;
    }
}

package io.tickmark.transport;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Adapter of one engine; found with {@link java.util.ServiceLoader} by {@link Transports}.
 * Stateless, any thread, cheap to load: the engine's own classes are loaded only when something is
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
     * The parameters that the channel URI may have after its question mark.
     *
     * @return a settings record, from which checks and docs are generated
     */
    Class<? extends Record> parameters();

    /**
     * Why it cannot be used on this machine.
     *
     * @return a sentence that names what is missing and how to get it; empty when it can be used
     */
    default Optional<String> absence() {
        return Optional.empty();
    }

    /**
     * Why a channel of it cannot be used on this machine, where one channel may supply what others
     * lack (its own library).
     *
     * @param channel of this scheme
     * @return a sentence like that of {@link #absence()}
     */
    default Optional<String> absence(final ChannelUri channel) {
        return absence();
    }

    /**
     * Why an end of a channel cannot be opened on this machine, where one end may need more than
     * the other (the program of a server that it starts).
     *
     * @param channel of this scheme
     * @param side of the end; BIND for one that only publishes and for a store that is run, CONNECT
     *     for one that only subscribes
     * @return a sentence like that of {@link #absence()}
     * @throws io.tickmark.kernel.settings.UserError if the address or a parameter is wrong
     */
    default Optional<String> absence(final ChannelUri channel, final ExchangeSide side) {
        return absence(channel);
    }

    /**
     * Reads the files that a channel names (a password, a configuration), which every end needs on
     * its own machine, and keeps nothing of them. Opens nothing else, so that a wrong name is found
     * before anything is started.
     *
     * @param channel of this scheme
     * @throws io.tickmark.kernel.settings.UserError of kind usage if one cannot be read or is wrong
     */
    default void checkFiles(final ChannelUri channel) {}

    /**
     * The part of it that cannot be used on this machine although the rest can (for example, a
     * server that is not installed, when one that runs elsewhere can be used).
     *
     * @return a clause that names what is missing and how to get it; empty where nothing is missing
     */
    default Optional<String> missing() {
        return Optional.empty();
    }

    /**
     * Threads that the engine keeps busy for one end while messages pass, beside the thread that
     * offers and polls: those of its client, and of servers that this end starts. Threads that wait
     * most of the time are not counted, nor are those of further topics: one thread offers to them
     * in turn, so that together they have the work of one. A hot thread that spins on the last free
     * core would keep them from running, which is why {@code --idle auto} counts them. Opens
     * nothing.
     *
     * @param channel of this scheme
     * @param side of the end; BIND for one that only publishes, CONNECT for one that only
     *     subscribes
     * @return 0 by default
     */
    default int busyThreads(final ChannelUri channel, final ExchangeSide side) {
        return 0;
    }

    /**
     * How long the servers of a channel usually take to start and to end, where one of its ends or
     * its store starts them; for estimates of how long a run takes. Opens nothing.
     *
     * @param channel of this scheme
     * @return zero by default
     */
    default Duration usualStart(final ChannelUri channel) {
        return Duration.ZERO;
    }

    /**
     * The guarantees of this channel; the contract test asserts it. Opens nothing, so that a
     * channel can be checked before anything is started.
     *
     * @param channel of this scheme
     * @return the traits
     * @throws io.tickmark.kernel.settings.UserError if the address or a parameter is wrong
     */
    TransportTraits traits(ChannelUri channel);

    /**
     * What becomes of messages of tests without a store. Opens nothing.
     *
     * @param channel of this scheme
     * @return by default that they are in memory, and that nobody acknowledges them
     * @throws io.tickmark.kernel.settings.UserError if the address or a parameter is wrong
     */
    default PlainMessages plainMessages(final ChannelUri channel) {
        return PlainMessages.inMemory(traits(channel));
    }

    /**
     * One channel for each kind of traffic that it supports: these are the rows of the table of
     * traits and what the plan over all engines measures. A store whose channels carry only stored
     * messages has none.
     *
     * @return channels that need only this machine, in the order of tables; none by default
     */
    default List<Kind> kinds() {
        return List.of();
    }

    /**
     * A channel that represents a kind of channel.
     *
     * @param channel as a user writes it
     * @param isCompared whether it is compared with other engines; false for one that calibrates or
     *     that loses messages by design
     */
    record Kind(String channel, boolean isCompared) {}

    /**
     * Whether each topic is a separate stream (Aeron stream, shm file). Where it is not, all topics
     * of a test share one publication and are distinguished by the stamp's source, and {@code
     * topic} is ignored when opening.
     *
     * @return true if each topic is opened separately
     */
    default boolean separatesTopics() {
        return false;
    }

    /**
     * Whether a topic is addressed by its {@link Topic#id()} rather than by its name: a side that
     * learns that a topic has another number at the other side has to reopen it.
     *
     * @return true where an engine knows only numbers
     */
    default boolean numbersTopics() {
        return false;
    }

    /**
     * Whether both ends of a channel must be in one process. A test on one machine then runs its
     * roles in one process.
     *
     * @return true if another process cannot reach a channel
     */
    default boolean needsOneProcess() {
        return false;
    }

    /**
     * Whether both ends of a channel must be on one host. A test on several hosts then runs its
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
     * sends to them; on tcp the publication listens. Where it binds, port 0 means that a port is
     * chosen: see {@link Publication#channel()}.
     *
     * @param channel of this scheme
     * @param topic within the channel
     * @return the publication, to be used by one thread
     * @throws io.tickmark.kernel.settings.UserError if a parameter is wrong, a port is in use or
     *     the engine is absent
     */
    Publication publication(ChannelUri channel, Topic topic);

    /**
     * Opens the receiving end of a one-way stream.
     *
     * @param channel of this scheme, as {@link Publication#channel()} or {@link
     *     Subscription#channel()} of the binding side gave it
     * @param topic within the channel
     * @return the subscription, to be used by one thread
     * @throws io.tickmark.kernel.settings.UserError if a parameter is wrong, a port is in use or
     *     the engine is absent
     */
    Subscription subscription(ChannelUri channel, Topic topic);

    /**
     * Opens one side of a two-way exchange: a publication and a subscription that share a return
     * path (the same socket for udp and tcp, a derived reply channel elsewhere). The BIND side fans
     * out to every CONNECT side it knows and receives from all of them; on udp it learns them from
     * their hello (a {@link io.tickmark.kernel.stamp.Stamp} with the flags HELLO and REPLY,
     * sequence and step 0), so they must send first; on multicast the CONNECT side learns the
     * return path from what it receives.
     *
     * @param channel of this scheme; for the CONNECT side as {@link Exchange#channel()} of the BIND
     *     side gave it
     * @param topic within the channel
     * @param side which side this is
     * @param cookie number of the CONNECT side, from 1, unique among those of one BIND side;
     *     ignored for BIND
     * @return the exchange, to be used by one thread
     * @throws io.tickmark.kernel.settings.UserError if a parameter is wrong, a port is in use or
     *     the engine is absent
     */
    Exchange exchange(ChannelUri channel, Topic topic, ExchangeSide side, int cookie);

    /**
     * The side of an exchange that a publisher opens when the echo service is a foreign one. Where
     * a channel is the address of the echo service, the publisher connects. Where each direction
     * has its own name (topics, subjects), the publisher's direction keeps its name, regardless of
     * which program echoes.
     *
     * @return {@link ExchangeSide#CONNECT} unless the engine says otherwise
     */
    default ExchangeSide sideTowardsForeignEcho() {
        return ExchangeSide.CONNECT;
    }
}

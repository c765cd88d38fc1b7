package io.tickmark.engines.dds;

import io.tickmark.engines.dds.DdsParameters.HistoryKind;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.TransportTraits;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A channel of scheme {@code dds}, checked as far as possible without the library.
 *
 * @param uri as the user wrote it, with the domain set
 * @param domain DDS domain
 * @param parameters after the question mark
 * @param carrier what carries the samples
 * @param network how participants reach each other
 */
record DdsChannel(
        ChannelUri uri, int domain, DdsParameters parameters, Carrier carrier, Network network) {
    /** Ports are 7400 + 250 x domain (RTPS 2.5, 9.6.2.3); the next domain would be past 65535. */
    static final int MAX_DOMAIN = 232;

    /** Depth of iceoryx' queues as Debian builds it. */
    static final int SHARED_MEMORY_DEPTH = 256;

    private static final String PARTITION = "partition";

    static DdsChannel of(final ChannelUri given) {
        final int domain = domain(given);
        final ChannelUri uri =
                new ChannelUri(given.scheme(), Integer.toString(domain), given.parameters(), true);
        final DdsParameters parameters = uri.read(DdsParameters.class);
        final Carrier carrier =
                Carrier.of(parameters.transport())
                        .orElseThrow(() ->
                                refused(
                                        uri,
                                        "transport '"
                                                + parameters.transport()
                                                + "' is unknown; use udp (or 1), shm (2) or udp6 (8)"));
        if (!parameters.partition().matches("[A-Za-z0-9._/-]*")) {
            throw refused(
                    uri,
                    "partition '"
                            + parameters.partition()
                            + "' is not a name; use letters, digits, dots, dashes, slashes and underscores");
        }
        if (parameters.history() == HistoryKind.KEEP_ALL && carrier == Carrier.SHARED_MEMORY) {
            throw refused(
                    uri,
                    "history keep-all is sent over the network even with transport shm; leave it out, or give keep-last");
        }
        return new DdsChannel(
                uri, domain, parameters, carrier, Network.of(uri, parameters, carrier));
    }

    private static int domain(final ChannelUri uri) {
        if (!uri.authority().matches("\\d{0,9}")) {
            throw refused(
                    uri,
                    "'"
                            + uri.authority()
                            + "' is not a domain; write dds://DOMAIN, 0 to "
                            + MAX_DOMAIN);
        }
        final int domain = uri.authority().isEmpty() ? 0 : Integer.parseInt(uri.authority());
        if (domain > MAX_DOMAIN) {
            throw refused(
                    uri,
                    "domain "
                            + domain
                            + " is out of range, its ports would be above 65535; use 0 to "
                            + MAX_DOMAIN);
        }
        return domain;
    }

    static UserError refused(final ChannelUri uri, final String what) {
        return UserError.usage("--channel " + uri + ": " + what + ".");
    }

    /** For a side that others connect to: a test that names no domain is separated from others. */
    static DdsChannel binding(final ChannelUri given) {
        final DdsChannel channel = of(given);
        if (!given.authority().isEmpty() || given.parameters().containsKey(PARTITION)) {
            return channel;
        }
        final String apart =
                "tickmark-%x-%x"
                        .formatted(
                                ProcessHandle.current().pid(),
                                ThreadLocalRandom.current().nextInt());
        return of(channel.uri().with(PARTITION, apart));
    }

    boolean keepsAll() {
        return switch (parameters.history()) {
            case KEEP_ALL -> true;
            case KEEP_LAST -> false;
            case AUTO -> parameters.reliable() && carrier != Carrier.SHARED_MEMORY;
        };
    }

    int depth() {
        return carrier == Carrier.SHARED_MEMORY
                ? Math.min(parameters.depth(), SHARED_MEMORY_DEPTH)
                : parameters.depth();
    }

    List<String> partitions() {
        return parameters.partition().isEmpty() ? List.of() : List.of(parameters.partition());
    }

    TransportTraits traits() {
        final boolean strict = parameters.reliable() && keepsAll();
        return TransportTraits.upTo(parameters.maxPayloadBytes())
                .reliable(strict)
                .ordered(true)
                .backPressured(strict)
                .detectsDisconnect(true)
                .fansOut(true)
                .allocates(false);
    }
}

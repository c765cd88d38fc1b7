package io.tickmark.workloads.market.hub;

import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.market.DictionarySettings;
import io.tickmark.workloads.market.Peer;
import io.tickmark.workloads.market.rssl.ConnectionSettings;
import io.tickmark.workloads.market.rssl.QueueSettings;
import java.time.Duration;
import java.util.List;

/**
 * Settings of the hub.
 *
 * @param bindAddress interface to listen on
 * @param port for consumers
 * @param tlsPort for consumers over TLS
 * @param websocketPort for consumers over WebSocket
 * @param publisherPort for non-interactive providers
 * @param providers interactive providers to connect to
 * @param cache whether last images are kept
 * @param placeholders whether uncached items get an image without content
 * @param ownService a service of the hub's own
 * @param ownItems items of that service
 * @param itemFile list that these items are taken from
 * @param queue how much is kept for slow consumers
 * @param holdUntilItems cached items before services are up for consumers
 * @param idle what the hub does when there is nothing to do
 * @param runTime how long to run
 * @param endWithConsumers whether to end when the last consumer has gone
 * @param reconnectDelay between two attempts to connect to a provider
 * @param requestTimeout after which an unanswered request is sent again
 * @param content messages and dictionary
 * @param connection buffers and protocol
 */
public record HubSettings(
        @Setting(help = "Address to listen on.", byDefault = "127.0.0.1", label = "ADDRESS")
                String bindAddress,
        @Setting(
                        help = "Port for consumers; 0 takes a free one.",
                        byDefault = "14002",
                        min = 0,
                        max = 65_535)
                int port,
        @Setting(
                        help =
                                "Port for consumers over TLS, which needs --key-file; 0 takes a free one, -1 opens none.",
                        byDefault = "-1",
                        min = -1,
                        max = 65_535)
                int tlsPort,
        @Setting(
                        help =
                                "Port for consumers over WebSocket; 0 takes a free one, -1 opens none.",
                        byDefault = "-1",
                        min = -1,
                        max = 65_535)
                int websocketPort,
        @Setting(
                        help =
                                "Port for non-interactive providers; 0 takes a free one, -1 opens none.",
                        byDefault = "14003",
                        min = -1,
                        max = 65_535)
                int publisherPort,
        @Setting(
                        help =
                                "Interactive providers to connect to; in a plan also those of the plan.",
                        label = "HOST:PORT,...",
                        peers = "market-provider")
                List<String> providers,
        @Setting(
                        help =
                                "Keep last images and merge updates into them; false asks providers each time.",
                        byDefault = "true")
                boolean cache,
        @Setting(
                        help =
                                "Send a suspect image without content for an item that is not cached yet,"
                                        + " instead of closing its stream as not found.")
                boolean placeholders,
        @Setting(
                        help = "Name of a service that the hub provides by itself (default: none).",
                        label = "NAME")
                String ownService,
        @Setting(
                        help = "Items of the hub's own service.",
                        byDefault = "100000",
                        min = 1,
                        max = 10_000_000)
                int ownItems,
        @Setting(
                        help =
                                "Item list of the hub's own service (default: 350,000 items of tickmark's own).",
                        label = "FILE")
                String itemFile,
        QueueSettings queue,
        @Setting(
                        help =
                                "Show services as up to consumers only once this many items are cached; 0 shows them at once.",
                        byDefault = "0",
                        min = 0,
                        max = 10_000_000)
                int holdUntilItems,
        @Setting(help = "What the hub does when there is nothing to do.", byDefault = "auto")
                IdleMode idle,
        @Setting(
                        help = "How long to run; 0 runs until it is stopped.",
                        byDefault = "0s",
                        unit = "s",
                        min = 0,
                        max = 8.64e13)
                Duration runTime,
        @Setting(help = "End when the last consumer has gone, as plans do.")
                boolean endWithConsumers,
        @Setting(
                        help = "Pause between two attempts to connect to a provider.",
                        byDefault = "1s",
                        min = 1e6,
                        max = 3.6e12)
                Duration reconnectDelay,
        @Setting(
                        help =
                                "Time after which a request that a provider has not answered is sent again; also how long to"
                                        + " wait for its dictionary; 0 for never.",
                        byDefault = "15s",
                        unit = "s",
                        min = 0,
                        max = 3.6e12)
                Duration requestTimeout,
        DictionarySettings content,
        ConnectionSettings connection) {
    private static final int MOST_PORT = 65_535;

    /** Copies the list and looks for contradictions. */
    public HubSettings {
        providers = List.copyOf(providers);
        for (final String provider : providers) {
            final int providerPort =
                    provider.matches(".+:\\d{1,5}") ? Peer.parse(provider).port() : 0;
            if (providerPort < 1 || providerPort > MOST_PORT) {
                throw UserError.usage(
                        "--providers has \"%s\", which is not a HOST:PORT with a port from 1 to 65535."
                                .formatted(provider));
            }
        }
        if (tlsPort >= 0 && connection.keyFile().isEmpty()) {
            throw UserError.usage(
                    "--tls-port needs --key-file: a keystore with the hub's certificate and key;"
                            + " 'tickmark market certificate' makes one for tests.");
        }
        final int ownCached = ownService.isEmpty() ? 0 : ownItems;
        if (holdUntilItems > ownCached && (!cache || publisherPort < 0)) {
            throw UserError.usage(
                    "--hold-until-items %d waits for items in the cache, and with %s no more than %d get there:"
                                    .formatted(
                                            holdUntilItems,
                                            cache ? "--publisher-port -1" : "--cache false",
                                            ownCached)
                            + " services would stay down; leave one of the two out.");
        }
    }
}

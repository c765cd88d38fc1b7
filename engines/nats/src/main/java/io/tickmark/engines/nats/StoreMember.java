package io.tickmark.engines.nats;

import io.tickmark.transport.HostPort;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One server of a store.
 *
 * @param channel of the store
 * @param number from 1
 * @param address for clients
 * @param routePort for the other members
 * @param folder of its configuration, log and data
 */
record StoreMember(NatsChannel channel, int number, HostPort address, int routePort, Path folder) {
    private static final String DATA = "data";

    /** All members, ports chosen; the first takes the port of the channel where it names one. */
    static List<StoreMember> of(final NatsChannel channel, final Path directory) {
        final HostPort wanted = channel.address();
        final int count = channel.members();
        final List<Integer> ports = FreePorts.of(channel, wanted.address(), 2 * count);
        final List<StoreMember> members = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            final int port = i == 0 && wanted.port() != 0 ? wanted.port() : ports.get(2 * i);
            members.add(
                    new StoreMember(
                            channel,
                            i + 1,
                            wanted.withPort(port),
                            ports.get(2 * i + 1),
                            directory.resolve("member-" + (i + 1))));
        }
        return members;
    }

    Path storeDirectory() {
        return folder.resolve(DATA);
    }

    /** Tells of the server at once, before it is waited for. */
    void start(final List<StoreMember> all, final Consumer<NatsServer> launched) {
        final NatsServer server =
                NatsServer.launch(
                        channel,
                        address,
                        folder,
                        jetStream() + (all.size() > 1 ? cluster(all) : ""));
        launched.accept(server);
        server.awaitReady();
    }

    private String jetStream() {
        final JetStreamParameters parameters = channel.parameters();
        final String sync =
                parameters.sync() == Sync.ALWAYS
                        ? "sync_interval: always"
                        : parameters.syncInterval().isZero()
                                ? ""
                                : "sync_interval: \"%dms\""
                                        .formatted(parameters.syncInterval().toMillis());
        return """
        server_name: "member-%d"
        jetstream {
          store_dir: "%s"
          %s
        }
        """
                .formatted(number, storeDirectory().toAbsolutePath(), sync);
    }

    private String cluster(final List<StoreMember> all) {
        final String host = address.host();
        return """
        cluster {
          name: "tickmark"
          listen: "%s:%d"
          routes: [%s]
        }
        """
                .formatted(
                        host,
                        routePort,
                        IntStream.range(0, all.size())
                                .filter(other -> other + 1 != number)
                                .mapToObj(other ->
                                        "\"nats://%s:%d\""
                                                .formatted(host, all.get(other).routePort()))
                                .collect(Collectors.joining(", ")));
    }

    /** Refuses what the installed server cannot do. */
    static void checkSync(final NatsChannel channel) {
        final JetStreamParameters parameters = channel.parameters();
        final boolean asked =
                parameters.sync() == Sync.ALWAYS || !parameters.syncInterval().isZero();
        if (asked && !NatsServer.syncsOnRequest(channel)) {
            throw channel.failed(
                    "?sync=always and ?syncInterval= need nats-server 2.10 or later, and the one installed is older; name"
                            + " another by the environment variable "
                            + NatsServer.VARIABLE,
                    null);
        }
    }
}

package io.tickmark.workloads.market.rssl;

import java.nio.file.Path;

/**
 * Where to connect to or listen, and how: what the user set, completed from an EmaConfig.xml where
 * one is named.
 *
 * @param host empty where nobody says it
 * @param port 0 where nobody says it
 * @param connection settings
 */
public record Configured(String host, int port, ConnectionSettings connection) {
    /**
     * Completes the settings of a client.
     *
     * @param file path of an EmaConfig.xml, empty for none
     * @param kind of its section, {@code Consumer} or {@code NiProvider}
     * @param name of its section
     * @param given what the user set
     * @return completed
     */
    public static Configured client(
            final String file, final String kind, final String name, final Configured given) {
        if (file.isEmpty()) {
            return given;
        }
        final EmaConfig config = EmaConfig.read(Path.of(file));
        final EmaConfig.Section owner = config.section(kind, name);
        final EmaConfig.Section channel = config.referred(owner, "Channel");
        final ConnectionSettings filled = config.fill(channel, owner, given.connection());
        filled.connection().require();
        return new Configured(
                given.host().isEmpty() ? channel.value("Host").orElse("") : given.host(),
                given.port() == 0 ? config.port(channel) : given.port(),
                filled);
    }

    /**
     * Completes the settings of a server. Its port is the file's unless the user chose another than
     * the default.
     *
     * @param file path of an EmaConfig.xml, empty for none
     * @param name of its IProvider section
     * @param defaultPort of the setting
     * @param given what the user set
     * @return completed
     */
    public static Configured server(
            final String file, final String name, final int defaultPort, final Configured given) {
        if (file.isEmpty()) {
            return given;
        }
        final EmaConfig config = EmaConfig.read(Path.of(file));
        final EmaConfig.Section owner = config.section("IProvider", name);
        final EmaConfig.Section server = config.referred(owner, "Server");
        final int port = config.port(server);
        return new Configured(
                given.host(),
                given.port() == defaultPort && port != 0 ? port : given.port(),
                config.fill(server, owner, given.connection()));
    }
}

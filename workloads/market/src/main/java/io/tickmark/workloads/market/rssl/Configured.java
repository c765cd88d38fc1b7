package io.tickmark.workloads.market.rssl;

import io.tickmark.workloads.market.DictionarySettings;
import io.tickmark.workloads.market.rssl.EmaConfig.EmaSection;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Where to connect to or listen, how, and what is provided: the user's settings, completed from an
 * EmaConfig.xml if one is named.
 *
 * @param host empty where none is given
 * @param port 0 where none is given
 * @param connection settings
 * @param service that is provided; meaningless for a consumer
 * @param content messages and dictionary
 * @param warnings parts of the file that are not honoured
 */
public record Configured(
        String host,
        int port,
        ConnectionSettings connection,
        Service service,
        DictionarySettings content,
        List<String> warnings) {
    private static final Service DEFAULT_SERVICE = new Service("DIRECT_FEED", 1);

    /**
     * A service.
     *
     * @param name of it
     * @param id of it
     */
    public record Service(String name, int id) {}

    /** Copies the list. */
    public Configured {
        warnings = List.copyOf(warnings);
    }

    /**
     * What a consumer's user set.
     *
     * @param host empty for the file's
     * @param port 0 for the file's
     * @param connection settings
     * @param content messages and dictionary
     * @return without warnings
     */
    public static Configured consumer(
            final String host,
            final int port,
            final ConnectionSettings connection,
            final DictionarySettings content) {
        return new Configured(host, port, connection, DEFAULT_SERVICE, content, List.of());
    }

    /**
     * Completes the settings of a client.
     *
     * @param file path of an EmaConfig.xml, empty for none
     * @param kind of its section, {@code Consumer} or {@code NiProvider}
     * @param name of its section
     * @return completed
     */
    public Configured client(final String file, final String kind, final String name) {
        if (file.isEmpty()) {
            return this;
        }
        final EmaConfig config = EmaConfig.read(Path.of(file));
        final EmaSection owner = config.section(kind, name);
        final EmaSection channel = config.referred(owner, "Channel");
        final String hostInFile = channel.value("Host").orElse("");
        final int portInFile = config.port(channel);
        return completed(
                config,
                owner,
                channel,
                host.isEmpty() ? hostInFile : host,
                port == 0 ? portInFile : port);
    }

    /**
     * Completes the settings of a server. Address and port are the file's unless the user gave
     * them.
     *
     * @param file path of an EmaConfig.xml, empty for none
     * @param name of its IProvider section
     * @return completed
     */
    public Configured server(final String file, final String name) {
        if (file.isEmpty()) {
            return this;
        }
        final EmaConfig config = EmaConfig.read(Path.of(file));
        final EmaSection owner = config.section("IProvider", name);
        final EmaSection server = config.referred(owner, "Server");
        final String addressInFile = server.value("InterfaceName").orElse(host);
        final int portInFile = config.port(server);
        final String address = connection.given().has("bindAddress") ? host : addressInFile;
        if (!address.equals(host)) {
            config.warn(
                    "%s line %d: the address to listen on is %s, as InterfaceName says; --bind-address %s keeps it to this."
                            .formatted(file, server.line("InterfaceName"), address, host));
        }
        return completed(
                config,
                owner,
                server,
                address,
                connection.given().has("port") || portInFile == 0 ? port : portInFile);
    }

    private Configured completed(
            final EmaConfig config,
            final EmaSection owner,
            final EmaSection section,
            final String at,
            final int atPort) {
        final ConnectionSettings filled = config.fill(section, owner, connection);
        filled.connection().require();
        final Service inFile = config.service(owner, service);
        final Optional<DictionarySettings.Files> files =
                config.dictionary(owner, content.fieldDictionary().isEmpty());
        return new Configured(
                at,
                atPort,
                filled,
                new Service(
                        connection.given().has("serviceName") ? service.name() : inFile.name(),
                        connection.given().has("serviceId") ? service.id() : inFile.id()),
                files.map(content::with).orElse(content),
                config.warnings());
    }
}

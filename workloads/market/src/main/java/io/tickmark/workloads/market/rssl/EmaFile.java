package io.tickmark.workloads.market.rssl;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.market.DictionarySettings;
import io.tickmark.workloads.market.Peer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.agrona.IoUtil;

/**
 * Settings of a connection as a configuration file of the Message API, which is deleted when this
 * is closed: the library reads it once, before it has connected.
 */
public final class EmaFile implements AutoCloseable {
    /** The role gives up first, and reports the reason. */
    private static final int GRACE = 2;

    /** The first channel is the active server's, the second that of its standby. */
    private static final String STANDBY_GROUPS =
            """
            <WarmStandbyGroup><WarmStandbyList><WarmStandbyChannel>
            <Name value="Standby_1"/>
            <StartingActiveServer value="Server_1"/>
            <StandbyServerSet value="Server_2"/>
            <WarmStandbyMode value="WarmStandbyMode::LOGIN_BASED"/>
            </WarmStandbyChannel></WarmStandbyList></WarmStandbyGroup>
            <WarmStandbyServerInfoGroup><WarmStandbyServerInfoList>
            <WarmStandbyServerInfo><Name value="Server_1"/><Channel value="Channel_1"/></WarmStandbyServerInfo>
            <WarmStandbyServerInfo><Name value="Server_2"/><Channel value="Channel_2"/></WarmStandbyServerInfo>
            </WarmStandbyServerInfoList></WarmStandbyServerInfoGroup>
            """;

    private final Path path;

    private EmaFile(final Path path) {
        this.path = path;
    }

    /**
     * Where the library finds it.
     *
     * @return its path
     */
    public String path() {
        return path.toString();
    }

    @Override
    public void close() {
        IoUtil.delete(path.toFile(), true);
    }

    /**
     * Where a client connects to, and how long it tries.
     *
     * @param peer to connect to
     * @param loginTimeoutMs how long the role waits for the answer to its login
     * @param reconnectDelayMs between two attempts
     * @param requestTimeoutMs after which the library asks again for an item that is not answered;
     *     0 never does
     */
    public record Calling(
            Peer peer, long loginTimeoutMs, long reconnectDelayMs, long requestTimeoutMs) {}

    /**
     * A service as a configuration file of the Message API describes it; the library then answers
     * directory and dictionary requests by itself.
     *
     * @param name of the service
     * @param id of the service
     * @param domains that it has
     * @param files dictionary that it provides
     */
    public record EmaService(
            String name, int id, List<Integer> domains, DictionarySettings.Files files) {
        /** Copies the list. */
        public EmaService {
            domains = List.copyOf(domains);
        }

        String directory() {
            final StringBuilder capabilities = new StringBuilder();
            domains.forEach(domain ->
                    capabilities.append("<CapabilitiesEntry value=\"%d\"/>".formatted(domain)));
            return """
            <DirectoryGroup><DefaultDirectory value="Directory_1"/><DirectoryList><Directory>
            <Name value="Directory_1"/><Service><Name value="%s"/>
            <InfoFilter><ServiceId value="%d"/><Vendor value="tickmark"/><IsSource value="1"/>
            <Capabilities>%s</Capabilities><AcceptingConsumerStatus value="0"/>
            <DictionariesProvided><DictionariesProvidedEntry value="Dictionary_1"/></DictionariesProvided>
            <DictionariesUsed><DictionariesUsedEntry value="Dictionary_1"/></DictionariesUsed>
            <QoS><QoSEntry><Timeliness value="Timeliness::RealTime"/><Rate value="Rate::TickByTick"/></QoSEntry></QoS>
            <SupportsQoSRange value="0"/><ItemList value=""/><SupportsOutOfBandSnapshots value="0"/>
            </InfoFilter>
            <StateFilter><ServiceState value="1"/><AcceptingRequests value="1"/></StateFilter>
            </Service></Directory></DirectoryList></DirectoryGroup>
            <DictionaryGroup><DictionaryList><Dictionary><Name value="Dictionary_1"/>
            <DictionaryType value="DictionaryType::FileDictionary"/>
            <RdmFieldDictionaryItemName value="RWFFld"/><EnumTypeDefItemName value="RWFEnum"/>
            <RdmFieldDictionaryFileName value="%s"/><EnumTypeDefFileName value="%s"/>
            </Dictionary></DictionaryList></DictionaryGroup>
            """
                    .formatted(
                            text(name),
                            id,
                            capabilities,
                            text(files.fields()),
                            text(files.enums()));
        }
    }

    /**
     * Writes the file of a consumer.
     *
     * @param settings of its connection
     * @param calling where and how long
     * @param standby the server that takes over when the other is gone
     * @return the file
     */
    public static EmaFile consumer(
            final ConnectionSettings settings,
            final Calling calling,
            final Optional<Peer> standby) {
        final Map<String, Object> consumer = client(settings, "Consumer_1", calling);
        consumer.put("RequestTimeout", calling.requestTimeoutMs());
        if (standby.isPresent()) {
            consumer.remove("Channel");
            consumer.put("WarmStandbyChannelSet", "Standby_1");
        }
        return write(
                """
                <EmaConfig>
                <ConsumerGroup><DefaultConsumer value="Consumer_1"/><ConsumerList><Consumer>
                %s</Consumer></ConsumerList></ConsumerGroup>
                <ChannelGroup><ChannelList><Channel>
                %s</Channel>%s</ChannelList></ChannelGroup>
                %s</EmaConfig>
                """
                        .formatted(
                                lines(consumer),
                                lines(channel(settings, calling.peer())),
                                standby.map(peer -> secondChannel(settings, peer)).orElse(""),
                                standby.isPresent() ? STANDBY_GROUPS : ""));
    }

    private static String secondChannel(final ConnectionSettings settings, final Peer peer) {
        final Map<String, Object> channel = channel(settings, peer);
        channel.put("Name", "Channel_2");
        return "<Channel>%n%s</Channel>".formatted(lines(channel));
    }

    /**
     * Writes the file of a non-interactive provider.
     *
     * @param settings of its connection
     * @param service that it publishes
     * @param calling where and how long
     * @return the file
     */
    public static EmaFile publisher(
            final ConnectionSettings settings, final EmaService service, final Calling calling) {
        final Map<String, Object> publisher = client(settings, "Provider_1", calling);
        publisher.put("Directory", "Directory_1");
        return write(
                """
                <EmaConfig>
                <NiProviderGroup><DefaultNiProvider value="Provider_1"/><NiProviderList><NiProvider>
                %s</NiProvider></NiProviderList></NiProviderGroup>
                <ChannelGroup><ChannelList><Channel>
                %s</Channel></ChannelList></ChannelGroup>
                %s</EmaConfig>
                """
                        .formatted(
                                lines(publisher),
                                lines(channel(settings, calling.peer())),
                                service.directory()));
    }

    private static Map<String, Object> client(
            final ConnectionSettings settings, final String name, final Calling calling) {
        final Map<String, Object> client = new LinkedHashMap<>();
        client.put("Name", name);
        client.put("Channel", "Channel_1");
        client.put("LoginRequestTimeOut", GRACE * calling.loginTimeoutMs());
        client.put("ReconnectAttemptLimit", -1);
        client.put("ReconnectMinDelay", calling.reconnectDelayMs());
        client.put("ReconnectMaxDelay", calling.reconnectDelayMs());
        client.put("MaxDispatchCountUserThread", settings.dispatchCountOrDefault());
        client.put("MaxDispatchCountApiThread", settings.dispatchCountOrDefault());
        return client;
    }

    private static Map<String, Object> channel(final ConnectionSettings settings, final Peer peer) {
        final Map<String, Object> channel = common(settings);
        channel.put("Name", "Channel_1");
        channel.put("ChannelType", "ChannelType::" + type(settings.connection()));
        channel.put("Host", peer.host());
        channel.put("Port", peer.port());
        if (settings.connection().isEncrypted()) {
            channel.put("EncryptedProtocolType", "EncryptedProtocolType::RSSL_SOCKET");
        }
        return channel;
    }

    /**
     * Writes the file of an interactive provider.
     *
     * @param settings of its connections
     * @param service that it provides
     * @param address to listen on
     * @return the file
     */
    public static EmaFile provider(
            final ConnectionSettings settings, final EmaService service, final String address) {
        settings.requireCertificate();
        final Map<String, Object> server = common(settings);
        server.put("Name", "Server_1");
        server.put("ServerType", "ServerType::" + type(settings.connection()));
        server.put("InterfaceName", address);
        server.put("MaxFragmentSize", settings.fragmentBytesOrDefault());
        final Map<String, Object> provider = new LinkedHashMap<>();
        provider.put("Name", "Provider_1");
        provider.put("Server", "Server_1");
        provider.put("Directory", "Directory_1");
        provider.put("MaxDispatchCountUserThread", settings.dispatchCountOrDefault());
        provider.put("MaxDispatchCountApiThread", settings.dispatchCountOrDefault());
        return write(
                """
                <EmaConfig>
                <IProviderGroup><DefaultIProvider value="Provider_1"/><IProviderList><IProvider>
                %s</IProvider></IProviderList></IProviderGroup>
                <ServerGroup><ServerList><Server>
                %s</Server></ServerList></ServerGroup>
                %s</EmaConfig>
                """
                        .formatted(lines(provider), lines(server), service.directory()));
    }

    private static String type(final ConnectionType connection) {
        return connection.isEncrypted() ? "RSSL_ENCRYPTED" : "RSSL_SOCKET";
    }

    private static Map<String, Object> common(final ConnectionSettings settings) {
        final Map<String, Object> values = new LinkedHashMap<>();
        values.put(
                "CompressionType",
                switch (settings.compression()) {
                    case NONE -> "CompressionType::None";
                    case ZLIB -> "CompressionType::ZLib";
                    case LZ4 -> "CompressionType::LZ4";
                });
        values.put("GuaranteedOutputBuffers", settings.outputBuffersOrDefault());
        values.put("NumInputBuffers", settings.inputBuffersOrDefault());
        values.put("TcpNodelay", settings.tcpNoDelay() ? 1 : 0);
        values.put("DirectWrite", settings.directWrite() ? 1 : 0);
        if (settings.highWaterMarkBytes() > 0) {
            values.put("HighWaterMark", settings.highWaterMarkBytes());
        }
        if (settings.socketSendBytes() > 0) {
            values.put("SysSendBufSize", settings.socketSendBytes());
        }
        values.put("SysRecvBufSize", settings.socketReceiveBytesOrDefault());
        return values;
    }

    /** A value between quotation marks. */
    private static String text(final Object value) {
        return value.toString().replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }

    private static String lines(final Map<String, Object> values) {
        final StringBuilder lines = new StringBuilder();
        values.forEach(
                (key, value) -> lines.append("<%s value=\"%s\"/>%n".formatted(key, text(value))));
        return lines.toString();
    }

    private static EmaFile write(final String text) {
        try {
            final Path file = Files.createTempFile("tickmark-ema", ".xml");
            file.toFile().deleteOnExit(); // a process may end while it connects
            return new EmaFile(Files.writeString(file, text));
        } catch (final IOException e) {
            throw UserError.environment(
                    "A configuration file cannot be written to %s: %s."
                            .formatted(System.getProperty("java.io.tmpdir"), e.getMessage()),
                    e);
        }
    }
}

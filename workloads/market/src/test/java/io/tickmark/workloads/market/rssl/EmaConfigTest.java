package io.tickmark.workloads.market.rssl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.market.DictionarySettings;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.provider.ProviderSettings;
import io.tickmark.workloads.market.rssl.ConnectionSettings.Compression;
import io.tickmark.workloads.market.rssl.EmaConfig.EmaSection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EmaConfigTest {
    private static final String CONFIG =
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <EmaConfig>
              <ConsumerGroup>
                <DefaultConsumer value="Perf_Consumer_1"/>
                <ConsumerList>
                  <Consumer>
                    <Name value="Perf_Consumer_1"/>
                    <Channel value="Perf_Channel_1"/>
                    <MaxDispatchCountUserThread value="321"/>
                  </Consumer>
                </ConsumerList>
              </ConsumerGroup>
              <IProviderGroup>
                <IProviderList>
                  <IProvider><Name value="Perf_Provider_1"/><Server value="Perf_Server_1"/>
                    <Directory value="Directory_1"/><XmlTraceToStdout value="0"/></IProvider>
                </IProviderList>
              </IProviderGroup>
              <ChannelGroup>
                <ChannelList>
                  <Channel>
                    <Name value="Perf_Channel_1"/>
                    <ChannelType value="ChannelType::RSSL_SOCKET"/>
                    <CompressionType value="CompressionType::LZ4"/>
                    <GuaranteedOutputBuffers value="5000"/>
                    <NumInputBuffers value="2048"/>
                    <HighWaterMark value="6144"/>
                    <SysSendBufSize value="65535"/>
                    <SysRecvBufSize value="65536"/>
                    <Host value="adshost"/>
                    <Port value="14002"/>
                    <TcpNodelay value="0"/>
                  </Channel>
                </ChannelList>
              </ChannelGroup>
              <ServerGroup>
                <ServerList>
                  <Server>
                    <Name value="Perf_Server_1"/>
                    <ServerType value="ServerType::RSSL_WEBSOCKET"/>
                    <Port value="17008"/>
                    <MaxFragmentSize value="9000"/>
                    <WsProtocols value="rssl.json.v2, rssl.rwf, tr_json2"/>
                  </Server>
                </ServerList>
              </ServerGroup>
              <DirectoryGroup>
                <DirectoryList>
                  <Directory>
                    <Name value="Directory_1"/>
                    <Service>
                      <Name value="OTHER_FEED"/>
                      <InfoFilter>
                        <ServiceId value="77"/>
                        <Vendor value=""/>
                        <IsSource value="1"/>
                        <DictionariesProvided><DictionariesProvidedEntry value="Dictionary_1"/></DictionariesProvided>
                        <DictionariesUsed><DictionariesUsedEntry value="Dictionary_1"/></DictionariesUsed>
                        <QoS><QoSEntry><Timeliness value="Timeliness::RealTime"/><Rate value="Rate::TickByTick"/></QoSEntry></QoS>
                      </InfoFilter>
                      <StateFilter><ServiceState value="1"/></StateFilter>
                    </Service>
                  </Directory>
                </DirectoryList>
              </DirectoryGroup>
              <DictionaryGroup>
                <DictionaryList>
                  <Dictionary>
                    <Name value="Dictionary_1"/>
                    <DictionaryType value="DictionaryType::FileDictionary"/>
                    <RdmFieldDictionaryFileName value="FOLDER/RDMFieldDictionary"/>
                    <EnumTypeDefFileName value="FOLDER/enumtype.def"/>
                  </Dictionary>
                </DictionaryList>
              </DictionaryGroup>
            </EmaConfig>
            """;

    @TempDir private Path folder;

    private EmaConfig read(final String text) throws IOException {
        return EmaConfig.read(Files.writeString(folder.resolve("EmaConfig.xml"), text));
    }

    private static ConnectionSettings given(final Map<String, ?> values) {
        return Settings.read(ConnectionSettings.class, values, key -> "--" + key);
    }

    @Test
    void shouldTakeTheChannelOfAConsumer() throws IOException {
        final EmaConfig config = read(CONFIG);
        final EmaSection consumer = config.section("Consumer", "Perf_Consumer_");
        final EmaSection channel = config.referred(consumer, "Channel");
        final ConnectionSettings settings = config.fill(channel, consumer, given(Map.of()));
        assertThat(channel.value("Host")).contains("adshost");
        assertThat(config.port(channel)).isEqualTo(14_002);
        assertThat(settings.outputBuffers()).isEqualTo(5000);
        assertThat(settings.inputBuffers()).isEqualTo(2048);
        assertThat(settings.highWaterMarkBytes()).isEqualTo(6144);
        assertThat(settings.socketSendBytes()).isEqualTo(65_535);
        assertThat(settings.socketReceiveBytes()).isEqualTo(65_536);
        assertThat(settings.compression()).isEqualTo(Compression.LZ4);
        assertThat(settings.tcpNoDelay()).isFalse();
        assertThat(settings.maxDispatchCount()).isEqualTo(321);
    }

    @Test
    void shouldTakeTheServerOfAProvider() throws IOException {
        final EmaConfig config = read(CONFIG);
        // as the guide calls it
        final EmaSection provider = config.section("IProvider", "Perf_Provider");
        final EmaSection server = config.referred(provider, "Server");
        final ConnectionSettings settings = config.fill(server, provider, given(Map.of()));
        assertThat(config.port(server)).isEqualTo(17_008);
        assertThat(settings.connection()).isEqualTo(ConnectionType.WEBSOCKET);
        assertThat(settings.websocket()).isEqualTo("rssl.json.v2,rssl.rwf,tr_json2");
        assertThat(settings.maxFragmentBytes()).isEqualTo(9000);
    }

    @ParameterizedTest
    @CsvSource({
        "RSSL_SOCKET,WEBSOCKET",
        "RSSL_ENCRYPTED,ENCRYPTED_WEBSOCKET",
        "RSSL_WEBSOCKET,WEBSOCKET"
    })
    void shouldKeepTheTlsOfTheFileWhereAnOptionMakesItAWebSocket(
            final String inFile, final ConnectionType expected) throws IOException {
        final EmaConfig config =
                read(CONFIG.replace("ChannelType::RSSL_SOCKET", "ChannelType::" + inFile));
        final EmaSection consumer = config.section("Consumer", "Perf_Consumer_1");
        final ConnectionSettings settings =
                config.fill(
                        config.referred(consumer, "Channel"),
                        consumer,
                        given(Map.of("websocket", "rssl.rwf")));
        assertThat(settings.connection()).isEqualTo(expected);
        assertThat(settings.websocket()).isEqualTo("rssl.rwf");
    }

    @Test
    void shouldLetAnOptionWinOverTheFile() throws IOException {
        final EmaConfig config = read(CONFIG);
        final EmaSection consumer = config.section("Consumer", "Perf_Consumer_1");
        final ConnectionSettings settings =
                config.fill(
                        config.referred(consumer, "Channel"),
                        consumer,
                        given(Map.of("outputBuffers", 7, "compression", "zlib")));
        assertThat(settings.outputBuffers()).isEqualTo(7);
        assertThat(settings.compression()).isEqualTo(Compression.ZLIB);
    }

    @Test
    void shouldNameFileLineAndWhatThereIs() {
        assertThatThrownBy(() -> read("<EmaConfig>\n<Consumer>"))
                .hasMessageContaining("EmaConfig.xml line 2");
        assertThatThrownBy(() -> read(CONFIG).section("Consumer", "Other"))
                .hasMessageContainingAll("no Consumer named Other", "Perf_Consumer_1");
        assertThatThrownBy(() -> EmaConfig.read(folder.resolve("absent.xml")))
                .hasMessageContaining("absent.xml: there is no such file");
        assertThatThrownBy(
                        () -> {
                            final EmaConfig config = read(CONFIG.replace("5000", "many"));
                            final EmaSection consumer =
                                    config.section("Consumer", "Perf_Consumer_1");
                            config.fill(
                                    config.referred(consumer, "Channel"),
                                    consumer,
                                    given(Map.of()));
                        })
                .hasMessageContainingAll("GuaranteedOutputBuffers", "many");
    }

    /** What counts is that they were given, not that they differ from their defaults. */
    @Test
    void shouldLetAnOptionWinThatHasTheValueOfItsDefault() throws IOException {
        final EmaConfig config =
                read(
                        CONFIG.replace("<TcpNodelay", "<DirectWrite value=\"0\"/><TcpNodelay")
                                .replace(
                                        "ChannelType::RSSL_SOCKET", "ChannelType::RSSL_ENCRYPTED"));
        final EmaSection consumer = config.section("Consumer", "Perf_Consumer_1");
        final EmaSection channel = config.referred(consumer, "Channel");
        final Map<String, Object> defaults =
                Map.of(
                        "connection",
                        "socket",
                        "compression",
                        "none",
                        "tcpNoDelay",
                        true,
                        "directWrite",
                        true,
                        "outputBuffers",
                        0,
                        "maxDispatchCount",
                        0);
        final ConnectionSettings settings = config.fill(channel, consumer, given(defaults));
        assertThat(settings.connection()).isEqualTo(ConnectionType.SOCKET);
        assertThat(settings.compression()).isEqualTo(Compression.NONE);
        assertThat(settings.tcpNoDelay()).isTrue();
        assertThat(settings.directWrite()).isTrue();
        assertThat(settings.outputBuffersOrDefault()).isEqualTo(1000);
        assertThat(settings.dispatchCountOrDefault()).isEqualTo(200);

        final ConnectionSettings ofFile = config.fill(channel, consumer, given(Map.of()));
        assertThat(ofFile.connection()).isEqualTo(ConnectionType.ENCRYPTED);
        assertThat(ofFile.directWrite()).isFalse();
    }

    private Configured configured(final String text, final Map<String, ?> given)
            throws IOException {
        final Path file = Files.writeString(folder.resolve("EmaConfig.xml"), text);
        final ProviderSettings settings =
                Settings.read(ProviderSettings.class, given, key -> "--" + key);
        return new Configured(
                        settings.bindAddress(),
                        settings.port(),
                        settings.connection(),
                        new Configured.Service(settings.serviceName(), settings.serviceId()),
                        settings.content(),
                        List.of())
                .server(file.toString(), "Perf_Provider_1");
    }

    @Test
    void shouldListenWhereTheUserSaysAndElseSayWhereTheFileHasIt() throws IOException {
        final String text =
                CONFIG.replace("FOLDER", folder.toString())
                        .replace(
                                "<Port value=\"17008\"/>",
                                "<Port value=\"17008\"/><InterfaceName value=\"0.0.0.0\"/>");
        FieldDictionary.writeOwn(folder);
        final Configured chosen =
                configured(
                        text,
                        Map.of(
                                "bindAddress",
                                "127.0.0.1",
                                "port",
                                14_002,
                                "serviceName",
                                "DIRECT_FEED",
                                "serviceId",
                                1));
        assertThat(chosen.host()).isEqualTo("127.0.0.1");
        assertThat(chosen.port()).isEqualTo(14_002);
        assertThat(chosen.service()).isEqualTo(new Configured.Service("DIRECT_FEED", 1));
        assertThat(chosen.warnings()).isEmpty();

        final Configured ofFile = configured(text, Map.of());
        assertThat(ofFile.host()).isEqualTo("0.0.0.0");
        assertThat(ofFile.port()).isEqualTo(17_008);
        assertThat(ofFile.warnings())
                .singleElement()
                .asString()
                .contains("the address to listen on is 0.0.0.0", "--bind-address 127.0.0.1");
    }

    @ParameterizedTest
    @CsvSource({
        "GuaranteedOutputBuffers, 1500000000, 25, 1000000",
        "NumInputBuffers, -1, 26, 1000000",
        "HighWaterMark, 1000000001, 27, 1000000000",
        "SysSendBufSize, -1, 28, 1000000000",
        "SysRecvBufSize, 9999999999, 29, 1000000000",
        "MaxDispatchCountUserThread, -5, 9, 1000000",
        "TcpNodelay, 7, 32, 1",
        "Port, 65536, 31, 65535",
    })
    void shouldRefuseNumbersThatTheOptionWouldNotTake(
            final String key, final String value, final int line, final int most) {
        final String text =
                CONFIG.replaceFirst(key + " value=\"\\d+\"", key + " value=\"" + value + "\"");
        final DictionarySettings content =
                Settings.read(DictionarySettings.class, Map.of(), name -> name);
        final Configured consumer = Configured.consumer("", 0, given(Map.of()), content);
        assertThatThrownBy(() ->
                        consumer.client(
                                Files.writeString(folder.resolve("EmaConfig.xml"), text).toString(),
                                "Consumer",
                                "Perf_Consumer_1"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("EmaConfig.xml line %d: %s of".formatted(line, key))
                .hasMessageContaining("is \"%s\"; it must be a number from 0 to %d.", value, most);
    }

    @Test
    void shouldRefuseAFragmentThatTheOptionWouldNotTake() {
        assertThatThrownBy(() -> provider(CONFIG.replace("9000", "100000"), Map.of()))
                .hasMessageContainingAll("MaxFragmentSize", "\"100000\"", "0 to 65535");
    }

    private Configured provider(final String text, final Map<String, ?> given) throws IOException {
        final Path file = Files.writeString(folder.resolve("EmaConfig.xml"), text);
        return new Configured(
                        "127.0.0.1",
                        14_002,
                        given(Map.of()),
                        new Configured.Service("DIRECT_FEED", 1),
                        Settings.read(DictionarySettings.class, given, key -> "--" + key),
                        List.of())
                .server(file.toString(), "Perf_Provider_1");
    }

    @Test
    void shouldTakeServiceAndDictionaryOfAProvider() throws IOException {
        FieldDictionary.writeOwn(folder);
        final Configured found = provider(CONFIG.replace("FOLDER", folder.toString()), Map.of());
        assertThat(found.service()).isEqualTo(new Configured.Service("OTHER_FEED", 77));
        assertThat(found.content().fieldDictionary())
                .isEqualTo(folder.resolve("RDMFieldDictionary").toString());
        assertThat(found.content().enumDictionary())
                .isEqualTo(folder.resolve("enumtype.def").toString());
        assertThat(found.port()).isEqualTo(17_008);
        assertThat(found.warnings()).isEmpty();
    }

    @Test
    void shouldNeedTheFilesOfADictionaryUnlessAnOptionNamesOthers() throws IOException {
        assertThatThrownBy(() -> provider(CONFIG, Map.of()))
                .hasMessageContaining("RdmFieldDictionaryFileName of Dictionary Dictionary_1")
                .hasMessageContainingAll("line 71", "--field-dictionary");
        final Map<String, String> others = Map.of("fieldDictionary", "a", "enumDictionary", "b");
        assertThat(provider(CONFIG, others).content().fieldDictionary()).isEqualTo("a");
        assertThat(provider(CONFIG, others).warnings()).isEmpty();
    }

    /** One sentence, with each element and its line once. */
    @Test
    void shouldSayWhatIsNotHonoured() throws IOException {
        FieldDictionary.writeOwn(folder);
        final String text =
                CONFIG.replace("FOLDER", folder.toString())
                        .replace("XmlTraceToStdout value=\"0\"", "XmlTraceToStdout value=\"1\"")
                        .replace("<Vendor value=\"\"/>", "<Vendor value=\"somebody\"/>")
                        .replace(
                                "<ServerGroup>",
                                "<GlobalConfig><JsonConverterPoolsSize value=\"50\"/></GlobalConfig><ServerGroup>");
        final List<String> warnings = provider(text, Map.of()).warnings();
        assertThat(warnings)
                .singleElement()
                .asString()
                .containsOnlyOnce("XmlTraceToStdout of IProvider Perf_Provider_1 (line 16)")
                .containsOnlyOnce("Vendor of Directory Directory_1 (line ")
                .containsOnlyOnce("GlobalConfig (line ")
                .doesNotContain("ServiceId", "GuaranteedOutputBuffers", "IsSource");
    }

    @Test
    void shouldNotFollowExternalEntities() throws IOException {
        final Path secret = Files.writeString(folder.resolve("secret"), "hidden");
        assertThatThrownBy(() ->
                        read(
                                "<!DOCTYPE x [<!ENTITY e SYSTEM \"file://"
                                        + secret
                                        + "\">]><EmaConfig>&e;</EmaConfig>"))
                .hasMessageContaining("document types")
                .hasMessageNotContaining("hidden");
    }
}

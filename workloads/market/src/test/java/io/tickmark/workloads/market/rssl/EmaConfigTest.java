package io.tickmark.workloads.market.rssl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
                  <IProvider><Name value="Perf_Provider_1"/><Server value="Perf_Server_1"/></IProvider>
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
        final EmaConfig.Section consumer = config.section("Consumer", "Perf_Consumer_");
        final EmaConfig.Section channel = config.referred(consumer, "Channel");
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
        final EmaConfig.Section provider = config.section("IProvider", "Perf_Provider_1");
        final EmaConfig.Section server = config.referred(provider, "Server");
        final ConnectionSettings settings = config.fill(server, provider, given(Map.of()));
        assertThat(config.port(server)).isEqualTo(17_008);
        assertThat(settings.connection()).isEqualTo(ConnectionType.WEBSOCKET);
        assertThat(settings.websocket()).isEqualTo("rssl.json.v2,rssl.rwf,tr_json2");
        assertThat(settings.maxFragmentBytes()).isEqualTo(9000);
    }

    @Test
    void shouldLetAnOptionWinOverTheFile() throws IOException {
        final EmaConfig config = read(CONFIG);
        final EmaConfig.Section consumer = config.section("Consumer", "Perf_Consumer_1");
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
                .hasMessageContaining("no Consumer named Other", "Perf_Consumer_1");
        assertThatThrownBy(() -> EmaConfig.read(folder.resolve("absent.xml")))
                .hasMessageContaining("absent.xml: there is no such file");
        assertThatThrownBy(
                        () -> {
                            final EmaConfig config = read(CONFIG.replace("5000", "many"));
                            final EmaConfig.Section consumer =
                                    config.section("Consumer", "Perf_Consumer_1");
                            config.fill(
                                    config.referred(consumer, "Channel"),
                                    consumer,
                                    given(Map.of()));
                        })
                .hasMessageContaining("GuaranteedOutputBuffers", "many");
    }

    @Test
    void shouldNotFollowExternalEntities() throws IOException {
        final Path secret = Files.writeString(folder.resolve("secret"), "hidden");
        assertThatThrownBy(() ->
                        read(
                                "<!DOCTYPE x [<!ENTITY e SYSTEM \"file://"
                                        + secret
                                        + "\">]><EmaConfig>&e;</EmaConfig>"))
                .hasMessageNotContaining("hidden");
    }
}

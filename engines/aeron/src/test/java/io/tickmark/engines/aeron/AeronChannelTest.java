package io.tickmark.engines.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transports;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AeronChannelTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "aeron:udp?endpoint=127.0.0.1:1|no-such=1; gives 'no-such', which Aeron does not know",
                "aeron:udp?endpoint=127.0.0.1:1|stream-id=7; gives 'stream-id', which tickmark chooses",
                "aeron:ipc?term-length=64k|termBytes=65536; gives termBytes and term-length",
                "aeron:ipc?term-length=100000; has a term of 100000 bytes",
                "aeron:ipc?term-length=long; has no size in term-length",
                "aeron:ipc?term-length=2g; has a term-length over 1 GiB",
                "aeron:ipc?lossPart=0.1; aeron:ipc has no datagrams to lose",
                "aeron:udp?endpoint=127.0.0.1:1|lossPart=1.5; lossPart",
                "aeron:udp?endpoint=127.0.0.1:1|aeronDir=/x|lossPart=0.1; driver that runs elsewhere",
                "aeron:udp?endpoint=127.0.0.1:1|driver=external|threading=shared; driver that runs elsewhere",
                "aeron:udp?endpoint=127.0.0.1:1|destinations=127.0.0.1:2; without control-mode=manual",
                "aeron:udp?control-mode=manual|destinations=127.0.0.1:0; destination with port 0",
                "aeron:udp?control-mode=manual|destinations=127.0.0.1; is not an address",
                "aeron:udp?endpoint=127.0.0.1:1|replyEndpoint=here; replyEndpoint: 'here' is not an address",
                "aeron:udp?endpoint=127.0.0.1:65535; none is left beside it for replies",
                "aeron:udp?control-mode=manual|destinations=10.0.0.1:7; give replyEndpoint=host:port",
                "aeron:udp?endpoint=127.0.0.1:1|mtu=77; Aeron",
                "aeron:udp?endpoint=127.0.0.1:1|ttl=far; Aeron",
                "aeron:udp?endpoint=127.0.0.1:1|reliable=maybe; Aeron",
                "aeron:udp?endpoint=127.0.0.1:1|fc=fast; Aeron",
                "aeron:udp?endpoint=224.0.1.1:40456|interface=10.255.1.1; Aeron"
            })
    void shouldSayWhatIsWrongWithAChannel(final String channel, final String complaint) {
        final UserError error = catchThrowableOfType(UserError.class, () -> Pair.bind(channel));

        assertThat(error).as(channel).isNotNull().hasMessageContaining(complaint);
        assertThat(error.kind()).as(error.getMessage()).isEqualTo(UserError.Kind.USAGE);
        assertThat(error.getMessage())
                .startsWith("--channel")
                .endsWith(".")
                .doesNotContain("\n", "Exception");
    }

    @Test
    void shouldSayThatAnAddressIsNotOfThisMachine() {
        final UserError error =
                catchThrowableOfType(
                        UserError.class, () -> Pair.bind("aeron:udp?endpoint=192.0.2.1:4040"));

        assertThat(error.kind()).isEqualTo(UserError.Kind.ENVIRONMENT);
        assertThat(error).hasMessageContaining("does not belong to this machine");
    }

    @Test
    void shouldSayThatAPortIsTaken() throws Exception {
        try (var holder =
                new java.net.DatagramSocket(
                        new java.net.InetSocketAddress(
                                java.net.InetAddress.getLoopbackAddress(), 0))) {
            final String channel = "aeron:udp?endpoint=127.0.0.1:" + holder.getLocalPort();

            assertThatThrownBy(() -> Pair.bind(channel))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining(channel)
                    .hasMessageEndingWith(
                            "its port is in use; choose another, or 0 for any free one.");
        }
    }

    @Test
    void shouldNotLetAConnectingSideGuessAPort() {
        assertThatThrownBy(
                        () -> Pair.connect(ChannelUri.parse("aeron:udp?endpoint=127.0.0.1:0"), 1))
                .hasMessageContaining("give the channel that");
        assertThatThrownBy(
                        () -> Pair.connect(ChannelUri.parse("aeron:udp?endpoint=224.0.1.1:0"), 1))
                .hasMessageContaining("give the channel that it printed");
    }

    @Test
    void shouldSayThatAPublicationNeedsThePortOfItsSubscription() {
        assertThatThrownBy(() ->
                        new AeronTransport()
                                .publication(
                                        ChannelUri.parse("aeron:udp?endpoint=127.0.0.1:0"),
                                        Topic.DEFAULT))
                .hasMessageContaining("its subscription chooses the port");
    }

    @Test
    void shouldReportHowLongAMessageMayBeAndWhatCanBeReliedOn() {
        assertThat(traits("aeron:ipc").maxPayloadBytes()).isEqualTo(512 << 10);
        assertThat(traits("aeron:ipc?term-length=1g").maxPayloadBytes()).isEqualTo(16 << 20);
        assertThat(traits("aeron:udp?endpoint=224.0.1.1:1").reliable()).isTrue();
        assertThat(traits("aeron:udp?endpoint=224.0.1.1:1|fc=max").reliable()).isFalse();
        assertThat(traits("aeron:udp?endpoint=224.0.1.1:1|fc=max").backPressured()).isFalse();
        assertThat(traits("aeron:udp?endpoint=127.0.0.1:1|reliable=false").reliable()).isFalse();
    }

    @Test
    void shouldKeepTheRouteOfEachSideWithinTheMachineWhereTheAddressIs() {
        final AeronChannel local = channel("aeron:udp?endpoint=127.0.0.1:40|termBytes=65536");
        final AeronChannel joined = ChosenPorts.ofConnect(local);

        assertThat(Route.of(local, ExchangeSide.BIND, 0))
                .isEqualTo(
                        new Route(
                                "aeron:udp?control=127.0.0.1:40|control-mode=dynamic|fc=min|term-length=65536",
                                "aeron:udp?endpoint=127.0.0.1:41|term-length=65536",
                                java.util.List.of()));
        assertThat(Route.of(joined, ExchangeSide.CONNECT, 1).publish())
                .isEqualTo("aeron:udp?endpoint=127.0.0.1:41|term-length=65536");
        assertThat(Route.of(joined, ExchangeSide.CONNECT, 1).subscribe())
                .matches(
                        "aeron:udp\\?control=127.0.0.1:40\\|control-mode=dynamic"
                                + "\\|endpoint=127.0.0.1:\\d+\\|term-length=65536");
    }

    @Test
    void shouldSendPlainlyToTheOneSubscriberOfUnicast() {
        final AeronChannel here = channel("aeron:udp?endpoint=127.0.0.1:40|unicast=true");
        final AeronChannel away =
                channel("aeron:udp?endpoint=10.0.0.2:40|unicast=true|replyEndpoint=10.0.0.1:7");
        final String term = "|term-length=4194304";

        assertThat(ChosenPorts.ofBind(here)).isEqualTo(here);
        assertThat(ChosenPorts.ofConnect(here)).isEqualTo(here);
        assertThat(Route.of(here, ExchangeSide.BIND, 0))
                .isEqualTo(route("127.0.0.1:40" + term, "127.0.0.1:41" + term));
        assertThat(Route.of(here, ExchangeSide.CONNECT, 1))
                .isEqualTo(route("127.0.0.1:41" + term, "127.0.0.1:40" + term));
        assertThat(Route.of(away, ExchangeSide.BIND, 0))
                .isEqualTo(route("10.0.0.2:40" + term, "10.0.0.1:7" + term));
    }

    private static Route route(final String publish, final String subscribe) {
        return new Route(
                "aeron:udp?endpoint=" + publish,
                "aeron:udp?endpoint=" + subscribe,
                java.util.List.of());
    }

    @Test
    void shouldReportWhatUnicastCannotDo() {
        final ChannelUri here = ChannelUri.parse("aeron:udp?endpoint=127.0.0.1:40|unicast=true");

        assertThat(traits(here.toString()).fansOut()).isFalse();
        assertThatThrownBy(() -> Pair.connect(here, 2))
                .hasMessageContaining("unicast to one subscriber, but this is subscriber 2");
        assertThatThrownBy(() -> Pair.bind("aeron:udp?endpoint=10.0.0.2:40|unicast=true"))
                .hasMessageContaining("give replyEndpoint=host:port of the publishing side");
        assertThatThrownBy(() ->
                        Pair.bind(
                                "aeron:udp?endpoint=10.0.0.2:0|unicast=true|replyEndpoint=127.0.0.1:0"))
                .hasMessageContaining("give the port of its endpoint");
    }

    @Test
    void shouldBeFoundByItsScheme() {
        assertThat(new Transports().of(ChannelUri.parse("aeron:ipc")))
                .isInstanceOf(AeronTransport.class);
    }

    @Test
    void shouldSayThatItsClassesAreMissing() {
        final ClassLoader empty = new ClassLoader(null) {};

        assertThat(AeronTransport.absence(empty).orElseThrow())
                .contains("Aeron's classes are missing");
    }

    private static AeronChannel channel(final String text) {
        return AeronChannel.of(ChannelUri.parse(text));
    }

    private static io.tickmark.transport.TransportTraits traits(final String text) {
        return new AeronTransport().traits(ChannelUri.parse(text));
    }
}

package io.tickmark.workloads.market.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.MsgClasses;
import com.refinitiv.eta.rdm.DomainTypes;
import com.refinitiv.eta.transport.Channel;
import com.refinitiv.eta.transport.ChannelState;
import com.refinitiv.eta.transport.Error;
import com.refinitiv.eta.transport.ReadArgs;
import com.refinitiv.eta.transport.Server;
import com.refinitiv.eta.transport.Transport;
import com.refinitiv.eta.transport.TransportBuffer;
import com.refinitiv.eta.transport.TransportFactory;
import com.refinitiv.eta.transport.WriteArgs;
import com.refinitiv.eta.transport.WriteFlags;
import com.refinitiv.eta.valueadd.reactor.ProviderRole;
import com.refinitiv.eta.valueadd.reactor.ReactorCallbackReturnCodes;
import com.refinitiv.eta.valueadd.reactor.ReactorChannel;
import com.refinitiv.eta.valueadd.reactor.ReactorChannelEvent;
import com.refinitiv.eta.valueadd.reactor.ReactorChannelEventTypes;
import com.refinitiv.eta.valueadd.reactor.ReactorFactory;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.workloads.market.rssl.ConnectionSettings;
import io.tickmark.workloads.market.rssl.Rssl;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HubLoopTest {
    /** Before the first ping, a third of the time-out of 60 s later, takes it along. */
    private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(19);

    private static final int BYTES = 100;
    private static final int MOST_A_POLL = 10;
    private static final int FLOOD = 500;

    private final ConnectionSettings settings =
            Settings.read(ConnectionSettings.class, Map.of(), key -> key);
    private final HubLoop loop =
            new HubLoop(SystemNanoClock.INSTANCE, MOST_A_POLL, (channel, why) -> {});
    private final Error error = TransportFactory.createError();
    private final ProviderRole role = ReactorFactory.createProviderRole();
    private final Map<ReactorChannel, Integer> received = new HashMap<>();
    private ReactorChannel accepted;
    private Server server;

    @BeforeEach
    void listen() {
        role.channelEventCallback(this::onEvent);
        role.defaultMsgCallback(event -> {
            received.merge(event.reactorChannel(), 1, Integer::sum);
            return ReactorCallbackReturnCodes.SUCCESS;
        });
        server = Rssl.bind("127.0.0.1", "--host", 0, "--port", settings);
        loop.listen(
                server,
                () ->
                        loop.reactor()
                                        .accept(
                                                server,
                                                ReactorFactory.createReactorAcceptOptions(),
                                                role,
                                                ReactorFactory.createReactorErrorInfo())
                                >= 0);
    }

    @AfterEach
    void close() {
        loop.close();
        server.close(error);
    }

    private int onEvent(final ReactorChannelEvent event) {
        if (event.eventType() == ReactorChannelEventTypes.CHANNEL_UP) {
            accepted = event.reactorChannel();
            loop.add(accepted);
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    private void pollUntil(final BooleanSupplier isSo) {
        final long beginNs = System.nanoTime();
        while (!isSo.getAsBoolean()) {
            assertThat(System.nanoTime() - beginNs).isLessThan(LONGEST_NS);
            loop.poll(1);
        }
    }

    private Channel connect() {
        accepted = null;
        final Channel client =
                Transport.connect(
                        Rssl.connectTo(
                                        "127.0.0.1",
                                        server.portNumber(),
                                        settings,
                                        Duration.ofSeconds(1))
                                .connectionList()
                                .getFirst()
                                .connectOptions(),
                        error);
        pollUntil(() -> {
            if (client.state() != ChannelState.ACTIVE) {
                client.init(TransportFactory.createInProgInfo(), error);
            }
            return client.state() == ChannelState.ACTIVE && accepted != null;
        });
        return client;
    }

    /** What is written past the Reactor its own thread knows as little of as what it gave up. */
    @Test
    void shouldWriteWhatTheReactorDoesNotFlush() throws Exception {
        final Channel client = connect();
        final TransportBuffer buffer = accepted.channel().getBuffer(BYTES, false, error);
        buffer.data().put(new byte[BYTES]);
        final WriteArgs queued = TransportFactory.createWriteArgs();
        queued.flags(WriteFlags.NO_FLAGS);
        assertThat(accepted.channel().write(buffer, queued, error)).isPositive();

        final ReadArgs readArgs = TransportFactory.createReadArgs();
        pollUntil(() -> {
            final TransportBuffer message = client.read(readArgs, error);
            return message != null && message.length() == BYTES;
        });
        client.close(error);
    }

    private void send(final Channel client, final int messages) {
        final WriteArgs direct = TransportFactory.createWriteArgs();
        direct.flags(WriteFlags.DIRECT_SOCKET_WRITE);
        for (int i = 0; i < messages; i++) {
            final TransportBuffer buffer = client.getBuffer(BYTES, false, error);
            final EncodeIterator iterator = CodecFactory.createEncodeIterator();
            iterator.setBufferAndRWFVersion(buffer, client.majorVersion(), client.minorVersion());
            final Msg message = CodecFactory.createMsg();
            message.msgClass(MsgClasses.GENERIC);
            message.streamId(5);
            message.domainType(DomainTypes.MARKET_PRICE);
            message.containerType(DataTypes.NO_DATA);
            assertThat(message.encode(iterator)).isEqualTo(CodecReturnCodes.SUCCESS);
            assertThat(client.write(buffer, direct, error)).isNotNegative();
        }
    }

    private int received(final ReactorChannel from) {
        return received.getOrDefault(from, 0);
    }

    @Test
    void shouldHandleNoMoreOfABusyConnectionInAPollThanItsShare() {
        final Channel busy = connect();
        final ReactorChannel flooded = accepted;
        final Channel quiet = connect();
        final ReactorChannel other = accepted;
        send(busy, FLOOD);
        pollUntil(() -> received(flooded) > 0);
        final int first = received(flooded);
        send(quiet, 1);

        int polls = 0;
        while (received(flooded) < FLOOD) {
            final int before = received(flooded);
            loop.poll(1);
            assertThat(received(flooded) - before).isBetween(0, MOST_A_POLL);
            assertThat(++polls).isLessThan(10 * FLOOD);
        }
        assertThat(first).isLessThanOrEqualTo(MOST_A_POLL);
        assertThat(received(other)).isEqualTo(1);
        busy.close(error);
        quiet.close(error);
    }
}

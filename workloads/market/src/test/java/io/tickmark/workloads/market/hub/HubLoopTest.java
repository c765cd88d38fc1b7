package io.tickmark.workloads.market.hub;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;

class HubLoopTest {
    /** Before the first ping, a third of the time-out of 60 s later, takes it along. */
    private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(10);

    private static final int BYTES = 100;

    private final ConnectionSettings settings =
            Settings.read(ConnectionSettings.class, Map.of(), key -> key);
    private final HubLoop loop = new HubLoop(SystemNanoClock.INSTANCE, 100, (channel, why) -> {});
    private final Error error = TransportFactory.createError();
    private final ProviderRole role = ReactorFactory.createProviderRole();
    private ReactorChannel accepted;

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

    private Channel connect(final Server server) {
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
        role.channelEventCallback(this::onEvent);
        role.defaultMsgCallback(event -> ReactorCallbackReturnCodes.SUCCESS);
        final Server server = Rssl.bind("127.0.0.1", 0, settings);
        loop.listen(
                server,
                () ->
                        loop.reactor()
                                .accept(
                                        server,
                                        ReactorFactory.createReactorAcceptOptions(),
                                        role,
                                        ReactorFactory.createReactorErrorInfo()));
        final Channel client = connect(server);
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
        loop.close();
        server.close(error);
    }
}

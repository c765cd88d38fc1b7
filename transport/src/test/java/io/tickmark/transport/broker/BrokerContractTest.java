package io.tickmark.transport.broker;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Topic;
import io.tickmark.transport.TransportContractTest;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;

/**
 * The contract of an engine with a broker: all tests of a class through one server, which stands
 * for a given one, each with its own prefix. Where the server's program is missing, the tests are
 * skipped and say why.
 */
public abstract class BrokerContractTest extends TransportContractTest {
    private static Exchange keeper;
    private static int tests;

    /** For subclasses. */
    protected BrokerContractTest() {}

    @Override
    protected abstract BrokerTransport<?> transport();

    /**
     * What the engine refuses, besides addresses that no broker has.
     *
     * @return channels without their scheme and colon
     */
    protected abstract List<String> refused();

    @BeforeEach
    final void needServer() {
        assumeTrue(transport().missing().isEmpty(), () -> transport().missing().orElseThrow());
    }

    @AfterAll
    static void endServer() {
        CloseHelper.quietClose(keeper);
        keeper = null;
    }

    /** {@return the address of the server of this class, which is started where it does not run} */
    protected final String authority() {
        if (keeper == null) {
            keeper =
                    transport()
                            .exchange(
                                    ChannelUri.parse(transport().scheme() + ":"),
                                    Topic.DEFAULT,
                                    ExchangeSide.BIND,
                                    0);
        }
        return keeper.channel().authority();
    }

    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse(
                "%s://%s?prefix=test-%d".formatted(transport().scheme(), authority(), ++tests));
    }

    /** Topics share their server. */
    @Override
    protected boolean bindsExclusively() {
        return false;
    }

    @Override
    protected final List<ChannelUri> badAddresses() {
        return Stream.concat(
                        Stream.of(
                                "//127.0.0.1:port",
                                "//127.0.0.1:70000",
                                "//[::1:1",
                                "//127.0.0.1:4000,127.0.0.1:0"),
                        refused().stream())
                .map(each -> ChannelUri.parse(transport().scheme() + ":" + each))
                .toList();
    }
}

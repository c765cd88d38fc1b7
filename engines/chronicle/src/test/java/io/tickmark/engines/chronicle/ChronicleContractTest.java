package io.tickmark.engines.chronicle;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportContractTest;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** In named folders, so that both sides find them again. */
class ChronicleContractTest extends TransportContractTest {
    @TempDir Path folder;
    private int channels;

    @Override
    protected Transport transport() {
        return new ChronicleTransport();
    }

    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse("chronicle://" + folder + "/" + ++channels + "?blockBytes=8388608");
    }

    @Override
    protected List<ChannelUri> badAddresses() {
        return List.of(
                ChannelUri.parse("chronicle://prices"),
                ChannelUri.parse("chronicle:///"),
                ChannelUri.parse("chronicle:prices/of/today"));
    }

    @Override
    protected long bufferedBytes() {
        return 4 << 20;
    }
}

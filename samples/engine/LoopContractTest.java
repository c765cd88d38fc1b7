package sample;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportContractTest;
import java.util.List;

/** Checks what the sample engine promises (docs/plugins.md says how to run it). */
class LoopContractTest extends TransportContractTest {
    @Override
    protected Transport transport() {
        return new LoopTransport();
    }

    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse("loop:");
    }

    @Override
    protected List<ChannelUri> badAddresses() {
        return List.of(ChannelUri.parse("loop:two/parts"));
    }

    @Override
    protected boolean crossesProcesses() {
        return false;
    }

    /** The engine is in the publisher: who connected to the old one does not find the new one. */
    @Override
    protected boolean followsRestart() {
        return false;
    }
}

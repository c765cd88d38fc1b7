package io.tickmark.engines.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.store.Durability;
import org.junit.jupiter.api.Test;

/** A message is stable once the file is synced. */
class SyncedStoreContractTest extends ChronicleStoreContractTest {
    @Override
    protected ChannelUri channel(final boolean receiverPaced) {
        return super.channel(receiverPaced).with("sync", "true");
    }

    @Test
    void shouldPromiseThatTheDiskHasWhatIsStable() {
        assertThat(transport().guarantees(channel(false)).durability()).isEqualTo(Durability.D2);
        assertThat(transport().guarantees(super.channel(false)).durability())
                .isEqualTo(Durability.D1);
    }
}

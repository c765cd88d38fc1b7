package io.tickmark.transport.nulls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportContractTest;
import io.tickmark.transport.Transports;
import java.util.List;
import org.junit.jupiter.api.Test;

class NullContractTest extends TransportContractTest {
    @Override
    protected Transport transport() {
        return new NullTransport();
    }

    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse("null:?capacityBytes=65536");
    }

    @Override
    protected List<ChannelUri> badAddresses() {
        return List.of(ChannelUri.parse("null:a/b"), ChannelUri.parse("null:two words"));
    }

    @Override
    protected boolean crossesProcesses() {
        return false;
    }

    @Test
    void shouldBeFoundByItsScheme() {
        assertThat(new Transports().of(channel())).isInstanceOf(NullTransport.class);
    }

    @Test
    void shouldSayWhereItLookedWhenTheOtherEndIsNotInThisProcess() {
        final ChannelUri channel = ChannelUri.parse("null:nobody");

        assertThatThrownBy(
                        () -> transport().exchange(channel, Topic.DEFAULT, ExchangeSide.CONNECT, 1))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("'nobody' in this process");
    }

    @Test
    void shouldRefuseCapacitiesAndStallsThatCannotBe() {
        assertThatThrownBy(() -> transport().traits(ChannelUri.parse("null:?capacityBytes=70000")))
                .hasMessageContaining("power of two");
        assertThatThrownBy(() ->
                        transport().traits(ChannelUri.parse("null:?stallEvery=1s&stallFor=1s")))
                .hasMessageContaining("stallFor");
    }
}

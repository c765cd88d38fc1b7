package io.tickmark.transport.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.transport.ChannelUri;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BrokerEndTest {
    private record NoParameters() {}

    private final BrokerEnd end =
            new BrokerEnd(
                    new BrokerChannel<>(ChannelUri.parse("any:"), List.of(), new NoParameters()));

    /** A server of ours would run on after the test. */
    @Test
    void shouldCloseWhatIsBehindItAlsoWhereItsOwnPartFails() {
        final AtomicInteger closed = new AtomicInteger();
        end.by(new ConnectionState() {}, closed::incrementAndGet);

        assertThatThrownBy(() ->
                        end.close(() -> {
                            throw new IllegalStateException("the client is broken");
                        }))
                .hasMessage("the client is broken");
        end.close(() -> {});

        assertThat(closed).hasValue(1);
    }
}

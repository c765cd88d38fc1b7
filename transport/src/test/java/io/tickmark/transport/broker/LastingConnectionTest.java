package io.tickmark.transport.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.Waiting;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class LastingConnectionTest {
    /** The run failed for messages that were lost meanwhile, and did not say why. */
    @Test
    void shouldSayHowOftenItBrokeOnceItIsBack() {
        final List<Consumer<String>> made = new CopyOnWriteArrayList<>();
        try (LastingConnection<Integer> connection =
                new LastingConnection<>(
                        "test-reconnect",
                        broken -> {
                            made.add(broken);
                            return made.size();
                        },
                        ended -> {})) {
            assertThat(connection.errors()).isEmpty();

            made.get(0).accept("it was reset");
            made.get(0).accept("it was reset again");
            Waiting.until(() -> connection.get() == 2);
            assertThat(connection.errors().orElseThrow())
                    .startsWith("The connection to the server broke (it was reset): messages");

            made.get(1).accept("it ended");
            Waiting.until(() -> connection.get() == 3);
            assertThat(connection.errors().orElseThrow())
                    .startsWith(
                            "The connection to the server broke 2 times, first: it was reset; messages");
        }
    }
}

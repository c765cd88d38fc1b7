package io.tickmark.transport.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.Waiting;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
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

    /** A user looked whether the server ran, and it ran with another password. */
    @Test
    void shouldSayWhyItIsNotBack() {
        final List<Consumer<String>> made = new CopyOnWriteArrayList<>();
        final AtomicReference<String> refusal = new AtomicReference<>("nobody answers");
        try (LastingConnection<Integer> connection =
                new LastingConnection<>(
                        "test-reconnect",
                        broken -> {
                            if (!made.isEmpty() && !refusal.get().isEmpty()) {
                                throw UserError.environment(refusal.get() + ".");
                            }
                            made.add(broken);
                            return made.size();
                        },
                        ended -> {})) {
            made.get(0).accept("it hung up");
            refusal.set("the password is wrong");
            Waiting.until(() ->
                    connection
                            .errors()
                            .filter(said ->
                                    said.endsWith("Reconnecting failed: the password is wrong."))
                            .isPresent());
            assertThat(connection.errors().orElseThrow())
                    .startsWith("The connection to the server broke (it hung up): ");

            refusal.set("");
            Waiting.until(() -> connection.get() == 2);
            assertThat(connection.errors().orElseThrow())
                    .startsWith("The connection to the server broke (it hung up): messages")
                    .doesNotContain("Reconnecting failed");
        }
    }

    /** While a subscription that its server had ended was opened again, a break was reported. */
    @Test
    void shouldTellItsOwnBreaksFromTheEndsOfWhatWasOpenedByIt() {
        final List<Consumer<String>> made = new CopyOnWriteArrayList<>();
        final List<Runnable> ended = new CopyOnWriteArrayList<>();
        try (LastingConnection<Integer> connection =
                new LastingConnection<>(
                        "test-reconnect",
                        broken -> {
                            made.add(broken);
                            return made.size();
                        },
                        closed -> {})) {
            connection.open((by, broken) -> {
                ended.add(broken);
                return by;
            });
            ended.get(0).run();
            Waiting.until(() -> connection.get() == 2);
            assertThat(connection.errors()).isPresent();
            assertThat(connection.ownErrors()).isEmpty();

            made.get(1).accept("it hung up");
            Waiting.until(() -> connection.get() == 3);
            assertThat(connection.ownErrors().orElseThrow())
                    .startsWith("The connection to the server broke (it hung up): messages");
        }
    }

    @Test
    void shouldSayWhyWhatWasOpenedByItIsNotBack() {
        final List<Consumer<String>> made = new CopyOnWriteArrayList<>();
        try (LastingConnection<Integer> connection =
                new LastingConnection<>(
                        "test-reconnect",
                        broken -> {
                            made.add(broken);
                            return made.size();
                        },
                        ended -> {})) {
            connection.open((by, broken) -> {
                if (by > 1) {
                    throw new IllegalStateException("it has other settings");
                }
                return by;
            });
            made.get(0).accept("it hung up");

            Waiting.until(() ->
                    connection
                            .errors()
                            .filter(said -> said.endsWith("(it has other settings)."))
                            .isPresent());
        }
    }
}

package io.tickmark.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExchangeTest {
    /** Behind the subscription there may be a server of ours, which would run on. */
    @Test
    void shouldCloseTheSubscriptionAlsoWhereThePublicationFails() {
        final AtomicBoolean isClosed = new AtomicBoolean();
        final Exchange exchange =
                Exchange.of(
                        end(
                                Publication.class,
                                () -> {
                                    throw new IllegalStateException("the client is broken");
                                }),
                        end(Subscription.class, () -> isClosed.set(true)),
                        ChannelUri.parse("any:"));

        assertThatThrownBy(exchange::close).hasMessage("the client is broken");
        assertThat(isClosed).isTrue();
    }

    /** Both ends of a broker are on one connection. */
    @ParameterizedTest
    @CsvSource({
        "It broke., It broke., It broke.",
        "3 were not sent. It broke., It broke., 3 were not sent. It broke.",
        "It broke., It broke. 2 were damaged., It broke. 2 were damaged.",
        "3 were not sent., 2 were damaged., 3 were not sent. 2 were damaged.",
        ", 2 were damaged., 2 were damaged.",
    })
    void shouldSayOnceWhatBothEndsReport(
            final String sends, final String hears, final String expected) {
        assertThat(
                        Exchange.of(
                                        reporting(Publication.class, sends),
                                        reporting(Subscription.class, hears),
                                        ChannelUri.parse("any:"))
                                .note())
                .contains(expected);
    }

    private static <E> E reporting(final Class<E> type, final String errors) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) -> {
                            assertThat(method.getName()).isEqualTo("engineErrors");
                            return Optional.ofNullable(errors);
                        }));
    }

    /** One that can only be closed. */
    private static <E> E end(final Class<E> type, final Runnable onClose) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) -> {
                            assertThat(method.getName()).isEqualTo("close");
                            onClose.run();
                            return null;
                        }));
    }
}

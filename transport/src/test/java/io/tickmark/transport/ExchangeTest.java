package io.tickmark.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

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

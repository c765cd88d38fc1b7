package io.tickmark.workloads.messaging.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.transport.Exchange;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ExchangesTest {
    @Test
    void shouldCloseTheOthersWhereOneFails() {
        final AtomicInteger closed = new AtomicInteger();
        final Exchange failing =
                closing(() -> {
                    throw new IllegalStateException("the client is broken");
                });
        final Exchange other = closing(closed::incrementAndGet);

        assertThatThrownBy(() -> Exchanges.close(List.of(failing, other, other)))
                .hasMessage("the client is broken");
        assertThat(closed).hasValue(2);
    }

    private static Exchange closing(final Runnable onClose) {
        return (Exchange)
                Proxy.newProxyInstance(
                        Exchange.class.getClassLoader(),
                        new Class<?>[] {Exchange.class},
                        (proxy, method, arguments) -> {
                            assertThat(method.getName()).isEqualTo("close");
                            onClose.run();
                            return null;
                        });
    }
}

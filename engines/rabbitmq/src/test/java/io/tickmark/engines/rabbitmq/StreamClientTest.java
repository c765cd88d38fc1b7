package io.tickmark.engines.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.stream.Producer;
import com.rabbitmq.stream.Resource;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What becomes of a producer whose connection breaks. */
class StreamClientTest {
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final AtomicBoolean isBroken = new AtomicBoolean();
    private final Resource.StateListener listener =
            StreamClient.whenBroken(() -> isBroken.set(true));

    /** As the client's producer: no longer restored, then its listeners hear of it. */
    private final Resource producer =
            (Resource)
                    Proxy.newProxyInstance(
                            StreamClient.class.getClassLoader(),
                            new Class<?>[] {Producer.class, Resource.class},
                            (proxy, method, arguments) -> {
                                assertThat(method.getName()).isEqualTo("close");
                                isClosed.set(true);
                                becomes(
                                        (Resource) proxy,
                                        Resource.State.RECOVERING,
                                        Resource.State.CLOSING);
                                return null;
                            });

    private void becomes(
            final Resource resource, final Resource.State before, final Resource.State now) {
        listener.handle(
                new Resource.Context() {
                    @Override
                    public Resource resource() {
                        return resource;
                    }

                    @Override
                    public Resource.State previousState() {
                        return before;
                    }

                    @Override
                    public Resource.State currentState() {
                        return now;
                    }
                });
    }

    /** It would publish behind a hole what it has taken and not sent. */
    @Test
    void shouldBeClosedBeforeTheClientCanRestoreIt() {
        becomes(producer, Resource.State.OPENING, Resource.State.OPEN);
        assertThat(isBroken).isFalse();
        assertThat(isClosed).isFalse();

        becomes(producer, Resource.State.OPEN, Resource.State.RECOVERING);

        assertThat(isClosed).isTrue();
        assertThat(isBroken).isTrue();
    }
}

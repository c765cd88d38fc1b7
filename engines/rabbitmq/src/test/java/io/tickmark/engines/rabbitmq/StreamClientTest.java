package io.tickmark.engines.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.stream.Producer;
import com.rabbitmq.stream.Resource;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What becomes of a producer whose connection breaks. */
class StreamClientTest {
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final AtomicBoolean isBroken = new AtomicBoolean();
    private final List<Resource.StateListener> listeners = new ArrayList<>();

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
                                        listeners.getLast(),
                                        (Resource) proxy,
                                        Resource.State.RECOVERING,
                                        Resource.State.CLOSING);
                                return null;
                            });

    private static void becomes(
            final Resource.StateListener listener,
            final Resource resource,
            final Resource.State before,
            final Resource.State now) {
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

    private Resource opened(final Resource.StateListener listener) {
        listeners.add(listener);
        return producer;
    }

    /** It would publish behind a hole what it has taken and not sent. */
    @Test
    void shouldBeClosedBeforeTheClientCanRestoreIt() {
        StreamClient.patiently(this::opened, () -> isBroken.set(true));
        becomes(listeners.getLast(), producer, Resource.State.OPENING, Resource.State.OPEN);
        assertThat(isBroken).isFalse();
        assertThat(isClosed).isFalse();

        becomes(listeners.getLast(), producer, Resource.State.OPEN, Resource.State.RECOVERING);

        assertThat(isClosed).isTrue();
        assertThat(isBroken).isTrue();
    }

    /** The attempt after it may have succeeded. */
    @Test
    void shouldNotBeBrokenByWhatAFailedAttemptIsTold() {
        StreamClient.patiently(
                listener -> {
                    opened(listener);
                    if (listeners.size() == 1) {
                        becomes(listener, producer, Resource.State.OPENING, Resource.State.CLOSED);
                        throw new IllegalStateException("no leader yet");
                    }
                    return producer;
                },
                () -> isBroken.set(true));
        assertThat(listeners).hasSize(2);

        becomes(listeners.getFirst(), producer, Resource.State.CLOSING, Resource.State.CLOSED);
        assertThat(isBroken).isFalse();

        becomes(listeners.getLast(), producer, Resource.State.CLOSING, Resource.State.CLOSED);
        assertThat(isBroken).isTrue();
    }

    @Test
    void shouldBeBrokenWhereItsConnectionBreaksBeforeItIsHandedOver() {
        StreamClient.patiently(
                listener -> {
                    becomes(listener, producer, Resource.State.CLOSING, Resource.State.CLOSED);
                    return producer;
                },
                () -> isBroken.set(true));

        assertThat(isBroken).isTrue();
    }
}

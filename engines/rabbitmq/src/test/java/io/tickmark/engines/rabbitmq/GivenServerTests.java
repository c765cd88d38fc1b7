package io.tickmark.engines.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.broker.BrokerStoreTransport;
import io.tickmark.transport.broker.SharedStore;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What holds for queues and streams alike: messages to the user where a server does not match a
 * channel, and servers that stop and restart.
 */
@Timeout(180)
abstract class GivenServerTests {
    final UnsafeBuffer message = new UnsafeBuffer(new byte[100]);

    @TempDir Path folder;

    abstract BrokerStoreTransport<?> transport();

    final UserError refused(final ChannelUri channel) {
        return checked(() -> transport().publication(channel, Topic.DEFAULT));
    }

    static UserError checked(final Runnable refused) {
        final UserError error = catchThrowableOfType(UserError.class, refused::run);
        assertThat(error).isNotNull();
        assertThat(error.kind()).isEqualTo(UserError.Kind.ENVIRONMENT);
        assertThat(error.getMessage()).endsWith(".").doesNotContain("\n");
        return error;
    }

    static void until(final Callable<Boolean> condition) throws Exception {
        while (!condition.call()) {
            Thread.sleep(1);
        }
    }

    final void untilMessagesPass(final Publication publication, final Subscription subscription)
            throws Exception {
        until(() -> {
            publication.offer(message, 0, 100);
            return subscription.poll((buffer, offset, length) -> {}, 1) > 0;
        });
    }

    @Test
    void shouldGoOnWithAServerThatWasKilledAndCameBack() throws Exception {
        final ChannelUri channel = SharedStore.given();
        try (Publication publication = transport().publication(channel, Topic.DEFAULT);
                Subscription subscription = transport().subscription(channel, Topic.DEFAULT)) {
            untilMessagesPass(publication, subscription);

            SharedStore.store().kill(1);
            until(() -> publication.offer(message, 0, 100) == Publication.NOT_CONNECTED);
            until(() -> !subscription.isConnected());
            SharedStore.store().restart(1);

            until(subscription::isConnected);
            while (subscription.poll((buffer, offset, length) -> {}, 100) > 0) {
                Thread.sleep(1); // what came before
            }
            untilMessagesPass(publication, subscription);
        }
    }
}

package io.tickmark.engines.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.broker.ServerFaultTests;
import io.tickmark.transport.broker.SharedStore;
import org.junit.jupiter.api.Test;

/**
 * What holds for queues and streams alike: messages to the user where a server does not match a
 * channel, and servers that stop and restart.
 */
abstract class GivenServerTests extends ServerFaultTests {
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
            until(() -> subscription.engineErrors().isPresent());
            assertThat(subscription.engineErrors().orElseThrow())
                    .contains("The connection to the server broke ");
        }
    }
}

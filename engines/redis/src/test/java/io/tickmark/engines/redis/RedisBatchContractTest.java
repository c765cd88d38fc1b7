package io.tickmark.engines.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.DurablePublication;
import org.junit.jupiter.api.Test;

/** The same with messages that are gathered, at servers that each binding side starts. */
class RedisBatchContractTest extends RedisContractTest {
    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse("redis:?batch=16");
    }

    /** The question was gathered like a message, so that nobody answered it. */
    @Test
    void shouldNameItsServerAsWithoutBatches() {
        final RedisTransport redis = new RedisTransport();
        final ChannelUri single =
                ChannelUri.parse("redis://%s?prefix=facts".formatted(authority()));
        final ChannelUri gathered = single.with("batch", "16");
        try (Publication plain = redis.publication(single, Topic.DEFAULT);
                Publication gathering = redis.publication(gathered, Topic.DEFAULT);
                DurablePublication storing = redis.durablePublication(gathered, Topic.DEFAULT)) {
            final Object server = plain.facts().get("server");

            assertThat(server).asString().matches("redis-server \\d.*");
            assertThat(gathering.facts()).containsEntry("server", server);
            assertThat(storing.facts()).containsEntry("server", server);
        }
    }
}

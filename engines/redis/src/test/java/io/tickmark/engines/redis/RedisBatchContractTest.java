package io.tickmark.engines.redis;

import io.tickmark.transport.ChannelUri;

/** The same with messages that are gathered, at servers that each binding side starts. */
class RedisBatchContractTest extends RedisContractTest {
    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse("redis:?batch=16");
    }
}

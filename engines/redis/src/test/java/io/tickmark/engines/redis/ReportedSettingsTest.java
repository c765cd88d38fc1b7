package io.tickmark.engines.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportedSettingsTest {
    /** A server that speaks the protocol alone may not know all of the settings. */
    @Test
    void shouldNotTakeAServerToSyncThatDoesNotSayThatItKeepsAFile() {
        assertThat(RedisTransport.sync(Map.of("appendonly", "yes", "appendfsync", "always")))
                .contains(RedisParameters.Sync.ALWAYS);
        assertThat(RedisTransport.sync(Map.of("appendfsync", "always"))).isEmpty();
        assertThat(RedisTransport.sync(Map.of("appendonly", "yes"))).isEmpty();
        assertThat(RedisTransport.sync(Map.of())).isEmpty();
    }
}

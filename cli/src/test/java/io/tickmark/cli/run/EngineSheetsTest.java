package io.tickmark.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.Transport;
import io.tickmark.transport.Transports;
import io.tickmark.transport.store.DurableTransport;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What stands beside the figures of engines, so that a reader sees what each did for them. */
class EngineSheetsTest {
    private final EngineSheets sheets = new EngineSheets();

    private Map<String, String> plain(final String channel) {
        return sheets.values(List.of(channel), false, false);
    }

    /** Round trips through these go by topics and exchanges that keep nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"artemis:", "rabbitmq:", "rabbitmq:?queue=quorum", "redis:", "pulsar:"})
    void shouldNotPromiseWhatOnlyAStoreKeeps(final String channel) {
        assertThat(plain(channel))
                .containsEntry("durability", "D0 memory")
                .containsEntry("acknowledged", "none")
                .containsEntry("synced", "none");
        assertThat(sheets.values(List.of(channel), true, false).get("durability"))
                .startsWith("D")
                .isNotEqualTo("D0 memory");
    }

    @ParameterizedTest
    @ValueSource(strings = {"kafka:", "chronicle:", "rabbitmq-stream:", "pulsar:?persistent=true"})
    void shouldSayWhatEnginesKeepInAnyCase(final String channel) {
        assertThat(plain(channel).get("durability")).isNotEqualTo("D0 memory");
        assertThat(plain(channel).get("acknowledged")).isNotEqualTo("none");
    }

    @ParameterizedTest
    @CsvSource({
        "udp://127.0.0.1:0, 'drops, counted'",
        "tcp://127.0.0.1:0, pushes back",
        "kafka:, messages wait in the engine",
        "redis:, 'drops, counted'",
    })
    void shouldSayWhatHappensToASlowReceiver(final String channel, final String what) {
        assertThat(plain(channel)).containsEntry("slow receiver", what);
    }

    @Test
    void shouldHaveTheSameColumnsForEveryKindOfChannel() {
        final Transports transports = new Transports();

        assertThat(transports.kinds())
                .isNotEmpty()
                .allSatisfy(kind ->
                        assertThat(plain(kind.channel()))
                                .containsOnlyKeys(plain("udp://127.0.0.1:0").keySet())
                                .doesNotContainValue("n/a"));
        assertThat(transports.all().values())
                .filteredOn(DurableTransport.class::isInstance)
                .extracting(Transport::scheme)
                .isNotEmpty();
    }

    @Test
    void shouldNotSayWhatAnotherBuildMayKnow() {
        assertThat(plain("nowhere:1")).containsEntry("delivery", "n/a");
    }
}

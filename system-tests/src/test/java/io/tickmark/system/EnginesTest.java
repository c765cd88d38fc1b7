package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transport;
import io.tickmark.transport.Transports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * Every kind of engine through the front door: round trips, a stream, and a stored stream whose
 * server is killed.
 */
class EnginesTest {
    /** Measured by most other tests of this module. */
    private static final Set<String> KNOWN_WELL =
            Set.of("udp", "mcast", "tcp", "ws", "shm", "null", "aeron", "dds");

    @TempDir private Path folder;

    static List<String> kinds() {
        final Transports transports = new Transports();
        return transports.kinds().stream()
                .filter(Transport.Kind::isCompared)
                .map(kind -> ChannelUri.parse(kind.channel()))
                .filter(channel -> !KNOWN_WELL.contains(channel.scheme()))
                .filter(channel ->
                        transports.all().get(channel.scheme()).missing().isEmpty()
                                && transports.all().get(channel.scheme()).absence().isEmpty())
                .map(ChannelUri::toString)
                .toList();
    }

    /** Both roles share a process, and wait without a core: one more server is enough to run. */
    @ParameterizedTest
    @MethodSource("kinds")
    void shouldMeasureRoundTripsAndAStream(final String channel) throws IOException {
        final List<JsonNode> trials =
                trials(
                        """
                        schema: tickmark.plan/1
                        name: kind
                        noise: 0s
                        tests:
                          - name: round-trips
                            workload: latency
                            channels: ["%1$s"]
                            settings: {sizes: [64], rate: 500, duration: 200ms, warmUp: 50ms, idle: park}
                            roles: [{role: latency-pub, process: both}, {role: latency-sub, process: both}]
                          - name: one-way
                            workload: stream
                            channels: ["%1$s"]
                            settings: {payloadBytes: 64, rate: 500, messages: 100, jvmWarmUp: 50ms, idle: park}
                            roles: [{role: stream-pub, process: both}, {role: stream-sub, process: both}]
                        """
                                .formatted(channel));

        assertThat(trials).hasSize(2);
        assertThat(trials)
                .allSatisfy(trial -> {
                    assertThat(trial.path("channel").asString()).isEqualTo(channel);
                    assertThat(trial.path("sent").asLong()).isPositive();
                    assertThat(trial.path("received").asLong())
                            .isEqualTo(trial.path("sent").asLong());
                });
        assertThat(trials.getFirst().path("responseNs").path("count").asLong()).isPositive();
        assertThat(trials.getLast().path("received").asLong()).isEqualTo(100);
        assertThat(trials.getLast().path("counts").has("acknowledged"))
                .as("nobody asked for a store")
                .isFalse();
    }

    @Test
    void shouldFindAllAgainWhenTheServerOfAStoreIsKilledAndRestarted() throws IOException {
        final JsonNode trial =
                trials(
                                """
                                schema: tickmark.plan/1
                                name: killed
                                noise: 0s
                                tests:
                                  - name: killed
                                    workload: stream
                                    channels: ["redis:?sync=always"]
                                    settings:
                                      {payloadBytes: 64, rate: 500, duration: 2s, jvmWarmUp: 50ms, storeWarmUp: 200ms, idle: park}
                                    roles:
                                      - {role: store}
                                      - {role: stream-pub, process: both}
                                      - {role: stream-sub, process: both}
                                    faults:
                                      - {role: store, member: 1, at: 1s, do: kill}
                                      - {role: store, member: 1, at: 1200ms, do: restart}
                                    criteria: {maxDuplicated: 100000, minRateHeldPart: 0.1}
                                """)
                        .getFirst();

        assertThat(trial.path("counts").path("acknowledged").asLong()).isPositive();
        assertThat(trial.path("counts").path("acknowledgedNotFound").asLong()).isZero();
        assertThat(trial.path("counts").path("stored").asLong())
                .isGreaterThanOrEqualTo(trial.path("counts").path("acknowledged").asLong());
    }

    private List<JsonNode> trials(final String plan) throws IOException {
        Files.writeString(folder.resolve("plan.yaml"), plan);
        final Launch.Outcome outcome =
                Launch.tickmark(folder, "run plan.yaml --json --out result")
                        .run()
                        .passedOrWasSaturated();
        return ResultDocument.parse(outcome.out()).trials();
    }
}

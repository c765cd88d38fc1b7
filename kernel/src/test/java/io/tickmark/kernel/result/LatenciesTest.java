package io.tickmark.kernel.result;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatenciesTest {
    @ParameterizedTest
    @ValueSource(strings = {"responseNs", "serviceNs-2", "mcastResponseNs", "updateServiceNs-13"})
    void shouldCountFromAnotherRolesClockWhatARoleReceives(final String name) {
        assertThat(Latencies.isBetweenRoles(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postResponseNs",
                "postServiceNs-2",
                "roundTripNs",
                "sendNs-2",
                "stableNs",
                "responseNsOfOthers"
            })
    void shouldCountByItsOwnClockWhatReturnsOrIsOfOneRole(final String name) {
        assertThat(Latencies.isBetweenRoles(name)).isFalse();
    }
}

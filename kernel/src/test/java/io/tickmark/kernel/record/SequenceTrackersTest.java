package io.tickmark.kernel.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class SequenceTrackersTest {
    private final SequenceTrackers trackers = new SequenceTrackers(2);

    @Test
    void shouldKeepSourcesApart() {
        assertThat(trackers.onMessage(0, 0)).isTrue();
        assertThat(trackers.onMessage(65_535, 0)).isTrue();
        assertThat(trackers.onMessage(65_535, 0)).isFalse();
        assertThat(trackers.onMessage(65_535, 2)).isTrue();

        assertThat(trackers.count()).isEqualTo(2);
        assertThat(trackers.of(0).received()).isEqualTo(1);
        assertThat(trackers.of(65_535).lost(3)).isEqualTo(1);
        assertThat(trackers.sum(SequenceTracker::received)).isEqualTo(3);
        assertThat(trackers.sum(SequenceTracker::duplicated)).isEqualTo(1);
    }

    @Test
    void shouldRefuseSourcesTooMany() {
        assertThat(trackers.expect(1)).isTrue();
        assertThat(trackers.expect(1)).isTrue();
        assertThat(trackers.expect(2)).isTrue();
        assertThat(trackers.expect(3)).isFalse();

        assertThat(trackers.onMessage(3, 0)).isFalse();
        assertThat(trackers.refused()).isEqualTo(1);
        assertThat(trackers.of(3).received()).isZero();
    }

    @Test
    void shouldKeepItsSourcesForTheNextStep() {
        trackers.onMessage(1, 5);
        trackers.reset();

        assertThat(trackers.count()).isEqualTo(1);
        assertThat(trackers.sum(SequenceTracker::received)).isZero();
    }

    @Test
    void shouldRefuseAnImpossibleBound() {
        assertThatThrownBy(() -> new SequenceTrackers(0)).hasMessageContaining("maxSources");
        assertThatThrownBy(() -> new SequenceTrackers(65_537)).hasMessageContaining("maxSources");
    }
}

package io.tickmark.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SideBySideTest {
    @Test
    void shouldSayOfARunThatWasCutShortHowManyOfItsRoundsWereMade() {
        assertThat(SideBySide.turns(List.of("fix"), 2, 3)).isEqualTo("2 of 3 rounds in turn");
        assertThat(SideBySide.turns(List.of("fix"), 3, 3)).isEqualTo("3 rounds in turn");
        assertThat(SideBySide.turns(List.of("fix"), 1, 1)).isEqualTo("1 round in turn");
    }

    @Test
    void shouldNotTakeTheRoundsOfTheContestThatWasCutShortForThoseOfTheOthers() {
        assertThat(SideBySide.turns(List.of("udp", "shm"), 1, 3))
                .isEqualTo("3 rounds in turn (of shm 1)");
        assertThat(SideBySide.turns(List.of("udp", "shm"), 3, 3)).isEqualTo("3 rounds in turn");
    }
}

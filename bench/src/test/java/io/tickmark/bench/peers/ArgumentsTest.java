package io.tickmark.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ArgumentsTest {
    @Test
    void shouldTakeOptionsInPairs() {
        final SideBySideSettings settings =
                Arguments.parse("--rounds", "2", "--only", "udp,shm", "--cores", "3,2");

        assertThat(settings.rounds()).isEqualTo(2);
        assertThat(settings.wants("shm")).isTrue();
        assertThat(settings.wants("pace")).isFalse();
        assertThat(settings.pinning()).isEqualTo(new Cores(3, 2));
    }

    @Test
    void shouldRunAllContestsSevenTimesByDefault() {
        final SideBySideSettings settings = Arguments.parse();

        assertThat(settings.rounds()).isEqualTo(7);
        assertThat(settings.wants("udp")).isTrue();
    }

    @Test
    void shouldSayWithWhichCommandATableWasMade() {
        assertThat(
                        Arguments.command(
                                "udp",
                                List.of("--only", "udp,shm", "--samples", "300", "--docs", "a.md")))
                .isEqualTo("bench/run --only udp --samples 300");
        assertThat(Arguments.command("udp", List.of())).isEqualTo("bench/run --only udp");
    }

    @Test
    void shouldNameWhatIsWrong() {
        assertThatThrownBy(() -> Arguments.parse("--round", "2"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--round:");
        assertThatThrownBy(() -> Arguments.parse("--rounds"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--rounds: takes a value");
        assertThatThrownBy(() -> Arguments.parse("--warm-up-seconds", "x"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--warm-up-seconds");
    }

    @Test
    void shouldRefuseToPinBothSidesToOneCore() {
        final SideBySideSettings settings = Arguments.parse("--cores", "1,1");

        assertThatThrownBy(settings::pinning)
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--cores");
    }
}

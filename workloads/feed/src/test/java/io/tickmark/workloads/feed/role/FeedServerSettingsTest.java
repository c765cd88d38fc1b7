package io.tickmark.workloads.feed.role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.feed.source.FeedSettings;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FeedServerSettingsTest {
    private static void check(final Map<String, Object> values) {
        new FeedServerRole.Factory().checkGiven(values, Set.of(), key -> "--" + key);
    }

    /** They were taken without effect. */
    @ParameterizedTest
    @ValueSource(strings = {"sleep", "seed"})
    void shouldRefuseWhatOnlyAFeedOfItsOwnHas(final String key) {
        assertThatThrownBy(() -> check(Map.of("source", "shm://prices", key, "1")))
                .isInstanceOf(UserError.class)
                .hasMessage(
                        "--"
                                + key
                                + ": has no effect, because the publisher on shm://prices makes the messages; leave it out, or "
                                + "give it there.");
        assertThatCode(() -> check(Map.of(key, "1"))).doesNotThrowAnyException();
        assertThatCode(() -> check(Map.of("source", "prices.csv", "sleep", "1ms")))
                .doesNotThrowAnyException();
        assertThatCode(() -> check(Map.of("source", "shm://prices", "rate", "1k")))
                .doesNotThrowAnyException();
    }

    /** A channel was said to be paced by sleeping. */
    @ParameterizedTest
    @CsvSource({
        "generator, 0, sleep",
        "generator, 1000, rate",
        "prices.csv, 0, sleep",
        "shm://prices, 0, source",
        "shm://prices, 1000, source"
    })
    void shouldSayWhatSpacesItsMessages(final String source, final int rate, final String pace) {
        assertThat(
                        Settings.read(
                                        FeedSettings.class,
                                        Map.of("source", source, "rate", rate),
                                        key -> key)
                                .pace())
                .isEqualTo(pace);
    }
}

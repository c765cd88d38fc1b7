package io.tickmark.workloads.feed.role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.feed.role.FeedClientsRole.FeedClientsSettings;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FeedClientsSettingsTest {
    private static FeedClientsSettings settings(final Map<String, ?> values) {
        return Settings.read(FeedClientsSettings.class, values, key -> "--" + key);
    }

    private static List<Integer> firstSymbols(final Map<String, ?> values) {
        final FeedClientsSettings settings = settings(values);
        return IntStream.range(0, 5).mapToObj(i -> settings.session(i).firstSymbol()).toList();
    }

    @Test
    void shouldSpreadClientsOverTheSymbolsFromTheFirstOn() {
        assertThat(firstSymbols(Map.of("symbols", 100, "symbolCount", 30)))
                .containsExactly(0, 30, 60, 0, 30);
        assertThat(firstSymbols(Map.of("symbols", 100, "symbolCount", 30, "firstSymbol", 25)))
                .containsExactly(25, 55, 25, 55, 25);
        assertThat(firstSymbols(Map.of("symbols", 100, "symbolCount", 30, "firstSymbol", 90)))
                .as("the server says that it has fewer")
                .containsOnly(90);
        assertThat(firstSymbols(Map.of("firstSymbol", 7, "symbolCount", 3))).containsOnly(7);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"127.0.0.1:8400", "https://there:8400", "http://there", "http://:1", "x y"})
    void shouldSayWhatAnAddressLooksLike(final String server) {
        final FeedClientsRole.Factory factory = new FeedClientsRole.Factory();
        assertThatThrownBy(() -> factory.check(settings(Map.of("server", server))))
                .isInstanceOf(UserError.class)
                .hasMessage(
                        "--server "
                                + server
                                + ": is not the address of a server; give http://HOST:PORT, as the server prints it.");
    }
}

package io.tickmark.kernel.settings;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

final class SettingsFuzzTest {
    /** The first line is the key, the rest its value. */
    @FuzzTest(maxDuration = "1m")
    void shouldReadASettingOrSayWhatIsWrong(final byte[] bytes) {
        final String text = new String(bytes, StandardCharsets.UTF_8);
        final int end = text.indexOf('\n');
        final String key = end < 0 ? "" : text.substring(0, end);
        final String value = text.substring(end + 1);
        for (final Object given : List.of(value, List.of(value, value))) {
            read(Map.of(key, given));
        }
    }

    private static void read(final Map<String, Object> values) {
        try {
            final SettingsTest.Sample read =
                    Settings.read(SettingsTest.Sample.class, values, key -> key);
            assertThat(Settings.read(SettingsTest.Sample.class, Settings.toMap(read), key -> key))
                    .isEqualTo(read);
        } catch (final UserError e) {
            assertThat(e.kind()).isEqualTo(UserError.Kind.USAGE);
        } catch (final IllegalArgumentException e) {
            assertThat(e).hasMessage("broken"); // what the sample throws on purpose
        }
    }
}

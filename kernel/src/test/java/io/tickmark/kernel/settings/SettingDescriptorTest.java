package io.tickmark.kernel.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SettingDescriptorTest {
    enum Mode {
        SPIN,
        PARK_LONG
    }

    record Described(
            @Setting(
                            help = "Bytes of a message.",
                            byDefault = "64",
                            aliases = {"-m", "-size"},
                            unit = "bytes",
                            min = 16)
                    int payloadBytes,
            @Setting(help = "How to wait.", byDefault = "spin", label = "MODE") Mode idleMode) {}

    record Undescribed(int value) {}

    record OfOddType(@Setting(help = "Odd.") Map<String, String> odd) {}

    record OfOddList(@Setting(help = "Odd.") List<Double> odd) {}

    @Test
    void shouldDescribeComponentsInTheirOrder() {
        final List<SettingDescriptor> settings = SettingDescriptor.of(Described.class);

        assertThat(settings)
                .containsExactly(
                        new SettingDescriptor(
                                "payloadBytes",
                                "--payload-bytes",
                                List.of("-m", "-size"),
                                List.of(),
                                SettingType.INT,
                                List.of(),
                                "64",
                                "",
                                "bytes",
                                16,
                                Double.POSITIVE_INFINITY,
                                "N",
                                "Bytes of a message.",
                                List.of()),
                        new SettingDescriptor(
                                "idleMode",
                                "--idle-mode",
                                List.of(),
                                List.of(),
                                SettingType.CHOICE,
                                List.of("spin", "park-long"),
                                "spin",
                                "",
                                "",
                                Double.NEGATIVE_INFINITY,
                                Double.POSITIVE_INFINITY,
                                "MODE",
                                "How to wait.",
                                List.of()));
    }

    @Test
    void shouldNameAComponentWithoutDescription() {
        assertThatThrownBy(() -> SettingDescriptor.of(Undescribed.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Undescribed.value has no @Setting");
    }

    @Test
    void shouldNameAComponentOfAnUnknownType() {
        assertThatThrownBy(() -> SettingDescriptor.of(OfOddType.class))
                .hasMessageContaining("OfOddType.odd");
        assertThatThrownBy(() -> SettingDescriptor.of(OfOddList.class))
                .hasMessageContaining("OfOddList.odd");
    }
}

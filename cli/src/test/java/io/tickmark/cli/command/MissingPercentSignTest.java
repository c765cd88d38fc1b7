package io.tickmark.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.cli.option.MeasureOptions;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.SettingType;
import io.tickmark.lab.compare.CompareSettings;
import io.tickmark.lab.plan.Criteria;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.lab.search.SearchGoal;
import io.tickmark.transport.Transport;
import io.tickmark.transport.Transports;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every share declares itself as one, and accepts a percent sign: the same for all of them. */
class MissingPercentSignTest {
    private static boolean looksLikeAShare(final SettingDescriptor setting) {
        return setting.type() == SettingType.NUMBER
                && (setting.max() <= 1
                        || setting.key()
                                .matches(".*([pP]art|[rR]atio|[pP]ercent|[sS]hare)|minEffect"));
    }

    @Test
    void shouldAllBeDeclaredAsOne() {
        final List<SettingDescriptor> all = new ArrayList<>();
        for (final RoleFactory<?> role : RoleCatalog.load().all()) {
            all.addAll(SettingDescriptor.of(role.settings()));
        }
        for (final Transport transport : new Transports().all().values()) {
            all.addAll(SettingDescriptor.of(transport.parameters()));
        }
        for (final Class<? extends Record> type :
                List.of(
                        Criteria.class,
                        SearchGoal.class,
                        CompareSettings.class,
                        MeasureOptions.class,
                        BurstCommand.BurstOptions.class)) {
            all.addAll(SettingDescriptor.of(type));
        }

        assertThat(all.stream().filter(MissingPercentSignTest::looksLikeAShare))
                .hasSizeGreaterThan(12)
                .allMatch(SettingDescriptor::isShare);
    }
}

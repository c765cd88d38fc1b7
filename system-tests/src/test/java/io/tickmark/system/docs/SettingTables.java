package io.tickmark.system.docs;

import static io.tickmark.system.docs.MarkdownTable.code;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.SettingType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Tables of settings: a role's options, a channel's parameters, criteria. */
final class SettingTables {
    private static final double LONGEST_EXACT = 1e15;

    private SettingTables() {}

    /** Options that plans do not have, with their other spellings. */
    static String options(final List<SettingDescriptor> settings) {
        final MarkdownTable table = new MarkdownTable("option", "takes", "default", "what it does");
        for (final SettingDescriptor setting : settings) {
            table.row(
                    spellings(setting, Map.of()),
                    takes(setting),
                    code(byDefault(setting)),
                    setting.help());
        }
        return table.toString();
    }

    /** Options with their keys in plans and their other spellings, those of other tools too. */
    static String options(
            final List<SettingDescriptor> settings, final Map<String, String> spelled) {
        final MarkdownTable table =
                new MarkdownTable("option", "key in plans", "takes", "default", "what it does");
        for (final SettingDescriptor setting : settings) {
            table.row(
                    spellings(setting, spelled),
                    code(setting.key()),
                    takes(setting),
                    code(byDefault(setting)),
                    setting.help());
        }
        return table.toString();
    }

    private static String spellings(
            final SettingDescriptor setting, final Map<String, String> spelled) {
        final List<String> spellings = new ArrayList<>(List.of(code(setting.option())));
        setting.aliases().forEach(alias -> spellings.add(code(alias)));
        spelled.entrySet().stream()
                .filter(spelling -> spelling.getValue().equals(setting.key()))
                .map(Map.Entry::getKey)
                .sorted()
                .forEach(spelling -> spellings.add(code(spelling)));
        return String.join(", ", spellings);
    }

    /** Keys that stand in a channel's URI or in a plan. */
    static String keys(final Class<? extends Record> settings, final String head) {
        final MarkdownTable table = new MarkdownTable(head, "takes", "default", "what it does");
        for (final SettingDescriptor setting : SettingDescriptor.of(settings)) {
            table.row(
                    code(setting.key()), takes(setting), code(byDefault(setting)), setting.help());
        }
        return table.toString();
    }

    private static String byDefault(final SettingDescriptor setting) {
        return setting.byDefault().isEmpty() && setting.type() == SettingType.FLAG
                ? "false"
                : setting.byDefault();
    }

    private static String takes(final SettingDescriptor setting) {
        return switch (setting.type()) {
            case FLAG -> "true or false";
            case INT, LONG -> "whole number" + bounds(setting);
            case NUMBER -> "number" + bounds(setting);
            case DURATION -> "duration";
            case CHOICE ->
                    String.join(", ", setting.choices().stream().map(MarkdownTable::code).toList());
            case TEXT -> setting.label().equals(setting.type().label()) ? "text" : setting.label();
            case INT_LIST -> "whole numbers" + bounds(setting);
            case TEXT_LIST -> setting.label();
        };
    }

    private static String bounds(final SettingDescriptor setting) {
        final boolean isBoundedBelow = Double.isFinite(setting.min());
        final boolean isBoundedAbove = Double.isFinite(setting.max());
        final String range;
        if (isBoundedBelow && isBoundedAbove) {
            range = number(setting.min()) + " to " + number(setting.max());
        } else if (isBoundedAbove) {
            range = "up to " + number(setting.max());
        } else {
            range = isBoundedBelow ? "from " + number(setting.min()) : "";
        }
        final String text =
                setting.unit().equals(Setting.PART)
                        ? range + ", or in %"
                        : (range + " " + setting.unit()).strip();
        return text.isEmpty() ? "" : ", " + text;
    }

    private static String number(final double value) {
        return Math.abs(value) < LONGEST_EXACT
                ? BigDecimal.valueOf(value).stripTrailingZeros().toPlainString()
                : Double.toString(value);
    }
}

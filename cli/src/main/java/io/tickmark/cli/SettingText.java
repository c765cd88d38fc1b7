package io.tickmark.cli;

import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.SettingType;
import java.util.ArrayList;
import java.util.List;

/** What help says about a setting. */
final class SettingText {
    private SettingText() {}

    /**
     * The sentence, then unit and default in brackets.
     *
     * @param setting to describe
     * @return one line
     */
    static String help(final SettingDescriptor setting) {
        final List<String> facts = new ArrayList<>();
        if (!setting.unit().isEmpty()) {
            facts.add(setting.unit());
        }
        if (!setting.byDefault().isEmpty() && setting.type() != SettingType.FLAG) {
            facts.add("default " + setting.byDefault());
        } else if (setting.byDefault().equals("true")) {
            facts.add("on unless =false");
        }
        return facts.isEmpty()
                ? setting.help()
                : setting.help() + " (" + String.join(", ", facts) + ")";
    }

    /**
     * The word for its value: the choices where there are few.
     *
     * @param setting to describe
     * @return such as {@code N} or {@code spin|yield}
     */
    static String label(final SettingDescriptor setting) {
        return setting.choices().isEmpty() ? setting.label() : String.join("|", setting.choices());
    }
}

package io.tickmark.cli;

import io.tickmark.kernel.settings.SettingDescriptor;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** A role's settings in words of other tools: options in place of the role's own. */
interface Dialect {
    /** The role's own words. */
    Dialect NONE =
            new Dialect() {
                @Override
                public List<SettingDescriptor> options() {
                    return List.of();
                }

                @Override
                public Set<String> replaced() {
                    return Set.of();
                }

                @Override
                public Map<String, Object> meant(
                        final Map<String, Object> typed, final UnaryOperator<String> naming) {
                    return typed;
                }
            };

    /**
     * Options beside those of the role; a spelling of theirs is not the role's.
     *
     * @return in the order of the help
     */
    List<SettingDescriptor> options();

    /**
     * Which of the role's settings are said by these.
     *
     * @return keys
     */
    Set<String> replaced();

    /**
     * What they mean.
     *
     * @param typed key to text, of both
     * @param naming of keys, for errors
     * @return key to text, of the role alone
     * @throws io.tickmark.kernel.settings.UserError if they contradict each other
     */
    Map<String, Object> meant(Map<String, Object> typed, UnaryOperator<String> naming);
}

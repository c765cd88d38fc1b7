package io.tickmark.kernel.host;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One property of this machine that affects its figures, or would if it were different.
 *
 * @param severity how much
 * @param subject in a few words: {@code CPU governor}
 * @param is its current state, the beginning of a sentence without a full stop
 * @param effect on figures; empty where there is none
 * @param better how it should be; empty where it is good, or cannot be changed
 * @param command that changes it; empty where there is none
 * @param helps which measurements it affects
 */
public record HostCheck(
        Severity severity,
        String subject,
        String is,
        String effect,
        String better,
        String command,
        String helps) {
    /** How much it matters; the worst first. */
    public enum Severity {
        /** Likely to be visible in the figures. */
        WARNING,
        /** Worth knowing when figures are compared. */
        NOTE,
        /** As it should be. */
        OK
    }

    /**
     * The state, its effect on the figures, and what to do about it.
     *
     * @return one sentence
     */
    public String sentence() {
        return is
                + (effect.isEmpty() ? "" : ": " + effect)
                + (better.isEmpty() ? "" : "; " + better)
                + (command.isEmpty() ? "" : " ('" + command + "')")
                + ".";
    }

    /**
     * The same for the environment record.
     *
     * @return names and values, without empty ones
     */
    public Map<String, Object> toMap() {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("severity", severity.name().toLowerCase(java.util.Locale.ROOT));
        map.put("is", is);
        put(map, "effect", effect);
        put(map, "better", better);
        put(map, "command", command);
        put(map, "helps", helps);
        return map;
    }

    private static void put(final Map<String, Object> map, final String name, final String value) {
        if (!value.isEmpty()) {
            map.put(name, value);
        }
    }
}

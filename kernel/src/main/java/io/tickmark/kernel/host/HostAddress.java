package io.tickmark.kernel.host;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address that roles in this process bind to, and are reached at, where none is configured.
 * Normally that is loopback. Where the roles of a run are on several hosts, the lab passes each
 * process the address of its host, which then replaces loopback in every default: those of settings
 * ({@link io.tickmark.kernel.settings.Settings#read}) and those of engines. Any thread.
 */
public final class HostAddress {
    /** System property with the address or name of this host, where the lab passes one. */
    public static final String PROPERTY = "tickmark.host.address";

    private static final String LOOPBACK = "127.0.0.1";
    private static final String GIVEN = System.getProperty(PROPERTY, "");

    private static final Pattern IN_TEXT =
            Pattern.compile("(?<![\\w.:-])(127\\.0\\.0\\.1|localhost|\\[::1\\])(?![\\w.-])");

    private HostAddress() {}

    /**
     * The address of this host where the lab passes one.
     *
     * @return empty where all roles are on one host; IPv6 without brackets
     */
    public static String given() {
        return GIVEN;
    }

    /**
     * The address to bind to where none is configured.
     *
     * @return that of this host, IPv6 in brackets; {@code 127.0.0.1} where the lab passes none
     */
    public static String own() {
        return GIVEN.isEmpty() ? LOOPBACK : bracketed(GIVEN);
    }

    /**
     * A default as it applies on this host.
     *
     * @param text of a setting's default
     * @return with this host's address in place of loopback, where the lab passes one
     */
    public static String localised(final String text) {
        return GIVEN.isEmpty() ? text : inPlaceOfLoopback(text, GIVEN);
    }

    /**
     * A value with an address in place of loopback: {@code 127.0.0.1}, {@code localhost} and {@code
     * [::1]}.
     *
     * @param value text; a list, whose elements are treated one by one; or anything else, which
     *     stays unchanged
     * @param address or name of a host
     * @return the value for that host
     */
    public static Object inPlaceOfLoopback(final Object value, final String address) {
        return switch (value) {
            case final String text -> inPlaceOfLoopback(text, address);
            case final List<?> list ->
                    list.stream().map(element -> inPlaceOfLoopback(element, address)).toList();
            case null, default -> value;
        };
    }

    private static String inPlaceOfLoopback(final String text, final String address) {
        return IN_TEXT.matcher(text).replaceAll(Matcher.quoteReplacement(bracketed(address)));
    }

    private static String bracketed(final String address) {
        return address.contains(":") ? "[" + address + "]" : address;
    }
}

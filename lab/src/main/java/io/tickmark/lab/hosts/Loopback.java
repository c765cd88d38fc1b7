package io.tickmark.lab.hosts;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Loopback addresses in settings: a plan that ran on one machine means each role's own by them. */
final class Loopback {
    private static final Pattern ADDRESS =
            Pattern.compile("(?<![\\w.:-])(127\\.0\\.0\\.1|localhost|\\[::1\\])(?![\\w.-])");

    private Loopback() {}

    /** The value with {@code address} in place of loopback; lists element by element. */
    static Object replaced(final Object value, final String address) {
        return switch (value) {
            case final String text -> replaced(text, address);
            case final List<?> list ->
                    list.stream().map(element -> replaced(element, address)).toList();
            case null, default -> value;
        };
    }

    private static String replaced(final String text, final String address) {
        final String shown = address.contains(":") ? "[" + address + "]" : address;
        return ADDRESS.matcher(text).replaceAll(Matcher.quoteReplacement(shown));
    }
}

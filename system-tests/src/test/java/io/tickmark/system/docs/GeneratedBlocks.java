package io.tickmark.system.docs;

import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The blocks of a page that are made from the code: they stand between {@code <!-- generated: name
 * -->} and {@code <!-- end -->}.
 */
final class GeneratedBlocks {
    private static final Pattern BEGIN = Pattern.compile("<!-- generated: ([^>]*?) -->\n");
    private static final String END = "<!-- end -->";

    private final Map<String, Supplier<String>> makers;

    GeneratedBlocks(final Map<String, Supplier<String>> makers) {
        this.makers = makers;
    }

    /** The page as it should be. */
    String renew(final String page, final String name) {
        final StringBuilder renewed = new StringBuilder();
        final Matcher begin = BEGIN.matcher(page);
        int from = 0;
        while (begin.find(from)) {
            final Supplier<String> maker = makers.get(begin.group(1));
            final int end = page.indexOf(END, begin.end());
            if (maker == null) {
                throw new IllegalStateException(
                        name + ": nothing makes the block '" + begin.group(1) + "'");
            }
            if (end < 0 || page.substring(begin.end(), end).contains("<!-- generated:")) {
                throw new IllegalStateException(
                        name + ": the block '" + begin.group(1) + "' has no " + END);
            }
            renewed.append(page, from, begin.end()).append(maker.get());
            from = end;
        }
        return renewed.append(page.substring(from)).toString();
    }
}

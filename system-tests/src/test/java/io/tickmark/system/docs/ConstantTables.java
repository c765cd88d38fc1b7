package io.tickmark.system.docs;

import static io.tickmark.system.docs.MarkdownTable.code;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tables of constants and the comments they carry in the source, where names are all that is left
 * of them at run time.
 */
final class ConstantTables {
    private static final Pattern COMMENTED =
            Pattern.compile(
                    "/\\*\\*((?:[^*]|\\*(?!/))*)\\*/\\s*"
                            + "(?:public static final String )?([A-Z][A-Z0-9_]*)"
                            + "(?: =\\s*\"([^\"]*)\")?[;,\\s(]");

    private ConstantTables() {}

    /** Words of an enum, or values of text constants, of a class below the root. */
    static String of(final String source, final String head) {
        final Matcher matcher = COMMENTED.matcher(Repository.read(Repository.ROOT.resolve(source)));
        final MarkdownTable table = new MarkdownTable(head, "what it is");
        int found = 0;
        while (matcher.find()) {
            final String value =
                    matcher.group(3) == null
                            ? matcher.group(2).toLowerCase(Locale.ROOT).replace('_', '-')
                            : matcher.group(3);
            table.row(code(value), plain(matcher.group(1)));
            found++;
        }
        if (found == 0) {
            throw new IllegalStateException(source + " has no constants with comments");
        }
        return table.toString();
    }

    /** A comment without what Javadoc alone understands. */
    static String plain(final String comment) {
        return comment.replaceAll("(?m)^\\s*\\*", " ")
                .replaceAll("\\{@code\\s+([^}]*)}", "`$1`")
                .replaceAll("\\{@link\\s+#?([^}\\s]*)(?:\\s[^}]*)?}", "`$1`")
                .replaceAll("\\s+", " ");
    }
}

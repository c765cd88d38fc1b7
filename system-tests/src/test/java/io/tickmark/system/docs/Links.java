package io.tickmark.system.docs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The links of a page to other files of the project and to headings. */
final class Links {
    private static final Pattern LINK =
            Pattern.compile("\\[[^\\]]*]\\(([^)\\s]+)(?:\\s+\"[^\"]*\")?\\)");
    private static final Pattern FENCE = Pattern.compile("(?ms)^ *```.*?^ *```\\s*?$");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6}\\s+(.+?)\\s*#*$");
    private static final Pattern ELSEWHERE = Pattern.compile("[a-z][a-z0-9+.-]*:.*");

    private Links() {}

    /** Links that lead nowhere, as sentences. */
    static List<String> broken(final Path page) {
        final List<String> broken = new ArrayList<>();
        final Matcher link = LINK.matcher(withoutCode(Repository.read(page)));
        while (link.find()) {
            final String target = link.group(1);
            if (!ELSEWHERE.matcher(target).matches() && !leadsSomewhere(page, target)) {
                broken.add(Repository.name(page) + " links to " + target);
            }
        }
        return broken;
    }

    private static boolean leadsSomewhere(final Path page, final String target) {
        final int hash = target.indexOf('#');
        final String file = hash < 0 ? target : target.substring(0, hash);
        final Path found = file.isEmpty() ? page : page.resolveSibling(file).normalize();
        if (!found.startsWith(Repository.ROOT) || !Files.exists(found)) {
            return false;
        }
        return hash < 0 || anchors(Repository.read(found)).contains(target.substring(hash + 1));
    }

    /** What headings are called in links, as GitHub makes it. */
    static List<String> anchors(final String page) {
        final Map<String, Integer> seen = new HashMap<>();
        final List<String> anchors = new ArrayList<>();
        final Matcher heading = HEADING.matcher(withoutCode(page));
        while (heading.find()) {
            final String anchor =
                    heading.group(1)
                            .toLowerCase(Locale.ROOT)
                            .replaceAll("[^\\p{L}\\p{N} _-]", "")
                            .replace(' ', '-');
            final int before = seen.merge(anchor, 1, Integer::sum) - 1;
            anchors.add(before == 0 ? anchor : anchor + "-" + before);
        }
        return anchors;
    }

    private static String withoutCode(final String page) {
        return FENCE.matcher(page).replaceAll("");
    }
}

package io.tickmark.system.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The diagram of ARCHITECTURE.md against the poms. */
class ModuleDiagramTest {
    private static final Pattern ARROW =
            Pattern.compile("(?m)^ +(\\w+)(?:\\[\"(.+?)\"])? --> (\\w+)(?:\\[\"(.+?)\"])?$");
    private static final Pattern MODULE = Pattern.compile("<module>(.+?)</module>");
    private static final Pattern ARTIFACT =
            Pattern.compile("<artifactId>(tickmark-.+?)</artifactId>");
    private static final Pattern DEPENDENCY =
            Pattern.compile("(?s)<dependency>\\s*<groupId>io.tickmark</groupId>(.*?)</dependency>");

    private static String read(final String file) throws IOException {
        return Files.readString(Repository.ROOT.resolve(file));
    }

    /** Engines are one box: what it takes to add one does not touch the page. */
    private static String box(final String module) {
        return module.startsWith("engines/") ? "engines/*" : module;
    }

    private static List<MatchResult> all(final Pattern pattern, final String text) {
        return pattern.matcher(text).results().toList();
    }

    private static Set<String> arrows() throws IOException {
        final Map<String, String> names = new HashMap<>();
        final List<MatchResult> found = all(ARROW, read("ARCHITECTURE.md"));
        for (final MatchResult arrow : found) {
            for (final int id : new int[] {1, 3}) {
                if (arrow.group(id + 1) != null) {
                    names.put(arrow.group(id), arrow.group(id + 1));
                }
            }
        }
        return found.stream()
                .map(arrow ->
                        names.getOrDefault(arrow.group(1), arrow.group(1))
                                + " uses "
                                + names.getOrDefault(arrow.group(3), arrow.group(3)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** What the poms say; what a module needs for its tests alone is no arrow. */
    private static Set<String> dependencies() throws IOException {
        final List<String> modules =
                all(MODULE, read("pom.xml")).stream().map(each -> each.group(1)).toList();
        final Map<String, String> folders = new HashMap<>();
        final Map<String, String> poms = new HashMap<>();
        for (final String module : modules) {
            final String pom = read(Path.of(module, "pom.xml").toString());
            final String own = pom.replaceAll("(?s)<parent>.*?</parent>", "");
            folders.put(all(ARTIFACT, own).getFirst().group(1), module);
            poms.put(module, own);
        }
        final Set<String> found = new TreeSet<>();
        poms.forEach((module, pom) -> {
            for (final MatchResult dependency : all(DEPENDENCY, pom)) {
                final String text = dependency.group(1);
                final boolean isOfTests =
                        text.contains("<type>test-jar</type>")
                                || text.contains("<scope>test</scope>")
                                        && !module.equals("system-tests");
                if (!isOfTests) {
                    found.add(
                            box(module)
                                    + " uses "
                                    + box(folders.get(all(ARTIFACT, text).getFirst().group(1))));
                }
            }
        });
        return found;
    }

    @Test
    void shouldDrawTheDependenciesOfThePoms() throws IOException {
        assertThat(arrows()).hasSizeGreaterThan(20).isEqualTo(dependencies());
    }
}

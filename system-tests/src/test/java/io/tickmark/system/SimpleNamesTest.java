package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One simple name stands for one class, so that a reader who has seen it once knows it: no class of
 * a file of its own has the name of another one, of a public nested class, or of any nested class
 * of a module that can use it. Where two have it all the same, they are on a list with the reason.
 * No two files of tests have one name.
 */
class SimpleNamesTest {
    private static final Path LIST =
            Launch.ROOT.resolve("system-tests/src/test/resources/names-that-stand-twice.txt");

    private static final Pattern MODULE =
            Pattern.compile("^io\\.tickmark\\.((?:engines\\.|workloads\\.)?\\w+)");
    private static final Pattern TEST_FILE =
            Pattern.compile("(?!.*/target/).*src/test/java/.*/([^/]+)[.]java");
    private static final Set<String> USED_BY_ALL = Set.of("kernel", "transport");

    private static Stream<JavaClass> ours() {
        return OwnClasses.ALL.stream()
                .filter(each -> !each.isAnonymousClass() && !each.isLocalClass());
    }

    /** Names that stand twice: each with its classes. */
    private static Map<String, Collection<String>> twice(final Stream<JavaClass> classes) {
        final Map<String, List<JavaClass>> byName =
                classes.filter(each -> !each.getSimpleName().equals("package-info"))
                        .collect(Collectors.groupingBy(JavaClass::getSimpleName));
        final Map<String, Collection<String>> twice = new TreeMap<>();
        byName.forEach((name, named) -> {
            final List<JavaClass> files =
                    named.stream().filter(JavaClass::isTopLevelClass).toList();
            final List<JavaClass> all =
                    named.stream()
                            .filter(each ->
                                    each.isTopLevelClass()
                                            || isPublic(each)
                                            || files.stream().anyMatch(file -> uses(each, file)))
                            .toList();
            if (all.size() > 1 && !files.isEmpty()) {
                twice.put(
                        name,
                        new TreeSet<>(
                                all.stream()
                                        .map(each ->
                                                each.getName()
                                                        .replace("io.tickmark.", "")
                                                        .replace('$', '.'))
                                        .toList()));
            }
        });
        return twice;
    }

    /** Whether a class is of the same module as another one, or may use it as all may. */
    private static boolean uses(final JavaClass each, final JavaClass other) {
        final String module = module(other);
        return module.equals(module(each))
                || USED_BY_ALL.contains(module)
                        && other.getModifiers().contains(JavaModifier.PUBLIC);
    }

    private static String module(final JavaClass each) {
        final Matcher module = MODULE.matcher(each.getName());
        return module.find() ? module.group(1) : each.getName();
    }

    /** With all around it: what is nested in an interface is public by itself. */
    private static boolean isPublic(final JavaClass each) {
        return each.getModifiers().contains(JavaModifier.PUBLIC)
                && each.getEnclosingClass().map(SimpleNamesTest::isPublic).orElse(true);
    }

    /** A line: name, classes, and why both have it. */
    private static Map<String, String> listed() throws IOException {
        final Map<String, String> listed = new TreeMap<>();
        for (final String line : Files.readAllLines(LIST)) {
            if (!line.startsWith("#")) {
                final String[] parts = line.split(" \\| ", 3);
                assertThat(parts).as(line).hasSize(3);
                assertThat(parts[2]).as("the reason in: %s", line).matches(".*[a-z].*\\.");
                listed.put(parts[0], parts[1]);
            }
        }
        return listed;
    }

    @Test
    void shouldStandForOneClassOrBeOnTheListWithAReason() throws IOException {
        final Map<String, String> found = new TreeMap<>();
        twice(ours()).forEach((name, all) -> found.put(name, String.join(", ", all)));

        assertThat(found)
                .as("rename one so that it says what it is, or give a reason in %s", LIST)
                .isEqualTo(listed());
    }

    @Test
    void shouldSeeClassesThatHaveOneName() {
        final Stream<JavaClass> classes =
                new ClassFileImporter()
                                .importClasses(
                                        Map.Entry.class,
                                        java.awt.List.class,
                                        List.class,
                                        String.class)
                                .stream();

        assertThat(twice(classes))
                .containsExactly(
                        Map.entry(
                                "List", new TreeSet<>(List.of("java.awt.List", "java.util.List"))));
    }

    /**
     * A name that is given to {@code -Dtest} selects the tests of one module. Classes that tests
     * share count too, because they are opened by name.
     */
    @Test
    void shouldStandForOneFileOfTestsOfAllModules() throws IOException {
        final Map<String, List<String>> files = testFilesByName(Launch.ROOT);

        assertThat(files).containsKey("SimpleNamesTest");
        assertThat(files.values()).as("rename one").filteredOn(each -> each.size() > 1).isEmpty();
    }

    /** Below the root, without those that are copied when the project is built. */
    private static Map<String, List<String>> testFilesByName(final Path root) throws IOException {
        try (Stream<Path> files = Files.find(root, 30, (path, about) -> about.isRegularFile())) {
            return files.map(file -> root.relativize(file).toString())
                    .sorted()
                    .map(TEST_FILE::matcher)
                    .filter(Matcher::matches)
                    .filter(file -> !file.group(1).equals("package-info"))
                    .collect(
                            Collectors.groupingBy(
                                    file -> file.group(1),
                                    TreeMap::new,
                                    Collectors.mapping(file -> file.group(), Collectors.toList())));
        }
    }

    @Test
    void shouldSeeTwoFilesOfTestsThatHaveOneName(@TempDir final Path folder) throws IOException {
        for (final String module : List.of("cli", "engines/new")) {
            final Path tests = folder.resolve(module).resolve("src/test/java/a");
            Files.createDirectories(tests);
            Files.createFile(tests.resolve("OneTest.java"));
            Files.createFile(tests.resolve("package-info.java"));
        }

        assertThat(testFilesByName(folder))
                .containsExactly(
                        Map.entry(
                                "OneTest",
                                List.of(
                                        "cli/src/test/java/a/OneTest.java",
                                        "engines/new/src/test/java/a/OneTest.java")));
    }

    /** Around a private class whose name is that of a file beside it. */
    private static final class Holder {
        private static final class Launch {}
    }

    @Test
    void shouldSeeANestedClassThatHasTheNameOfAFileOfItsModule() {
        final Stream<JavaClass> classes =
                new ClassFileImporter()
                        .importClasses(Launch.class, Holder.Launch.class, Holder.class).stream();

        assertThat(twice(classes)).containsOnlyKeys("Launch");
    }
}

package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * One simple name stands for one class, so that a reader who has seen it once knows it: no class of
 * a file of its own has the name of another one, or of a public nested class. Where two have it all
 * the same, they are on a list with the reason.
 */
class SimpleNamesTest {
    private static final Path LIST =
            Launch.ROOT.resolve("system-tests/src/test/resources/names-that-stand-twice.txt");

    private static Stream<JavaClass> ours() {
        return new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .withImportOption(location -> !location.contains("-tests.jar"))
                        .importPackages("io.tickmark")
                        .stream()
                        .filter(each -> !each.isAnonymousClass() && !each.isLocalClass());
    }

    /** Names that stand twice: each with its classes. */
    private static Map<String, Collection<String>> twice(final Stream<JavaClass> classes) {
        final Map<String, List<JavaClass>> byName =
                classes.filter(SimpleNamesTest::isSeen)
                        .collect(Collectors.groupingBy(JavaClass::getSimpleName));
        final Map<String, Collection<String>> twice = new TreeMap<>();
        byName.forEach((name, all) -> {
            if (all.size() > 1 && all.stream().anyMatch(JavaClass::isTopLevelClass)) {
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

    private static boolean isSeen(final JavaClass each) {
        return !each.getSimpleName().equals("package-info")
                && (each.isTopLevelClass() || isPublic(each));
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
}

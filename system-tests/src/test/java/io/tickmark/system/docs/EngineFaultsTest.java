package io.tickmark.system.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each engine's folder says which of its tests bring which fault about. */
class EngineFaultsTest {
    private static final String DECLARED =
            """
            # Comment.
            engine One
            nobody OneTest
            killed shouldGoOn shouldGoOnAgain
            still none has no server
            full OneTest
            length shouldRefuseALongOne
            credentials none has none
            settings OneTest
            """;

    @Test
    void shouldNameTestsOfTheEngineOrOfTheKit() throws IOException {
        final List<Path> folders = EngineFaults.folders();

        assertThat(folders).isNotEmpty();
        for (final Path folder : folders) {
            final List<String> sources = sources(folder.resolve("src/test"));
            sources.addAll(sources(Repository.ROOT.resolve("transport/src/test")));
            final Path declaration = folder.resolve(EngineFaults.FILE);
            assertThat(declaration).as("the faults that its tests bring about").exists();
            final List<EngineFaults> engines = EngineFaults.read(Repository.read(declaration));
            assertThat(engines).as(declaration.toString()).isNotEmpty();
            for (final EngineFaults engine : engines) {
                assertThat(engine.tests())
                        .as(declaration.toString())
                        .isNotEmpty()
                        .allSatisfy(name ->
                                assertThat(sources.stream().anyMatch(isIn(name)))
                                        .as(name)
                                        .isTrue());
            }
        }
    }

    /**
     * A test of one fault says nothing of another; the tests of a class are not looked at one by
     * one.
     */
    @Test
    void shouldUseEachNameForOneFaultOnly() {
        for (final Path folder : EngineFaults.folders()) {
            for (final EngineFaults engine :
                    EngineFaults.read(Repository.read(folder.resolve(EngineFaults.FILE)))) {
                assertThat(engine.tests()).as(engine.engine()).doesNotHaveDuplicates();
            }
        }
    }

    private static Predicate<String> isIn(final String name) {
        return Pattern.compile("(?:void|class) " + Pattern.quote(name) + "\\b").asPredicate();
    }

    private static List<String> sources(final Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return new ArrayList<>(
                    files.filter(file -> file.toString().endsWith(".java"))
                            .map(Repository::read)
                            .toList());
        }
    }

    @Test
    void shouldReadTestsAndReasons() {
        final EngineFaults one = EngineFaults.read(DECLARED).getFirst();

        assertThat(one.engine()).isEqualTo("One");
        assertThat(one.tests())
                .containsExactly(
                        "OneTest",
                        "shouldGoOn",
                        "shouldGoOnAgain",
                        "OneTest",
                        "shouldRefuseALongOne",
                        "OneTest");
    }

    @Test
    void shouldRefuseADeclarationThatLacksAFault() {
        assertThatThrownBy(() -> EngineFaults.read(DECLARED.replace("full OneTest\n", "")))
                .hasMessage("One lacks the fault 'full'");
    }

    @Test
    void shouldRefuseALineThatSaysNothing() {
        assertThatThrownBy(() -> EngineFaults.read(DECLARED.replace("full OneTest", "full")))
                .hasMessage("not said of whom or what: full");
        assertThatThrownBy(() -> EngineFaults.read(DECLARED + "broken OneTest\n"))
                .hasMessage("no fault: broken OneTest");
    }
}

package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code mvn -Dtest=NAMES} runs first: with a misspelt name it would pass without a test. */
class CheckTestNamesTest {
    @TempDir private Path root;

    @BeforeEach
    void layOutAProject() throws IOException {
        testClass("kernel", "io/tickmark/kernel/time/PacerTest.java");
        testClass("engines/redis", "io/tickmark/engines/redis/RedisTest.java");
    }

    private void testClass(final String module, final String file) throws IOException {
        final Path source = root.resolve(module).resolve("src/test/java").resolve(file);
        Files.createDirectories(source.getParent());
        Files.createFile(source);
    }

    private Launch.Outcome check(final String names) {
        return Launch.of(Launch.ROOT.resolve("config/check-test-names"), root.toString(), names)
                .run();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PacerTest",
                "PacerTest.java",
                "PacerTest#shouldPace+shouldStop",
                "PacerTest$Inner",
                "Pacer*",
                "*Test#shouldKeepWhatWasStable",
                "PacerTest,RedisTest",
                "PacerTest, RedisTest",
                "io.tickmark.engines.redis.**",
                "io/tickmark/kernel/**/*Test",
                "**/PacerTest",
                "!PacerTest",
                "#shouldPace",
                "%regex[.*Pacer.*]"
            })
    void shouldAcceptWhatStandsForATestClass(final String names) {
        final Launch.Outcome outcome = check(names);
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.exitCode()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PacerTset",
                "PacerTset#shouldPace",
                "PacerTset,RedisTest",
                "RedisTest,PacerTset",
                "*PacerTset",
                "io.tickmark.kernel.PacerTset"
            })
    void shouldRefuseAMisspeltName(final String names) {
        final Launch.Outcome outcome = check(names);
        assertThat(outcome.err()).contains("there is no test class '", "PacerTset");
        assertThat(outcome.exitCode()).isEqualTo(1);
    }

    @Test
    void shouldBeWhatMavenAsksWhereSomeTestsAreChosen() throws IOException {
        assertThat(Files.readString(Launch.ROOT.resolve("pom.xml")))
                .containsSubsequence(
                        "<id>some-tests</id>", "config/check-test-names", "${test}", "</profile>");
    }
}

package io.tickmark.kernel.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class EnvironmentTest {
    private static Map<String, Map<String, Object>> environment;

    @BeforeAll
    static void describe(@TempDir final Path results) {
        environment = Environment.describe(results, Map.of("aeron", "1.51.0"));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldDescribeThisMachine() {
        assertThat(environment)
                .containsKeys("host", "os", "kernel", "cpu", "memory", "limits", "disks", "jvm")
                .noneSatisfy((group, facts) -> assertThat(facts).containsKey("notKnown"));
        assertThat(environment.get("cpu")).containsKeys("logicalCores", "allowedCores");
        assertThat(environment.get("memory").get("totalBytes"))
                .isInstanceOfSatisfying(Long.class, bytes -> assertThat(bytes).isPositive());
        assertThat(environment.get("jvm")).containsKeys("version", "collector", "heapMaxBytes");
    }

    @Test
    void shouldTakeVersionsOfLibrariesFromTheCaller() {
        assertThat(environment.get("libraries")).isEqualTo(Map.of("aeron", "1.51.0"));
    }

    @Test
    void shouldHoldPlainValuesOnly() {
        environment.values().forEach(EnvironmentTest::assertPlain);
    }

    @Test
    void shouldBeFitToBeJudged() {
        assertThat(HostChecks.of(environment))
                .allSatisfy(check -> assertThat(check.sentence()).endsWith("."));
    }

    @Test
    void shouldSeeNoKernelBypassInATest() {
        assertThat(Environment.kernelBypass()).isEmpty();
    }

    private static void assertPlain(final Object value) {
        switch (value) {
            case final Map<?, ?> map -> map.values().forEach(EnvironmentTest::assertPlain);
            case final Collection<?> list -> list.forEach(EnvironmentTest::assertPlain);
            default -> assertThat(value).isInstanceOfAny(Number.class, Boolean.class, String.class);
        }
    }
}

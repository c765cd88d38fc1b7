package io.tickmark.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.PlanLibrary;
import io.tickmark.lab.plan.PlanYaml;
import io.tickmark.lab.plan.RoleCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Here, because here every module's plans are on the class path. */
class ShippedPlansTest {
    private static final PlanLibrary LIBRARY = new PlanLibrary(RoleCatalog.load());

    @TempDir private Path folder;

    static Stream<String> names() {
        return LIBRARY.names().stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldBeReadBackFromAResultFolderAsItRan(final String name) throws IOException {
        final Plan plan = LIBRARY.find(name);
        final Path kept = Files.writeString(folder.resolve("plan.yaml"), PlanYaml.write(plan));

        assertThat(LIBRARY.find(kept.toString())).isEqualTo(plan);
    }
}

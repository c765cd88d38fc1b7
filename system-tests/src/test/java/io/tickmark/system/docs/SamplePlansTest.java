package io.tickmark.system.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.PlanLibrary;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transport;
import io.tickmark.transport.Transports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every sample is a plan that would run, and so is the example in the documentation. */
class SamplePlansTest {
    private static final int SHORTEST_HEADER_LINES = 3;

    private static List<Path> samples() throws IOException {
        try (Stream<Path> files = Files.list(Repository.SAMPLES)) {
            return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
        }
    }

    @TestFactory
    Stream<DynamicTest> shouldPassTheCheckOfPlans() throws IOException {
        final PlanLibrary library = new PlanLibrary(RoleCatalog.load());
        return samples().stream()
                .map(sample ->
                        DynamicTest.dynamicTest(
                                Repository.name(sample),
                                () -> check(library.find(sample.toString()), sample)));
    }

    private static void check(final Plan plan, final Path sample) {
        final String file = sample.getFileName().toString();
        assertThat(plan.name() + ".yaml").isEqualTo(file.substring(file.indexOf('-') + 1));
        assertThat(plan.description()).isNotBlank();
        assertThat(Repository.read(sample).lines().limit(SHORTEST_HEADER_LINES))
                .as("the lines at the head of %s say what it teaches", file)
                .allMatch(line -> line.startsWith("#"));
        final Transports transports = new Transports();
        for (final TestPlan test : plan.tests()) {
            for (final String channel : test.channels()) {
                final ChannelUri uri = ChannelUri.parse(channel);
                final Transport transport = transports.all().get(uri.scheme());
                assertThat(transport.traits(uri).maxPayloadBytes()).isPositive();
            }
        }
    }

    @Test
    void shouldPassAsTheExampleOfThePage(@TempDir final Path folder) throws IOException {
        final String page = Repository.read(Repository.DOCS.resolve("plans.md"));
        final int begin = page.indexOf("```yaml\n") + "```yaml\n".length();
        final Path file = folder.resolve("market-open.yaml");
        Files.writeString(file, page.substring(begin, page.indexOf("```", begin)));

        final Plan plan = new PlanLibrary(RoleCatalog.load()).find(file.toString());

        assertThat(plan.tests().getLast().faults()).isNotEmpty();
    }

    @Test
    void shouldBeNumberedFromOneAndListed() throws IOException {
        final String index = Repository.read(Repository.SAMPLES.resolve("README.md"));
        final List<String> names =
                samples().stream().map(sample -> sample.getFileName().toString()).toList();

        assertThat(names).isNotEmpty();
        for (int i = 0; i < names.size(); i++) {
            assertThat(names.get(i)).startsWith("%02d-".formatted(i + 1));
            assertThat(index).contains("](" + names.get(i) + ")");
        }
    }
}

package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The market-data plans as they are shipped, each from its beginning to its end, made short. */
@Order(3)
class MarketPlansTest {
    private static final int ITEMS = 100;

    /** How well a rate is held in a second depends on the machine; a void trial does not. */
    private static final List<String> MEASURED = List.of("pass", "fail");

    private static final int LONG_SECONDS = 20;

    @TempDir private Path folder;

    /** Again with more time where not all images had come: nothing is steady before that. */
    private Launch.Outcome run(final String plans, final String more) throws IOException {
        final Path results = folder.resolve("result");
        for (int seconds = 6; ; seconds *= 4) {
            final Launch.Outcome outcome = run(plans, more, seconds);
            if (isSteady(results) || seconds > LONG_SECONDS) {
                return outcome;
            }
            Files.move(results, folder.resolve("result-" + seconds));
        }
    }

    private Launch.Outcome run(final String plans, final String more, final int seconds) {
        return Launch.here(
                folder,
                "run "
                        + plans
                        + " --no-noise --no-history --out result --set jvm.options=-XX:TieredStopAtLevel=1"
                        + " --set updateRate=2000"
                        + " --set steadyStateTime="
                        + seconds * Launch.PATIENCE
                        + "s --set delaySteadyStateCalc=0s --set itemCount="
                        + ITEMS
                        + more);
    }

    /** Whether each test that had a start-up went on. */
    private static boolean isSteady(final Path results) throws IOException {
        final List<Path> files;
        try (Stream<Path> all = Files.walk(results)) {
            files = all.filter(file -> file.endsWith("result.json")).toList();
        }
        for (final Path file : files) {
            final List<JsonNode> rows = ResultDocument.read(file).trials();
            if (rows.stream().anyMatch(row -> row.path("verdict").asString().equals("void"))) {
                return false;
            }
            if (!tests(rows, "steady state").containsAll(tests(rows, "startup"))) {
                return false;
            }
        }
        return true;
    }

    private static Set<String> tests(final List<JsonNode> rows, final String label) {
        return rows.stream()
                .filter(row -> row.path("label").asString().equals(label))
                .map(row -> row.path("test").asString())
                .collect(Collectors.toSet());
    }

    private void assertMeasured(final Path result, final List<String> tests) throws IOException {
        final List<JsonNode> rows = ResultDocument.read(result.resolve("result.json")).trials();
        for (final String test : tests) {
            final List<JsonNode> own =
                    rows.stream().filter(row -> row.path("test").asString().equals(test)).toList();
            assertThat(own)
                    .extracting(row -> row.path("label").asString())
                    .containsExactly("startup", "steady state");
            assertThat(own)
                    .allSatisfy(row -> {
                        assertThat(MEASURED).contains(row.path("verdict").asString());
                        assertThat(row.path("lost").asLong(-1)).isZero();
                        assertThat(consumer(row).path("images").asLong()).isEqualTo(ITEMS);
                        assertThat(consumer(row).path("imageRetrievalNs").asLong()).isPositive();
                    });
        }
        assertThat(rows)
                .filteredOn(row -> !tests.contains(row.path("test").asString()))
                .allSatisfy(row -> assertThat(MEASURED).contains(row.path("verdict").asString()));
    }

    private static JsonNode consumer(final JsonNode row) {
        return row.path("roles")
                .valueStream()
                .filter(role -> role.path("role").asString().equals("market-consumer"))
                .findFirst()
                .orElseThrow()
                .path("metrics");
    }

    private static JsonNode steady(final Path result, final String test) throws IOException {
        return ResultDocument.read(result.resolve("result.json")).trials().stream()
                .filter(row ->
                        row.path("test").asString().equals(test)
                                && row.path("label").asString().equals("steady state"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldRunThoseWithAnInteractiveProviderAndTheTransportAlone() throws IOException {
        final Launch.Outcome outcome =
                run(
                        "market market-direct market-through-hub market-transport",
                        " --set duration=1s --set idle=adaptive");

        final Path result = folder.resolve("result");
        outcome.isOneScreen();
        assertThat(result.resolve("summary.txt"))
                .as(outcome.err())
                .content()
                .contains("Measured: 4 tests, 4 trials in all.");
        assertMeasured(result, List.of("direct-connect", "direct", "through-hub"));
        for (final String test : List.of("direct-connect", "direct", "through-hub")) {
            final JsonNode row = steady(result, test);
            assertThat(row.has("responseNs") && row.has("serviceNs")).isTrue();
            assertThat(consumer(row).path("threads").asString()).isEqualTo("consumer-1 adaptive");
        }
        assertThat(consumer(steady(result, "direct-connect")).path("posts").asLong())
                .isPositive()
                .isEqualTo(consumer(steady(result, "direct-connect")).path("postsBack").asLong());
        final Path consumer = result.resolve("roles/direct-market-consumer-1");
        assertThat(Files.readString(consumer.resolve("ConsStats1.csv"))).startsWith("UTC, ");
        assertThat(Files.readString(consumer.resolve("ConsSummary.out")))
                .contains("Requests sent: " + ITEMS);
    }

    @Test
    void shouldRunThoseThatFillAHub() throws IOException {
        final Launch.Outcome outcome =
                run(
                        "market-non-interactive market-posting",
                        " --set holdUntilItems=" + ITEMS + " --set ownItems=" + ITEMS);

        final Path result = folder.resolve("result");
        outcome.isOneScreen();
        assertThat(result.resolve("summary.txt"))
                .as(outcome.err())
                .content()
                .contains("Measured: 4 tests, 4 trials in all.");
        final List<String> posting = List.of("with-updates", "without-updates", "no-provider");
        assertMeasured(result, List.of("non-interactive"));
        assertMeasured(result, posting);
        assertThat(steady(result, "non-interactive").has("responseNs")).isTrue();
        assertThat(steady(result, "non-interactive").at("/tail/threads").valueStream())
                .extracting(thread -> thread.path("thread").asString())
                .contains("publisher-1", "hub", "consumer-1");
        for (final String test : posting) {
            assertThat(steady(result, test).has("postResponseNs")).as(test).isTrue();
        }
    }

    @Test
    void shouldRunTheOneThatComparesTheLibraries() throws IOException {
        final Launch.Outcome outcome = run("market-api", " --repeats 1");

        assertThat(outcome.out()).as(outcome.err()).contains("Comparison: ");
        for (final String side : List.of("1-api-eta", "2-api-ema")) {
            assertMeasured(folder.resolve("result").resolve(side), List.of("api"));
        }
    }
}

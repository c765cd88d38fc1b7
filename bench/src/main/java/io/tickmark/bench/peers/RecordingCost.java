package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.NotMeasured;
import io.tickmark.lab.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * JMH's benchmark of recording one message, with its allocation profiler; figures {@code ns} and
 * {@code bytes}.
 *
 * @param root of the project
 * @param folder for its result
 * @param children that starts it
 * @param settings of the run
 */
record RecordingCost(Path root, Path folder, Children children, SideBySideSettings settings)
        implements Contestant {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String BENCHMARK =
            "io.tickmark.bench.kernel.RecordingBenchmark.recordMessage";

    @Override
    public String name() {
        return "tickmark RecordingBenchmark";
    }

    @Override
    public Map<String, Double> measure() {
        final Path result = folder.resolve("jmh.json");
        final List<String> arguments =
                List.of(
                        "^" + BENCHMARK.replace(".", "\\.") + "$",
                        "-prof",
                        "gc",
                        "-f",
                        "1",
                        "-wi",
                        Integer.toString(Math.max(1, settings.warmUpSeconds())),
                        "-i",
                        Integer.toString(settings.seconds()),
                        "-rf",
                        "json",
                        "-rff",
                        result.toString());
        final List<String> command = JavaCommand.of(root, "org.openjdk.jmh.Main", arguments);
        final Duration limit =
                LIMIT.plusSeconds(2L * (settings.seconds() + settings.warmUpSeconds()));
        try (Child child = children.start("jmh", command)) {
            child.await(limit, List.of(0));
            return figures(Files.readString(result), BENCHMARK);
        } catch (final IOException e) {
            throw new NotMeasured("JMH left no " + result + ".", e);
        }
    }

    /**
     * Time and allocation of one benchmark.
     *
     * @param text of the file that JMH writes with {@code -rf json -prof gc}
     * @param benchmark full name of the method
     * @return {@code ns} and {@code bytes}, each of one call
     */
    static Map<String, Double> figures(final String text, final String benchmark) {
        for (final JsonNode entry : tree(text)) {
            if (entry.path("benchmark").asString("").equals(benchmark)) {
                final JsonNode time = entry.path("primaryMetric");
                if (!time.path("scoreUnit").asString("").equals("ns/op")) {
                    throw new NotMeasured(benchmark + " is not in ns/op.");
                }
                return Map.of(
                        "ns", number(time, benchmark),
                        "bytes", number(allocation(entry), benchmark));
            }
        }
        throw new NotMeasured("JMH has not run " + benchmark + ".");
    }

    private static JsonNode tree(final String text) {
        try {
            return Json.line().readTree(text);
        } catch (final JacksonException e) {
            throw new NotMeasured("JMH wrote no result: " + e.getOriginalMessage() + ".", e);
        }
    }

    /** Older versions of JMH put a dot before the names of profilers' figures. */
    private static JsonNode allocation(final JsonNode entry) {
        final JsonNode all = entry.path("secondaryMetrics");
        final JsonNode plain = all.path("gc.alloc.rate.norm");
        return plain.isMissingNode() ? all.path("\u00b7gc.alloc.rate.norm") : plain;
    }

    private static double number(final JsonNode metric, final String benchmark) {
        final JsonNode score = metric.path("score");
        if (!score.isNumber()) {
            throw new NotMeasured(benchmark + " has no score; was it run with -prof gc?");
        }
        return score.asDouble();
    }
}

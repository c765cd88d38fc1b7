package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.NotMeasured;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

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
            return JmhJson.figures(Files.readString(result), BENCHMARK);
        } catch (final IOException e) {
            throw new NotMeasured("JMH left no " + result + ".", e);
        }
    }
}

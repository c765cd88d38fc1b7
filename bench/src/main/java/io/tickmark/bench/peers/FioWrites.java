package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.NotMeasured;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code fio}: unsynced writes of one message each into the folder of temporary files, where our
 * store has its data; the figure named after the size is writes per second.
 *
 * @param folder to write in
 * @param children that starts it
 * @param payloadBytes bytes of a write
 * @param settings of the run
 */
record FioWrites(Path folder, Children children, int payloadBytes, SideBySideSettings settings)
        implements Contestant {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @Override
    public String name() {
        return "fio, unsynced writes of %d B".formatted(payloadBytes);
    }

    @Override
    public Map<String, Double> measure() {
        final List<String> command =
                List.of(
                        "fio",
                        "--name=stored",
                        "--rw=write",
                        "--ioengine=psync",
                        "--bs=" + payloadBytes,
                        "--size=4g",
                        "--filename=" + folder.resolve("fio.data"),
                        "--time_based",
                        "--runtime=" + settings.seconds(),
                        "--unlink=1",
                        "--output-format=json");
        try (Child child = children.start("fio", command)) {
            final String output = child.await(LIMIT.plusSeconds(settings.seconds()), List.of(0));
            final JsonNode writes =
                    new JsonMapper()
                            .readTree(output.substring(Math.max(0, output.indexOf('{'))))
                            .path("jobs")
                            .path(0)
                            .path("write");
            if (!writes.path("iops").isNumber()) {
                throw new NotMeasured(name() + " printed no figure.");
            }
            return Map.of(Integer.toString(payloadBytes), writes.path("iops").asDouble());
        }
    }
}

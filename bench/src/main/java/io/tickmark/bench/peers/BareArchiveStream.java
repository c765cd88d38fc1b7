package io.tickmark.bench.peers;

import io.tickmark.bench.aeron.BareArchive;
import io.tickmark.bench.contest.Contestant;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A bare recorded Aeron stream; the figure named after the size is the rate recorded.
 *
 * @param root of the project
 * @param children that starts it
 * @param payloadBytes message length
 * @param settings of the run
 */
record BareArchiveStream(
        Path root, Children children, int payloadBytes, SideBySideSettings settings)
        implements Contestant {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @Override
    public String name() {
        return "bare Aeron Archive, %d B".formatted(payloadBytes);
    }

    @Override
    public Map<String, Double> measure() {
        try (Child child =
                children.start(
                        "bare-archive",
                        JavaCommand.of(
                                root,
                                BareArchive.class.getName(),
                                List.of(
                                        Integer.toString(payloadBytes),
                                        Integer.toString(settings.warmUpSeconds()),
                                        Integer.toString(settings.seconds()))))) {
            final String output =
                    child.await(
                            LIMIT.plusSeconds(settings.seconds() + settings.warmUpSeconds()),
                            List.of(0));
            return Map.of(Integer.toString(payloadBytes), FigureLine.figure(output, "msg_per_s"));
        }
    }
}

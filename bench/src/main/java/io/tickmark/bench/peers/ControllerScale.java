package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contest;
import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.Goal;
import io.tickmark.bench.contest.NotMeasured;
import io.tickmark.bench.contest.Row;
import io.tickmark.bench.contest.Unit;
import io.tickmark.bench.scale.ControllerLoad;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What a controller needs before a thousand roles.
 *
 * @param folder for result folders
 * @param children that starts the program
 */
record ControllerScale(Path folder, Children children) implements Contestant {
    static final String CPU = "cpu";
    static final String MEMORY = "memory";
    static final String MERGE = "merge";

    private static final int ROLES = 1000;
    private static final int SECONDS = 30;
    private static final Duration LIMIT = Duration.ofSeconds(120);

    /** Its figures and their goals. */
    Contest contest() {
        return new Contest(
                "controller",
                List.of(this),
                List.of(
                        Row.figure(
                                "controller before 1,000 roles, a line a second each: of one core",
                                CPU,
                                name(),
                                Unit.PERCENT,
                                new Goal.AtMost(10)),
                        Row.figure(
                                "most memory of it",
                                MEMORY,
                                name(),
                                Unit.MEBIBYTES,
                                new Goal.AtMost(256)),
                        Row.figure(
                                "merging their results",
                                MERGE,
                                name(),
                                Unit.SECONDS,
                                new Goal.AtMost(5))));
    }

    @Override
    public String name() {
        return "tickmark controller";
    }

    @Override
    public Map<String, Double> measure() {
        final List<String> command =
                JavaCommand.ofFrontDoor(
                        ControllerLoad.class.getName(),
                        List.of("" + ROLES, "" + SECONDS, newFolder().toString()));
        try (Child child = children.start("controller", command)) {
            final String said = child.await(LIMIT, List.of(0));
            return Map.of(
                    CPU, FigureLine.figure(said, "cpu_percent"),
                    MEMORY, FigureLine.figure(said, "resident_bytes") / (1 << 20),
                    MERGE, FigureLine.figure(said, "merge_s"));
        }
    }

    private Path newFolder() {
        try {
            return Files.createTempDirectory(folder, "controller");
        } catch (final IOException e) {
            throw new NotMeasured("no folder can be made in " + folder + ".", e);
        }
    }
}

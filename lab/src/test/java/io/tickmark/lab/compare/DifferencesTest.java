package io.tickmark.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.RunResult;
import io.tickmark.lab.compare.Comparison.Difference;
import io.tickmark.lab.result.ResultFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DifferencesTest {
    @TempDir private Path folder;

    private Side side(final String name, final String channel, final int samples)
            throws IOException {
        final Path own = Files.createTempDirectory(folder, "run");
        Files.writeString(
                own.resolve(ResultFolder.PLAN),
                "tests:\n- name: t\n  channels: [\"%s\"]\n  settings: {samples: %d}\n"
                        .formatted(channel, samples));
        final Side plain = CompareSamples.side(name, 100);
        return new Side(name, own, plain.result(), Optional.of(own));
    }

    @Test
    void shouldReportWhatTwoRunsWereSetTo() throws IOException {
        assertThat(Differences.of(side("A", "shm:", 100), side("B", "aeron:ipc", 200)))
                .containsExactly(
                        new Difference("B", "plan.tests.t.channels.0", "shm:", "aeron:ipc"),
                        new Difference("B", "plan.tests.t.settings.samples", "100", "200"));
    }

    @Test
    void shouldNotReportWhatTheRunsAreCalledAfter() throws IOException {
        assertThat(Differences.of(side("shm:", "shm:", 100), side("aeron:ipc", "aeron:ipc", 200)))
                .containsExactly(
                        new Difference("aeron:ipc", "plan.tests.t.settings.samples", "100", "200"));
    }

    @Test
    void shouldReportAHostThatOnlyOneSideHadInOneLine() throws IOException {
        final Side here = side("A", "shm:", 100);
        final Side there = on("h2", side("B", "shm:", 100));

        assertThat(Differences.of(here, there))
                .containsExactly(new Difference("B", "host h2", "", "2 facts"));
        assertThat(Differences.of(there, there)).isEmpty();
        assertThat(Differences.of(there, on("h3", side("B", "shm:", 100))))
                .containsExactly(
                        new Difference("B", "host h2", "2 facts", ""),
                        new Difference("B", "host h3", "", "2 facts"));
    }

    private static Side on(final String host, final Side side) {
        final Map<String, Map<String, Object>> environment =
                new TreeMap<>(side.result().environment());
        environment.put("host " + host, Map.of("cpu.cores", 2, "os.name", "Linux"));
        final RunResult run = side.result();
        return new Side(
                side.name(),
                side.path(),
                new RunResult(
                        run.schema(),
                        run.tickmark(),
                        run.startedAt(),
                        run.plan(),
                        run.verdict(),
                        run.reasons(),
                        run.trials(),
                        run.aggregates(),
                        run.searches(),
                        run.noise(),
                        environment,
                        null),
                side.folder());
    }
}

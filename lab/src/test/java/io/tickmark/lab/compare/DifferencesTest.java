package io.tickmark.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.lab.compare.Comparison.Difference;
import io.tickmark.lab.result.ResultFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
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
    void shouldTellWhatTwoRunsWereSetTo() throws IOException {
        assertThat(Differences.of(side("A", "shm:", 100), side("B", "aeron:ipc", 200)))
                .containsExactly(
                        new Difference("B", "plan.tests.t.channels.0", "shm:", "aeron:ipc"),
                        new Difference("B", "plan.tests.t.settings.samples", "100", "200"));
    }

    @Test
    void shouldNotTellWhatTheRunsAreCalledAfter() throws IOException {
        assertThat(Differences.of(side("shm:", "shm:", 100), side("aeron:ipc", "aeron:ipc", 200)))
                .containsExactly(
                        new Difference("aeron:ipc", "plan.tests.t.settings.samples", "100", "200"));
    }
}

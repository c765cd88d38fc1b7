package io.tickmark.wire.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.record.RoleFiles;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.role.TestContext;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.wire.WireNeeds;
import io.tickmark.wire.capture.Capture.CaptureSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CaptureTest {
    /**
     * An address of documents (RFC 5737): other tests beside this one send to ports of loopback.
     */
    private static final String NOBODY = "udp and host 192.0.2.1";

    @TempDir Path folder;

    /** A folder of another name than the result's cost the trial: it was looked for in the name. */
    @Test
    void shouldCaptureIntoAFolderOfAnyName() throws IOException {
        WireNeeds.tcpdump(folder);
        final RoleResult result = capture(Files.createDirectory(folder.resolve("files-1")), 1);

        assertThat(result.metrics()).containsEntry("capturedPackets", 0L);
        assertThat(result.failure())
                .as("a run that was to be captured")
                .startsWith("No message that can be timed was captured");
    }

    @Test
    void shouldSayWhereNothingWasCapturedThatTheRunCanDoWithout() throws IOException {
        WireNeeds.tcpdump(folder);
        final RoleResult result =
                capture(Files.createDirectory(folder.resolve("files-1")), 1, false);

        assertThat(result.failure()).isEmpty();
        assertThat(result.warnings())
                .anyMatch(line -> line.startsWith("No message that can be timed was captured"));
    }

    /** All repeats have one folder: the last one's capture was all that was kept. */
    @Test
    void shouldKeepTheCaptureOfEachRepeat() throws IOException {
        WireNeeds.tcpdump(folder);
        final Path own = Files.createDirectory(folder.resolve("fan-out-capture-1"));
        capture(own, 1);
        capture(own, 2);

        assertThat(own)
                .isDirectoryContaining("glob:**/capture-r1.pcap")
                .isDirectoryContaining("glob:**/capture-r1.pcap.facts")
                .isDirectoryContaining("glob:**/capture-r2.pcap")
                .isDirectoryContaining("glob:**/capture-r2.pcap.facts");
    }

    /** A channel's name may go on where another one's ends. */
    @Test
    void shouldReadTheLogsOfItsOwnTrialOnly() throws IOException {
        WireNeeds.tcpdump(folder);
        final Path own = Files.createDirectory(folder.resolve("stream-udp-0-capture-1"));
        log("stream-udp-0-batch-64-stream-sub-1", "of another trial");
        log(
                "stream-udp-0-stream-sub-1",
                "repeat,step,kind,sentNs,receivedNs,latencyNs,source,sequence");

        assertThat(capture(own, 1).failure()).startsWith("No message that can be timed");
        log("stream-udp-0-stream-sub-2", "of this trial");
        assertThatThrownBy(() -> capture(own, 2))
                .hasMessageContaining("stream-udp-0-stream-sub-2")
                .hasMessageContaining("this is not a log of latencies");
    }

    private void log(final String role, final String line) throws IOException {
        Files.writeString(
                Files.createDirectory(folder.resolve(role)).resolve(RoleFiles.EACH_LATENCY),
                line + "\n");
    }

    private static RoleResult capture(final Path own, final int repeat) {
        return capture(own, repeat, true);
    }

    private static RoleResult capture(final Path own, final int repeat, final boolean isRequired) {
        final CaptureSettings settings =
                Settings.read(
                        CaptureSettings.class,
                        Map.of("filter", NOBODY, "required", isRequired, "keep", true),
                        key -> key);
        final TestContext stopped = new TestContext(1, 1).in(own).inRepeat(repeat);
        stopped.stop();
        try (Role capture = new Capture.Factory().create(settings, stopped)) {
            capture.prepare();
            capture.connect(Endpoints.NONE);
            return capture.run(0);
        }
    }
}

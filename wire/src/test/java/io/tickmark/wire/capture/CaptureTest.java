package io.tickmark.wire.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.record.RoleRecording;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.IdleStrategies;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.wire.Needed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CaptureTest {
    @TempDir Path folder;

    /** A host that has asked the role to stop already, and gave it this folder. */
    private record Stopped(Path own, RoleRecording recording) implements RoleContext {
        @Override
        public int index() {
            return 1;
        }

        @Override
        public int count() {
            return 1;
        }

        @Override
        public int trialId() {
            return 1;
        }

        @Override
        public Optional<Path> directory() {
            return Optional.of(own);
        }

        @Override
        public NanoClock clock() {
            return SystemNanoClock.INSTANCE;
        }

        @Override
        public long connectTimeoutNs() {
            return 0;
        }

        @Override
        public boolean isStopped() {
            return true;
        }

        @Override
        public IdleMode idleMode(final HotThread hotThread) {
            return IdleMode.BLOCK;
        }

        @Override
        public IdleStrategy idleStrategy(final HotThread hotThread) {
            return IdleStrategies.of(IdleMode.BLOCK);
        }

        @Override
        public void pin(final HotThread hotThread) {
            // tests leave threads where they are
        }

        @Override
        public void tell(final String line) {
            // nobody reads it
        }
    }

    /** A folder of another name than the result's cost the trial: it was looked for in the name. */
    @Test
    void shouldCaptureIntoAFolderOfAnyName() throws IOException {
        Needed.tcpdump(folder);
        final CaptureSettings settings =
                Settings.read(
                        CaptureSettings.class,
                        Map.of("filter", "udp port 1", "required", true),
                        key -> key);
        final Path own = Files.createDirectory(folder.resolve("files-1"));
        try (Role capture =
                new CaptureFactory()
                        .create(
                                settings,
                                new Stopped(
                                        own, RoleRecording.inMemory(SystemNanoClock.INSTANCE)))) {
            capture.prepare();
            capture.connect(Endpoints.NONE);
            assertThat(capture.run(0).metrics()).containsEntry("capturedPackets", 0L);
        }
    }
}

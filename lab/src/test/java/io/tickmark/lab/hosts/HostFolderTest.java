package io.tickmark.lab.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostFolderTest {
    @TempDir Path folder;

    /** The agent used to end itself where this took longer than a controller may be silent. */
    @Test
    void shouldSayAfterEachPartThatItWasTaken() throws IOException {
        final HostFolder files = new HostFolder(folder);
        Files.write(files.make("a").resolve("large"), new byte[1_000_000]);
        Files.write(files.make("a").resolve("small"), new byte[10]);
        final ByteArrayOutputStream wire = new ByteArrayOutputStream();
        final AtomicInteger sent = new AtomicInteger();
        files.send("a", new Frames(InputStream.nullInputStream(), wire), sent::incrementAndGet);

        final Frames here =
                new Frames(
                        new ByteArrayInputStream(wire.toByteArray()),
                        OutputStream.nullOutputStream());
        int parts = 0;
        for (Optional<Frames.Frame> frame = here.next(); frame.isPresent(); frame = here.next()) {
            if (frame.get().channel() == Frames.FILES) {
                parts++;
            }
        }
        assertThat(sent).hasValue(parts);
        assertThat(parts).isGreaterThan(10);
        assertThat(folder.resolve("a")).isEmptyDirectory();
    }
}

package io.tickmark.lab.hosts;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

class FramesFuzzTest {
    @FuzzTest(maxDuration = "1m")
    void shouldReadFramesOrSayThatTheyAreNone(final byte[] bytes) {
        final Frames frames =
                new Frames(new ByteArrayInputStream(bytes), OutputStream.nullOutputStream());
        try {
            for (Optional<Frames.Frame> frame = frames.next();
                    frame.isPresent();
                    frame = frames.next()) {
                Frames.message(frame.get(), FromHost.class);
                Frames.message(frame.get(), ToHost.class);
            }
        } catch (final IOException e) {
            return; // said
        }
    }
}

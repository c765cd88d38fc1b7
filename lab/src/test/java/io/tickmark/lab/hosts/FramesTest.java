package io.tickmark.lab.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class FramesTest {
    @Test
    void shouldCarryStreamsAndMessagesInOrder() throws IOException {
        final ByteArrayOutputStream wire = new ByteArrayOutputStream();
        final Frames there = new Frames(InputStream.nullInputStream(), wire);
        final byte[] large = new byte[Frames.MAX_BYTES + 10];
        Arrays.fill(large, (byte) 7);
        there.say(new ToHost.Kill(3));
        there.write(Frames.errors(3), large, 0, large.length);
        there.end(Frames.output(3));

        final Frames here =
                new Frames(
                        new ByteArrayInputStream(wire.toByteArray()),
                        OutputStream.nullOutputStream());
        assertThat(Frames.message(here.next().orElseThrow(), ToHost.class))
                .isEqualTo(new ToHost.Kill(3));
        final Frames.Frame first = here.next().orElseThrow();
        assertThat(first.process()).isEqualTo(3);
        assertThat(first.stream()).isEqualTo(Frames.ERRORS);
        assertThat(first.bytes()).hasSize(Frames.MAX_BYTES);
        assertThat(here.next().orElseThrow().bytes()).hasSize(10);
        final Frames.Frame end = here.next().orElseThrow();
        assertThat(end.stream()).isEqualTo(Frames.OUTPUT);
        assertThat(end.bytes()).isEmpty();
        assertThat(here.next()).isEmpty();
    }

    @Test
    void shouldRefuseAFrameThatIsNone() {
        final Frames frames =
                new Frames(
                        new ByteArrayInputStream("Welcome to this machine!".getBytes()),
                        OutputStream.nullOutputStream());
        assertThatThrownBy(frames::next)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no frame of an agent");
    }
}

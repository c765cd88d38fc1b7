package io.tickmark.workloads.feed.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrameReaderTest {
    private final List<String> heard = new ArrayList<>();
    private final FrameReader reader =
            new FrameReader(
                    new FrameReader.Listener() {
                        @Override
                        public void onMessage(final ByteBuffer payload) {
                            heard.add("message " + payload.remaining() + " " + payload.get(0));
                        }

                        @Override
                        public void onPing(final ByteBuffer payload) {
                            heard.add("ping " + payload.remaining());
                        }

                        @Override
                        public void onClose() {
                            heard.add("close");
                        }
                    });

    private static byte[] masked(final int opcode, final int... payload) {
        final byte[] frame = new byte[6 + payload.length];
        frame[0] = (byte) (0x80 | opcode);
        frame[1] = (byte) (0x80 | payload.length);
        frame[2] = 1;
        frame[3] = 2;
        frame[4] = 3;
        frame[5] = 4;
        for (int i = 0; i < payload.length; i++) {
            frame[6 + i] = (byte) (payload[i] ^ frame[2 + i % 4]);
        }
        return frame;
    }

    @Test
    void shouldReadFramesThatComeByteByByte() {
        for (final byte[] frame : List.of(masked(2, 42, 43), masked(9), masked(8))) {
            for (final byte each : frame) {
                assertThat(reader.read(ByteBuffer.wrap(new byte[] {each}))).isEmpty();
            }
        }
        assertThat(heard).containsExactly("message 2 42", "ping 0", "close");
    }

    @ParameterizedTest
    @CsvSource({
        "2, 128, fragmented",
        "130, 5, without a mask",
        "194, 128, reserved",
        "130, 254, more than 125",
        "131, 128, unknown kind",
        "129, 128, unknown kind"
    })
    void shouldSayWhyAFrameIsRefused(final int first, final int second, final String reason) {
        assertThat(reader.read(ByteBuffer.wrap(new byte[] {(byte) first, (byte) second})))
                .contains(reason);
        assertThat(heard).isEmpty();
    }
}

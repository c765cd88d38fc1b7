package io.tickmark.workloads.feed.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;

class FrameReaderFuzzTest {
    /**
     * Whatever a client sends, in whatever pieces: frames within the bound, or a reason to close.
     */
    @FuzzTest
    void shouldReadFramesOrSayWhyNot(final FuzzedDataProvider data) {
        final FrameReader reader =
                new FrameReader(
                        new FrameReader.Listener() {
                            @Override
                            public void onMessage(final ByteBuffer payload) {
                                assertThat(payload.remaining())
                                        .isBetween(0, FrameReader.MAX_PAYLOAD);
                            }

                            @Override
                            public void onPing(final ByteBuffer payload) {
                                assertThat(payload.remaining())
                                        .isBetween(0, FrameReader.MAX_PAYLOAD);
                            }

                            @Override
                            public void onClose() {}
                        });
        while (data.remainingBytes() > 0) {
            final byte[] piece = data.consumeBytes(data.consumeInt(1, 300));
            if (!reader.read(ByteBuffer.wrap(piece)).isEmpty()) {
                return;
            }
        }
    }
}

package io.tickmark.workloads.feed.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.workloads.feed.client.Client.ResponseBody;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Client.Responses are taken apart the same wherever they are cut. */
class ResponseBodyTest {
    private static final String RESPONSES =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1;a=b\r\n \r\n0\r\n\r\n"
                    + "HTTP/1.1 204 No Content\r\n\r\n"
                    + "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nworld"
                    + "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nb\r\n, and again\r\n";

    /** What the clients do: keep an incomplete head, and continue reading after it. */
    private static String bodies(final SplittableRandom random) throws IOException {
        final ResponseBody body = new ResponseBody();
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[1000]);
        final byte[] all = RESPONSES.getBytes(StandardCharsets.US_ASCII);
        final StringBuilder text = new StringBuilder();
        int kept = 0;
        for (int at = 0; at < all.length; ) {
            final int length = Math.min(all.length - at, random.nextInt(1, 40));
            buffer.putBytes(kept, all, at, length);
            at += length;
            final int to = body.read(buffer, 0, kept + length);
            text.append(buffer.getStringWithoutLengthAscii(0, to));
            kept = body.keptHead();
            buffer.putBytes(0, buffer, to, kept);
        }
        assertThat(body.whole()).isEqualTo(3);
        return text.toString();
    }

    @Test
    void shouldFindTheBodiesWhereverTheBytesAreCut() throws IOException {
        for (int seed = 0; seed < 500; seed++) {
            assertThat(bodies(new SplittableRandom(seed))).isEqualTo("hello world, and again");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 two\r\n\r\n",
                "x\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffff\r\n"
            })
    void shouldSayThatItIsNoHttp(final String text) {
        final UnsafeBuffer buffer = new UnsafeBuffer(text.getBytes(StandardCharsets.US_ASCII));
        assertThatThrownBy(() -> new ResponseBody().read(buffer, 0, buffer.capacity()))
                .isInstanceOf(IOException.class)
                .hasMessage("its response is not HTTP");
    }

    @Test
    void shouldReportTheDetailOfAProblem() {
        final UnsafeBuffer buffer =
                new UnsafeBuffer(
                        "HTTP/1.1 400 Bad Request\r\n\r\n{\"title\":\"x\",\"detail\":\"That is wrong.\"}"
                                .getBytes(StandardCharsets.US_ASCII));
        assertThatThrownBy(() -> new ResponseBody().read(buffer, 0, buffer.capacity()))
                .isInstanceOf(IOException.class)
                .hasMessage("That is wrong.");
    }
}

package io.tickmark.engines.zeromq;

import static io.tickmark.transport.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import java.io.BufferedReader;
import java.io.IOException;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The same frames by ZeroMQ's own library, libzmq, which Python's pyzmq brings: what it hears of
 * us, what we hear of it, and an echo.
 */
@Timeout(180)
class ForeignMakeTest {
    private static final int LENGTH = 300;

    private final ZeromqTransport zeromq = new ZeromqTransport();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);

    /** A Python with the packages of config/test-python.txt. */
    @BeforeAll
    static void needPython() {
        assumeTrue(
                System.getenv("TICKMARK_TEST_PYTHON") != null,
                "no Python environment for counterparts: TICKMARK_TEST_PYTHON is not set");
    }

    private record Python(Process process, BufferedReader output) implements AutoCloseable {
        static Python start(final String script, final Object... arguments) throws IOException {
            final Process process =
                    new ProcessBuilder(
                                    System.getenv("TICKMARK_TEST_PYTHON"),
                                    "-c",
                                    "import zmq\ncontext = zmq.Context()\n"
                                            + script.formatted(arguments))
                            .redirectErrorStream(true)
                            .start();
            return new Python(process, process.inputReader());
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    private static int port(final ChannelUri channel) {
        return HostPort.of(channel).port();
    }

    @Test
    void shouldBeHeardMessageByMessageEachInOneFrame() throws IOException {
        try (Publication publication =
                        zeromq.publication(
                                ChannelUri.parse("zeromq://127.0.0.1:0"), Topic.DEFAULT);
                Python python =
                        Python.start(
                                """
                                hearing = context.socket(zmq.SUB)
                                hearing.subscribe(b'')
                                hearing.connect('tcp://127.0.0.1:%d')
                                for i in range(3):
                                    frames = hearing.recv_multipart()
                                    print(len(frames), len(frames[0]), frames[0][0], frames[0][-1], flush=True)
                                """,
                                port(publication.channel()))) {
            for (final int length : new int[] {1, 255, LENGTH}) {
                message.setMemory(0, LENGTH, (byte) length);
                until(() -> publication.offer(message, 0, length) > 0);
            }

            assertThat(python.output().readLine()).isEqualTo("1 1 1 1");
            assertThat(python.output().readLine()).isEqualTo("1 255 255 255");
            assertThat(python.output().readLine()).isEqualTo("1 300 44 44");
            until(() -> publication.offer(message, 0, LENGTH) == Publication.NOT_CONNECTED);
        }
    }

    @Test
    void shouldHearWhatAnotherMakePublishes() throws IOException {
        try (Python python =
                        Python.start(
                                """
                                out = context.socket(zmq.XPUB)
                                print(out.bind_to_random_port('tcp://127.0.0.1'), flush=True)
                                while out.recv() != b'\\x01':
                                    pass
                                for i in range(1000):
                                    out.send(bytes([i %% 256]) * (i + 1))
                                input()
                                """);
                Subscription subscription =
                        zeromq.subscription(
                                ChannelUri.parse(
                                        "zeromq://127.0.0.1:" + python.output().readLine()),
                                Topic.DEFAULT)) {
            final int[] heard = {0};
            until(() -> {
                subscription.poll(
                        (buffer, offset, length) -> {
                            assertThat(length).isEqualTo(heard[0] + 1);
                            assertThat(buffer.getByte(offset + length - 1))
                                    .isEqualTo((byte) heard[0]);
                            heard[0]++;
                        },
                        100);
                return heard[0] == 1000;
            });
            assertThat(subscription.isConnected()).isTrue();
        }
    }

    @Test
    void shouldHearTheAnswersOfAnotherMake() throws IOException {
        try (Exchange ours =
                        zeromq.exchange(
                                ChannelUri.parse("zeromq://127.0.0.1:0"),
                                Topic.DEFAULT,
                                ExchangeSide.BIND,
                                0);
                Python python =
                        Python.start(
                                """
                                back = context.socket(zmq.PUSH)
                                back.connect('tcp://127.0.0.1:%s')
                                hearing = context.socket(zmq.SUB)
                                hearing.subscribe(b'')
                                hearing.connect('tcp://127.0.0.1:%d')
                                while True:
                                    back.send(hearing.recv())
                                """,
                                ours.channel().parameters().get("replyPort"),
                                port(ours.channel()))) {
            final int[] echoed = {0};
            for (int i = 0; i < 100; i++) {
                message.putInt(0, i);
                until(() -> ours.publication().offer(message, 0, LENGTH) > 0);
                until(() ->
                        ours.subscription()
                                        .poll(
                                                (buffer, offset, length) ->
                                                        echoed[0] = buffer.getInt(offset),
                                                1)
                                == 1);
                assertThat(echoed[0]).isEqualTo(i);
            }
            assertThat(python.process().isAlive()).isTrue();
        }
    }
}

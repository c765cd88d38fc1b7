package io.tickmark.engines.dds;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Waiting;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The other end is a C program whose types were generated from the IDL in the docs. */
class CycloneProgramTest {
    /** Samples of a stranger, one in 5 ms. */
    private static final String FOR_MINUTES = "60000";

    @TempDir private Path folder;

    @BeforeEach
    void needTheLibrary() {
        CycloneNeeds.library();
    }

    @ParameterizedTest
    @CsvSource({"reliable, '?reliable'", "best-effort, ''"})
    void shouldBeEchoedByAProgramFromIdl(final String kind, final String parameters)
            throws Exception {
        final String domain = Integer.toString(OurEnd.domain());
        final Path program = CProgram.build(folder, "Message", "peer");
        // For the side that '--echo external' uses: the program reads tickmark, writes
        // tickmark_reply.
        try (Exchange exchange =
                        new DdsTransport()
                                .exchange(
                                        ChannelUri.parse("dds://" + domain + parameters),
                                        Topic.DEFAULT,
                                        new DdsTransport().sideTowardsForeignEcho(),
                                        1);
                CProgram echo = CProgram.start(program, domain, kind, "echo")) {
            Waiting.until(
                    "both directions matched",
                    () ->
                            exchange.publication().subscriberCount() > 0
                                    && exchange.subscription().isConnected());
            OurEnd.sendUntilEchoed(exchange, 200, kind.equals("reliable"));
            assertThat(echo.isAlive()).isTrue();
        }
    }

    @ParameterizedTest
    // Best-effort messages written before our reader has discovered the writer are lost, and it may
    // discover it late.
    @CsvSource({"reliable, '?reliable', 300, 300", "best-effort, '', 60000, 250"})
    void shouldReceiveWhatAProgramFromIdlWrites(
            final String kind, final String parameters, final String written, final int wanted)
            throws Exception {
        final String domain = Integer.toString(OurEnd.domain());
        final Path program = CProgram.build(folder, "Message", "peer");
        try (Subscription subscription = subscription(domain, parameters);
                CProgram _ = CProgram.start(program, domain, kind, "write", written)) {
            OurEnd.receive(subscription, wanted);
        }
    }

    @Test
    void shouldNotMatchAWriterOfAnotherType() throws Exception {
        final String domain = Integer.toString(OurEnd.domain());
        final Path program =
                CProgram.build(
                        folder,
                        "Other",
                        "stranger",
                        "-DSTRANGER_HEADER=\"Other.h\"",
                        "-DSTRANGER_TYPE=tickmark_Other",
                        "-DSTRANGER_DESCRIPTOR=tickmark_Other_desc");
        shouldGoOnBeside(
                program, domain, "is on this topic with type tickmark::Other and cannot be");
    }

    @Test
    void shouldDropWhatAWriterOfTheSameNameGarbles() throws Exception {
        final String domain = Integer.toString(OurEnd.domain());
        final Path program =
                CProgram.build(
                        folder,
                        "Garbage",
                        "stranger",
                        "-DSTRANGER_HEADER=\"Garbage.h\"",
                        "-DSTRANGER_TYPE=tickmark_Message",
                        "-DSTRANGER_DESCRIPTOR=tickmark_Message_desc");
        shouldGoOnBeside(
                program,
                domain,
                "sent (1 sample that claims to be tickmark::Message and is not; it was dropped"
                        + "|(?!1 )\\d+ samples that claim to be tickmark::Message and are not; they were dropped)[.]");
    }

    /**
     * A foreign program writes; our own messages are still received, none of its messages is, and
     * it is reported.
     */
    private void shouldGoOnBeside(final Path program, final String domain, final String words)
            throws Exception {
        final Path peer = CProgram.build(folder, "Message", "peer");
        final ChannelUri channel = ChannelUri.parse("dds://" + domain + "?reliable");
        try (Exchange exchange =
                new DdsTransport().exchange(channel, Topic.DEFAULT, ExchangeSide.CONNECT, 1)) {
            assertThat(exchange.note()).isEmpty();
            try (CProgram stranger = CProgram.start(program, domain, FOR_MINUTES);
                    CProgram _ = CProgram.start(peer, domain, "reliable", "write", "100")) {
                final AtomicReference<String> note = new AtomicReference<>();
                Waiting.until(
                        "the stranger is told of",
                        () -> {
                            exchange.note().ifPresent(note::set);
                            return note.get() != null;
                        });
                assertThat(note.get()).startsWith("Another DDS").containsPattern(words);
                OurEnd.receive(exchange.subscription(), 100);
                TimeUnit.SECONDS.sleep(1); // in which it writes on
                assertThat(stranger.isAlive()).isTrue();
            }
            assertThat(exchange.subscription().poll((buffer, offset, length) -> {}, 1000)).isZero();
        }
    }

    @Test
    void shouldNotMindGarbageOnItsPorts() throws Exception {
        final int domain = OurEnd.domain();
        final Path program = CProgram.build(folder, "Message", "peer");
        try (Subscription subscription = subscription(Integer.toString(domain), "?reliable");
                DatagramSocket socket = new DatagramSocket()) {
            final Random random = new Random(domain);
            for (int i = 0; i < 5000; i++) {
                final byte[] bytes = new byte[random.nextInt(1, 500)];
                random.nextBytes(bytes);
                if (i % 2 == 0 && bytes.length > 4) {
                    System.arraycopy(new byte[] {'R', 'T', 'P', 'S', 2}, 0, bytes, 0, 5);
                }
                final int port = 7400 + 250 * domain + 10 + random.nextInt(4);
                socket.send(
                        new DatagramPacket(
                                bytes, bytes.length, InetAddress.getLoopbackAddress(), port));
            }
            try (CProgram _ =
                    CProgram.start(program, Integer.toString(domain), "reliable", "write", "50")) {
                OurEnd.receive(subscription, 50);
            }
        }
    }

    private static Subscription subscription(final String domain, final String parameters) {
        return new DdsTransport()
                .subscription(ChannelUri.parse("dds://" + domain + parameters), Topic.DEFAULT);
    }
}

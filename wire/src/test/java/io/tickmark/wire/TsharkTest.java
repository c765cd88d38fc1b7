package io.tickmark.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tickmark.kernel.settings.Settings;
import io.tickmark.wire.capture.Tcpdump;
import io.tickmark.wire.capture.TcpdumpOptions;
import io.tickmark.wire.fix.FixText;
import io.tickmark.wire.match.FixSide;
import io.tickmark.wire.tcp.TcpCounts;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Counts of a real capture, and of what can become of one, beside those of tshark. */
class TsharkTest {
    private static final int MESSAGES = 400;

    @TempDir static Path folder;

    private static Path tshark;
    private static Pcap good;
    private static int port;

    @BeforeAll
    static void capture() throws IOException {
        WireNeeds.tcpdump(folder);
        tshark = WireNeeds.tshark();
        final Path file = folder.resolve("good.pcap");
        port = capture("lo", InetAddress.getLoopbackAddress(), file);
        good = Pcap.read(file);
    }

    /** The port of the gateway. */
    private static int capture(final String device, final InetAddress address, final Path file)
            throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, address)) {
            final int ofGateway = server.getLocalPort();
            try (Tcpdump tcpdump =
                    Tcpdump.start(new TcpdumpOptions(device, "tcp port " + ofGateway, 8), file)) {
                exchange(server);
                tcpdump.stop();
            }
            return ofGateway;
        }
    }

    /** Messages one by one and several at a time, whole and in pieces, both ways. */
    private static void exchange(final ServerSocket server) throws IOException {
        final Random random = new Random(1);
        try (Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket gateway = server.accept()) {
            client.setTcpNoDelay(true);
            gateway.setTcpNoDelay(true);
            for (int i = 0; i < MESSAGES; i++) {
                final byte[] there =
                        FixText.bytes(
                                FixText.message(
                                        "35=D|49=C|56=G|34=%d|11=%d|58=%s|"
                                                .formatted(
                                                        i + 1,
                                                        i,
                                                        "x".repeat(random.nextInt(900)))));
                final byte[] back =
                        FixText.bytes(
                                FixText.message("35=8|49=G|56=C|34=%d|11=%d|".formatted(i + 1, i)));
                final int cut = i % 3 == 0 ? random.nextInt(there.length) : there.length;
                send(client.getOutputStream(), there, cut);
                receive(gateway.getInputStream(), there.length);
                send(gateway.getOutputStream(), back, back.length);
                receive(client.getInputStream(), back.length);
            }
        }
    }

    private static void send(final OutputStream to, final byte[] bytes, final int cut)
            throws IOException {
        to.write(bytes, 0, cut);
        to.flush();
        to.write(bytes, cut, bytes.length - cut);
        to.flush();
    }

    private static void receive(final InputStream from, final int length) throws IOException {
        assertThat(from.readNBytes(length)).hasSize(length);
    }

    @Test
    void shouldCountAsTsharkDoesInAGoodCapture() throws Exception {
        final WireResult wire = compare("good", pcap -> pcap);

        assertThat(wire.fix().orElseThrow().counts().matched()).isEqualTo(MESSAGES);
    }

    /** Of Linux cooked captures, too, where no packet may be taken for a copy of another. */
    @ParameterizedTest
    @CsvSource({"lo, ::1", "any, 127.0.0.1", "any, ::1"})
    void shouldCountAsTsharkDoesOverIpv6AndOnAllDevices(final String device, final String host)
            throws Exception {
        final InetAddress address = InetAddress.getByName(host);
        assumeTrue(NetworkInterface.getByInetAddress(address) != null, "no IPv6 here");
        final Path file = folder.resolve("other.pcap");
        final int ofGateway = capture(device, address, file);
        final WireResult wire = compare(file, ofGateway);

        assertThat(wire.packets().copies()).isZero();
        assertThat(wire.tcp().counts().holes()).isZero();
        assertThat(wire.fix().orElseThrow().counts().matched()).isEqualTo(MESSAGES);
    }

    @Test
    void shouldCountAsTsharkDoesWherePacketsCameTwice() throws Exception {
        final WireResult wire =
                compare(
                        "twice",
                        pcap ->
                                changed(
                                        pcap,
                                        (frames, i) -> {
                                            frames.add(pcap.frames().get(i));
                                            if (i % 10 == 0) {
                                                frames.add(pcap.frames().get(i));
                                            }
                                        }));

        assertThat(wire.tcp().counts().retransmissions()).isPositive();
        assertThat(wire.fix().orElseThrow().counts().matched()).isEqualTo(MESSAGES);
    }

    @Test
    void shouldCountAsTsharkDoesWherePacketsAreReordered() throws Exception {
        final WireResult wire = compare("reordered", TsharkTest::reordered);

        assertThat(wire.tcp().counts().outOfOrder()).isPositive();
        assertThat(wire.tcp().counts().holes()).isZero();
        assertThat(wire.fix().orElseThrow().counts().in()).isEqualTo(MESSAGES);
    }

    @Test
    void shouldCountAsTsharkDoesWhereTheFileIsCutOff() throws Exception {
        final Path file =
                changed(
                                good,
                                (frames, i) -> {
                                    if (i < good.frames().size() * 2 / 3) {
                                        frames.add(good.frames().get(i));
                                    }
                                })
                        .write(folder.resolve("cut.pcap"));
        final byte[] bytes = Files.readAllBytes(file);
        Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length - 5));

        assertThat(compare(file).ending().orElseThrow().sentence())
                .contains("the file ends in the middle of a packet");
    }

    @Test
    void shouldCountPacketsAsTsharkDoesWhereTheyAreLostAndResumeBehindEachHole() throws Exception {
        final int[] lost = {0};
        final WireResult wire =
                read(
                        changed(
                                        good,
                                        (frames, i) -> {
                                            if (i > 10 && i % 50 == 7 && isData(good, i)) {
                                                lost[0]++;
                                            } else {
                                                frames.add(good.frames().get(i));
                                            }
                                        })
                                .write(folder.resolve("lost.pcap")));
        final TcpCounts tcp = wire.tcp().counts();
        final Dissected dissected = Dissected.of(folder.resolve("lost.pcap"), port);

        assertThat(lost[0]).isPositive();
        assertThat(tcp.packets()).isEqualTo(dissected.count(Packet::isTcp));
        assertThat(tcp.segments()).isEqualTo(dissected.count(Packet::isData));
        assertThat(tcp.retransmissions()).isEqualTo(dissected.count(Packet::isRetransmittedData));
        // where the acknowledgement comes before the next data, tshark marks it instead of the data
        final long seenByData =
                dissected.count(packet -> packet.isData() && packet.has(LOST_SEGMENT));
        final long seenByAcknowledgement =
                dissected.count(packet -> packet.has(ACK_OF_LOST_SEGMENT));
        assertThat(tcp.holes()).isBetween(seenByData, seenByData + seenByAcknowledgement);
        // no message is lost but those that a lost packet carried a part of
        assertThat(wire.fix().orElseThrow().counts().in())
                .isBetween((long) MESSAGES - lost[0], (long) MESSAGES);
    }

    @Test
    void shouldCountPacketsAsTsharkDoesWhereTheyAreCutOff() throws Exception {
        final Path file =
                changed(good, (frames, i) -> frames.add(good.frames().get(i).cutTo(300)))
                        .write(folder.resolve("snap.pcap"));
        final WireResult wire = read(file);
        final Dissected dissected = Dissected.of(file, port);

        assertThat(wire.packets().truncated())
                .isPositive()
                .isEqualTo(dissected.count(Packet::isCut));
        assertThat(wire.tcp().counts().segments()).isEqualTo(dissected.count(Packet::isData));
        assertThat(wire.fix().orElseThrow().counts().out())
                .as("the short ones are whole")
                .isEqualTo(MESSAGES);
    }

    /** What is done with a packet of a capture. */
    private interface Change {
        void apply(List<Pcap.Frame> frames, int index);
    }

    private static Pcap changed(final Pcap pcap, final Change change) {
        final List<Pcap.Frame> frames = new ArrayList<>();
        for (int i = 0; i < pcap.frames().size(); i++) {
            change.apply(frames, i);
        }
        final Pcap changed = Pcap.nano();
        changed.frames().addAll(frames);
        return changed;
    }

    /**
     * Two data packets of one direction in a row, swapped: pieces of a message. The late one comes
     * at once, as tshark takes one that comes later for a retransmission.
     */
    private static Pcap reordered(final Pcap pcap) {
        final List<Pcap.Frame> frames = new ArrayList<>(pcap.frames());
        for (int i = 0; i + 1 < frames.size(); i++) {
            if (isData(pcap, i) && isData(pcap, i + 1) && isSameWay(frames, i)) {
                final Pcap.Frame first = frames.get(i);
                final Pcap.Frame second = frames.get(i + 1);
                frames.set(i, new Pcap.Frame(first.timeNs(), second.bytes()));
                frames.set(i + 1, new Pcap.Frame(first.timeNs() + 1, first.bytes()));
                i++;
            }
        }
        final Pcap changed = Pcap.nano();
        changed.frames().addAll(frames);
        return changed;
    }

    private static boolean isData(final Pcap pcap, final int index) {
        final byte[] bytes = pcap.frames().get(index).bytes();
        return bytes.length > 14 + 20 + (bytes[14 + 20 + 12] >> 4 & 0xf) * 4;
    }

    private static boolean isSameWay(final List<Pcap.Frame> frames, final int index) {
        return frames.get(index).bytes()[14 + 20] == frames.get(index + 1).bytes()[14 + 20]
                && frames.get(index).bytes()[14 + 21] == frames.get(index + 1).bytes()[14 + 21];
    }

    private static WireResult compare(final String name, final UnaryOperator<Pcap> change)
            throws Exception {
        return compare(change.apply(good).write(folder.resolve(name + "-copy.pcap")));
    }

    private static WireResult compare(final Path file) throws Exception {
        return compare(file, port);
    }

    private static WireResult compare(final Path file, final int port) throws Exception {
        final WireResult wire = read(file, port);
        final TcpCounts tcp = wire.tcp().counts();
        final Dissected dissected = Dissected.of(file, port);

        assertThat(wire.packets().packets()).as("packets").isEqualTo(dissected.packets().size());
        assertThat(tcp.packets()).as("tcp").isEqualTo(dissected.count(Packet::isTcp));
        assertThat(tcp.segments()).as("segments").isEqualTo(dissected.count(Packet::isData));
        assertThat(tcp.retransmissions())
                .as("retransmissions")
                .isEqualTo(dissected.count(Packet::isRetransmittedData));
        assertThat(wire.fix().orElseThrow().counts().messages(FixSide.IN))
                .as("messages in")
                .isEqualTo(dissected.messages(DESTINATION, port));
        assertThat(wire.fix().orElseThrow().counts().messages(FixSide.OUT))
                .as("messages out")
                .isEqualTo(dissected.messages(SOURCE, port));
        return wire;
    }

    private static WireResult read(final Path file) {
        return read(file, port);
    }

    private static WireResult read(final Path file, final int port) {
        final WireSettings settings =
                Settings.read(
                        WireSettings.class,
                        Map.of("inPort", port, "outPort", port, "skip", 0, "idTags", "11"),
                        key -> key);
        return new WireReader(settings, WireContext.NONE, () -> false).read(file);
    }

    private static final String CAPTURED_LENGTH = "frame.cap_len";
    private static final String LENGTH = "frame.len";
    private static final String SOURCE = "tcp.srcport";
    private static final String DESTINATION = "tcp.dstport";
    private static final String DATA_LENGTH = "tcp.len";
    private static final String RETRANSMISSION = "tcp.analysis.retransmission";
    private static final String LOST_SEGMENT = "tcp.analysis.lost_segment";
    private static final String ACK_OF_LOST_SEGMENT = "tcp.analysis.ack_lost_segment";
    private static final String MESSAGE_TYPES = "fix.MsgType";
    private static final List<String> FIELDS =
            List.of(
                    CAPTURED_LENGTH,
                    LENGTH,
                    SOURCE,
                    DESTINATION,
                    DATA_LENGTH,
                    RETRANSMISSION,
                    LOST_SEGMENT,
                    ACK_OF_LOST_SEGMENT,
                    MESSAGE_TYPES);

    /** One packet; a field that it does not have is empty, a mark is 1. */
    private record Packet(List<String> values) {
        private String value(final String field) {
            return values.get(FIELDS.indexOf(field));
        }

        boolean has(final String field) {
            return !value(field).isEmpty();
        }

        private boolean is(final String field, final int number) {
            return has(field) && Integer.parseInt(value(field)) == number;
        }

        boolean isTcp() {
            return has(SOURCE);
        }

        boolean isData() {
            return has(DATA_LENGTH) && !is(DATA_LENGTH, 0);
        }

        boolean isRetransmittedData() {
            return isData() && has(RETRANSMISSION);
        }

        boolean isCut() {
            return Integer.parseInt(value(CAPTURED_LENGTH)) < Integer.parseInt(value(LENGTH));
        }

        int messages() {
            return has(MESSAGE_TYPES) ? value(MESSAGE_TYPES).split(",").length : 0;
        }
    }

    /** What tshark says of a capture; all at once, because most of its time is its start. */
    private record Dissected(List<Packet> packets) {
        static Dissected of(final Path file, final int port) throws Exception {
            final List<String> command =
                    new ArrayList<>(
                            List.of(
                                    tshark.toString(),
                                    "-r",
                                    file.toString(),
                                    "-n",
                                    "-o",
                                    "tcp.reassemble_out_of_order:TRUE",
                                    "-d",
                                    "tcp.port==" + port + ",fix",
                                    "-T",
                                    "fields"));
            for (final String field : FIELDS) {
                command.add("-e");
                command.add(field);
            }
            final Process process =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            final String out =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return new Dissected(
                    out.lines().map(line -> new Packet(List.of(line.split("\t", -1)))).toList());
        }

        long count(final Predicate<Packet> wanted) {
            return packets.stream().filter(wanted).count();
        }

        long messages(final String end, final int port) {
            return packets.stream()
                    .filter(packet -> packet.is(end, port))
                    .mapToLong(Packet::messages)
                    .sum();
        }
    }
}

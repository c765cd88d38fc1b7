package io.tickmark.bench.wire;

import io.tickmark.kernel.settings.Settings;
import io.tickmark.wire.WireContext;
import io.tickmark.wire.WireReader;
import io.tickmark.wire.WireResult;
import io.tickmark.wire.WireSettings;
import io.tickmark.wire.capture.CaptureCounts;
import io.tickmark.wire.capture.Tcpdump;
import io.tickmark.wire.capture.TcpdumpOptions;
import io.tickmark.wire.fix.FixChecksum;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reads a capture again and again in one JVM and prints the median rate of the passes after the
 * first, the rate of the first, and the most memory the process had. {@code make FILE PACKETS}
 * makes a clean one, {@code capture FILE MESSAGES} one of the loopback device.
 */
public final class ReadCapture {
    /** Shorter than the captures: as much is outstanding in a long one as in a short one. */
    private static final String WINDOW = "1s";

    private ReadCapture() {}

    /**
     * Reads, makes or captures.
     *
     * @param args {@code FILE PASSES IN_PORT OUT_PORT}, {@code make FILE PACKETS}, or {@code
     *     capture FILE MESSAGES}
     * @throws Exception if a file cannot be read or written, there is no tcpdump, or a socket
     *     breaks
     */
    public static void main(final String... args) throws Exception {
        switch (args[0]) {
            case "make" -> SyntheticCapture.write(Path.of(args[1]), Long.parseLong(args[2]));
            case "capture" -> LoopbackFanOut.capture(Path.of(args[1]), Integer.parseInt(args[2]));
            default -> read(args);
        }
    }

    private static void read(final String... args) throws IOException {
        final WireSettings settings =
                Settings.read(
                        WireSettings.class,
                        Map.of(
                                "skip",
                                "0",
                                "inPort",
                                args[2],
                                "outPort",
                                args[3],
                                "matchWindow",
                                WINDOW),
                        key -> key);
        final NanoClock clock = SystemNanoClock.INSTANCE;
        final double[] rates = new double[Integer.parseInt(args[1])];
        long matched = 0;
        for (int pass = 0; pass < rates.length; pass++) {
            final long beginNs = clock.nanoTime();
            final WireResult result =
                    new WireReader(settings, WireContext.NONE, () -> false).read(Path.of(args[0]));
            rates[pass] = result.packets().packets() * 1e9 / (clock.nanoTime() - beginNs);
            matched = result.fix().orElseThrow().counts().matched();
        }
        final double first = rates[0];
        final double[] later = Arrays.copyOfRange(rates, 1, rates.length);
        Arrays.sort(later);
        System.out.printf(
                java.util.Locale.ROOT,
                "tool=read_capture packets_per_s=%.0f first_pass_per_s=%.0f matched=%d resident_bytes=%d%n",
                later[later.length / 2],
                first,
                matched,
                residentBytes());
    }

    /** The most the process had in memory (proc(5), VmHWM). */
    private static long residentBytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                .findFirst()
                .orElse(0);
    }

    /**
     * A clean capture of a fan-out: five producers, twenty consumers, each message and each copy in
     * a separate packet, an acknowledgement for every second one; nothing lost, nothing out of
     * order.
     */
    private static final class SyntheticCapture {
        private static final int PRODUCERS = 5;
        private static final int CONSUMERS = 20;
        private static final int IN_PORT = 3000;
        private static final int OUT_PORT = 3001;
        private static final int FIRST_CLIENT_PORT = 40_000;
        private static final int GATEWAY = 0x7f000001;
        private static final int HEADERS = 14 + 20 + 32;
        private static final long BEGIN_NS = 1_795_000_000_000_000_000L;
        private static final long MESSAGE_NS = 50_000;
        private static final long COPY_NS = 1_000;
        private static final int ACK = 16;
        private static final int PUSH = 8;

        private final OutputStream out;
        private final byte[] bytes = new byte[1 << 10];
        private final ByteBuffer packet = ByteBuffer.wrap(bytes);
        private final ByteBuffer record = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        private final int[] sequences = new int[1 << 16];
        private long packets;

        private SyntheticCapture(final OutputStream out) {
            this.out = out;
        }

        /** Writes at least so many packets. */
        static void write(final Path file, final long packets) throws IOException {
            try (OutputStream out =
                    new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
                out.write(
                        ByteBuffer.allocate(24)
                                .order(ByteOrder.LITTLE_ENDIAN)
                                .putInt(0xa1b23c4d)
                                .putShort((short) 2)
                                .putShort((short) 4)
                                .putInt(0)
                                .putInt(0)
                                .putInt(262_144)
                                .putInt(1)
                                .array());
                final SyntheticCapture capture = new SyntheticCapture(out);
                for (int message = 0; capture.packets < packets; message++) {
                    capture.fanOut(message);
                }
            }
        }

        private void fanOut(final int message) throws IOException {
            final long inNs = BEGIN_NS + message * MESSAGE_NS;
            final int producer = FIRST_CLIENT_PORT + message % PRODUCERS;
            data(inNs, producer, IN_PORT, "P" + message % PRODUCERS, "GATEWAY", message);
            acknowledge(inNs, IN_PORT, producer);
            for (int i = 0; i < CONSUMERS; i++) {
                final long outNs = inNs + (i + 10) * COPY_NS;
                final int consumer = FIRST_CLIENT_PORT + 100 + i;
                data(outNs, OUT_PORT, consumer, "GATEWAY", "C" + i, message);
                if ((message + i) % 2 == 0) {
                    acknowledge(outNs, consumer, OUT_PORT);
                }
            }
        }

        private void data(
                final long timeNs,
                final int from,
                final int to,
                final String sender,
                final String target,
                final int message)
                throws IOException {
            final byte[] payload = fix(sender, target, message);
            System.arraycopy(payload, 0, bytes, HEADERS, payload.length);
            send(timeNs, from, to, ACK | PUSH, payload.length);
            sequences[from ^ to] += payload.length;
        }

        private void acknowledge(final long timeNs, final int from, final int to)
                throws IOException {
            send(timeNs, from, to, ACK, 0);
        }

        /** Ports of data in one direction only, so that their exclusive or tells the connection. */
        private void send(
                final long timeNs, final int from, final int to, final int flags, final int length)
                throws IOException {
            final boolean isData = length > 0;
            packet.clear();
            packet.put(new byte[12]).putShort((short) 0x0800);
            packet.putShort((short) 0x4500).putShort((short) (52 + length));
            packet.putShort((short) packets).putShort((short) 0x4000);
            packet.putShort((short) 0x4006).putShort((short) 0).putInt(GATEWAY).putInt(GATEWAY);
            packet.putShort((short) from).putShort((short) to);
            packet.putInt(isData ? sequences[from ^ to] : 1);
            packet.putInt(isData ? 1 : sequences[from ^ to]);
            packet.putShort((short) (0x8000 | flags)).putShort((short) 512).putInt(0);
            packet.putInt(0x0101080a).putInt((int) (timeNs / 1_000_000)).putInt(0);
            final int bytesOfPacket = HEADERS + length;
            record.clear();
            record.putInt((int) (timeNs / 1_000_000_000L)).putInt((int) (timeNs % 1_000_000_000L));
            record.putInt(bytesOfPacket).putInt(bytesOfPacket);
            out.write(record.array());
            out.write(bytes, 0, bytesOfPacket);
            packets++;
        }

        static byte[] fix(final String sender, final String target, final int message) {
            final String body =
                    ("35=W|49=%s|56=%s|34=%d|52=20261120-09:30:00.123|9700=Y|9703=%d|262=1|55=EURUSD|268=2"
                                    + "|269=0|270=1.%05d|271=1000000|269=1|270=1.%05d|271=1000000|")
                            .formatted(
                                    sender,
                                    target,
                                    message + 2,
                                    message,
                                    message % 90_000,
                                    message % 90_000 + 7);
            final byte[] head =
                    "8=FIX.4.4|9=%d|%s"
                            .formatted(body.length(), body)
                            .replace('|', '\u0001')
                            .getBytes(StandardCharsets.US_ASCII);
            final int sum = FixChecksum.of(new UnsafeBuffer(head), 0, head.length);
            final byte[] tail =
                    String.format(Locale.ROOT, "10=%03d\u0001", sum)
                            .getBytes(StandardCharsets.US_ASCII);
            final byte[] all = java.util.Arrays.copyOf(head, head.length + tail.length);
            System.arraycopy(tail, 0, all, head.length, tail.length);
            return all;
        }
    }

    /**
     * Captures a real fan-out on the loopback device: messages over a socket, copies over twenty,
     * one write each. What it sends is FIX, that it is no gateway does not matter to a capture.
     */
    private static final class LoopbackFanOut {
        private static final int CONSUMERS = 20;
        private static final long PAUSE_NS = 100_000;
        private static final int READ_BYTES = 1 << 16;

        private LoopbackFanOut() {}

        static void capture(final Path file, final int messages) throws Exception {
            try (ServerSocket in =
                            new ServerSocket(0, CONSUMERS, InetAddress.getLoopbackAddress());
                    ServerSocket out =
                            new ServerSocket(0, CONSUMERS, InetAddress.getLoopbackAddress());
                    Tcpdump tcpdump =
                            Tcpdump.start(
                                    new TcpdumpOptions(
                                            "lo",
                                            "tcp port %d or tcp port %d"
                                                    .formatted(
                                                            in.getLocalPort(), out.getLocalPort()),
                                            512),
                                    file)) {
                fanOut(in, out, messages);
                final CaptureCounts counts = tcpdump.stop();
                System.out.printf(
                        "tool=loopback_fan_out in_port=%d out_port=%d captured=%d dropped=%d%n",
                        in.getLocalPort(), out.getLocalPort(), counts.captured(), counts.dropped());
            }
        }

        private static void fanOut(
                final ServerSocket in, final ServerSocket out, final int messages)
                throws Exception {
            final List<Socket> consumers = new ArrayList<>();
            final List<Socket> copies = new ArrayList<>();
            final List<Thread> readers = new ArrayList<>();
            try (Socket producer = new Socket(in.getInetAddress(), in.getLocalPort());
                    Socket gateway = in.accept()) {
                producer.setTcpNoDelay(true);
                for (int i = 0; i < CONSUMERS; i++) {
                    final Socket consumer = new Socket(out.getInetAddress(), out.getLocalPort());
                    consumers.add(consumer);
                    copies.add(out.accept());
                    copies.getLast().setTcpNoDelay(true);
                    readers.add(Thread.ofVirtual().start(() -> drain(consumer)));
                }
                final InputStream from =
                        new BufferedInputStream(gateway.getInputStream(), READ_BYTES);
                for (int message = 0; message < messages; message++) {
                    LockSupport.parkNanos(PAUSE_NS); // or TCP would put many copies into one packet
                    final byte[] bytes = SyntheticCapture.fix("P", "GATEWAY", message);
                    producer.getOutputStream().write(bytes);
                    from.readNBytes(bytes.length);
                    for (int i = 0; i < CONSUMERS; i++) {
                        final OutputStream to = copies.get(i).getOutputStream();
                        to.write(SyntheticCapture.fix("GATEWAY", "C" + i, message));
                    }
                }
                for (final Socket copy : copies) {
                    copy.close();
                }
                for (final Thread reader : readers) {
                    reader.join();
                }
            } finally {
                for (final Socket consumer : consumers) {
                    consumer.close();
                }
            }
        }

        private static void drain(final Socket consumer) {
            final byte[] bytes = new byte[READ_BYTES];
            try {
                while (consumer.getInputStream().read(bytes) >= 0) {
                    Thread.onSpinWait();
                }
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}

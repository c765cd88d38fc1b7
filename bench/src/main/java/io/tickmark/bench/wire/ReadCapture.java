package io.tickmark.bench.wire;

import io.tickmark.kernel.settings.Settings;
import io.tickmark.wire.WireContext;
import io.tickmark.wire.WireReader;
import io.tickmark.wire.WireResult;
import io.tickmark.wire.WireSettings;
import io.tickmark.wire.fix.FixChecksum;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reads a capture again and again in one JVM and prints the median rate of the passes after the
 * first, the rate of the first, and the most memory the process had. {@code make FILE PACKETS}
 * makes a clean one.
 */
public final class ReadCapture {
    /** Shorter than the captures: as much is outstanding in a long one as in a short one. */
    private static final String WINDOW = "1s";

    private ReadCapture() {}

    /**
     * Reads, or makes.
     *
     * @param args {@code FILE PASSES IN_PORT OUT_PORT}, or {@code make FILE PACKETS}
     * @throws IOException if a file cannot be read or written
     */
    public static void main(final String... args) throws IOException {
        if (args[0].equals("make")) {
            SyntheticCapture.write(Path.of(args[1]), Long.parseLong(args[2]));
            return;
        }
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
    static final class SyntheticCapture {
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
}

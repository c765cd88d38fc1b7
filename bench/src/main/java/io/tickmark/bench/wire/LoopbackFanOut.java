package io.tickmark.bench.wire;

import io.tickmark.wire.capture.CaptureCounts;
import io.tickmark.wire.capture.Tcpdump;
import io.tickmark.wire.capture.TcpdumpOptions;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Captures a real fan-out on the loopback device: messages over a socket, copies over twenty, one
 * write each. What it sends is FIX, that it is no gateway does not matter to a capture.
 */
public final class LoopbackFanOut {
    private static final int CONSUMERS = 20;
    private static final long PAUSE_NS = 100_000;
    private static final int READ_BYTES = 1 << 16;

    private LoopbackFanOut() {}

    /**
     * Captures.
     *
     * @param args {@code FILE MESSAGES}
     * @throws Exception if there is no tcpdump, or a socket breaks
     */
    public static void main(final String... args) throws Exception {
        final int messages = Integer.parseInt(args[1]);
        try (ServerSocket in = new ServerSocket(0, CONSUMERS, InetAddress.getLoopbackAddress());
                ServerSocket out =
                        new ServerSocket(0, CONSUMERS, InetAddress.getLoopbackAddress());
                Tcpdump tcpdump =
                        Tcpdump.start(
                                new TcpdumpOptions(
                                        "lo",
                                        "tcp port %d or tcp port %d"
                                                .formatted(in.getLocalPort(), out.getLocalPort()),
                                        512),
                                Path.of(args[0]))) {
            fanOut(in, out, messages);
            final CaptureCounts counts = tcpdump.stop();
            System.out.printf(
                    "tool=loopback_fan_out in_port=%d out_port=%d captured=%d dropped=%d%n",
                    in.getLocalPort(), out.getLocalPort(), counts.captured(), counts.dropped());
        }
    }

    private static void fanOut(final ServerSocket in, final ServerSocket out, final int messages)
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
            final InputStream from = new BufferedInputStream(gateway.getInputStream(), READ_BYTES);
            for (int message = 0; message < messages; message++) {
                LockSupport.parkNanos(PAUSE_NS); // or TCP would put many copies into one packet
                final byte[] bytes = ReadCapture.SyntheticCapture.fix("P", "GATEWAY", message);
                producer.getOutputStream().write(bytes);
                from.readNBytes(bytes.length);
                for (int i = 0; i < CONSUMERS; i++) {
                    final OutputStream to = copies.get(i).getOutputStream();
                    to.write(ReadCapture.SyntheticCapture.fix("GATEWAY", "C" + i, message));
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
            throw new java.io.UncheckedIOException(e);
        }
    }
}

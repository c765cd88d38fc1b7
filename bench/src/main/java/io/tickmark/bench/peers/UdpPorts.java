package io.tickmark.bench.peers;

import io.tickmark.bench.contest.NotMeasured;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Ports for peers that cannot choose one, and whether somebody listens there. */
final class UdpPorts {
    private static final Path SOCKETS = Path.of("/proc/net/udp");
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private UdpPorts() {}

    /** A port that is free now. */
    static int free() {
        try (DatagramSocket socket =
                new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            return socket.getLocalPort();
        } catch (final IOException e) {
            throw new NotMeasured("no UDP port is free: " + e.getMessage() + ".", e);
        }
    }

    /** Waits until the child has bound the port, so that nothing is sent into the void. */
    static void awaitBound(final int port, final Child child) {
        final long looks = PATIENCE.toNanos() / LOOK_NS;
        for (long look = 0; look < looks && child.isAlive(); look++) {
            if (isBound(port)) {
                return;
            }
            LockSupport.parkNanos(LOOK_NS);
        }
        throw new NotMeasured("no program listened at UDP port " + port + ".");
    }

    private static boolean isBound(final int port) {
        try (Stream<String> lines = Files.lines(SOCKETS)) {
            return lines.anyMatch(line -> isBoundTo(line, port));
        } catch (final IOException e) {
            throw new NotMeasured(SOCKETS + " cannot be read: " + e.getMessage() + ".", e);
        }
    }

    /** Lines look like {@code 42: 0100007F:464F 00000000:0000 07 ...}: hexadecimal. */
    static boolean isBoundTo(final String line, final int port) {
        final String[] words = line.strip().split("\\s+");
        return words.length > 1 && words[1].endsWith(":%04X".formatted(port));
    }
}

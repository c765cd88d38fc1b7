package io.tickmark.kernel.host;

import java.io.IOException;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports for programs and libraries that cannot choose their own. A port chosen by the system may be
 * assigned to another process's next connection before it is used; the ports chosen here are below
 * the ephemeral range (from 32768 on Linux, from 49152 after RFC 6335), start at a number that
 * differs from process to process, and are not reused by a process for a long time. Any thread.
 */
public final class FreePort {
    private static final int FIRST = 10_000;
    private static final int COUNT = 22_000;
    private static final AtomicInteger NEXT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(COUNT));

    private FreePort() {}

    /** Binds a port, and releases it. */
    @FunctionalInterface
    private interface Probe {
        void bind(InetSocketAddress address) throws IOException;
    }

    /**
     * A TCP port without a listener at present.
     *
     * @param address of an interface of this host
     * @return its number
     * @throws IOException if the address does not belong to this host, or all ports are taken
     */
    public static int tcp(final InetAddress address) throws IOException {
        return of(
                address,
                at -> {
                    try (ServerSocket probe = new ServerSocket()) {
                        probe.bind(at);
                    }
                });
    }

    /**
     * A TCP port without a listener at present, at any address of this host.
     *
     * @return its number
     * @throws IOException if all ports are taken
     */
    public static int tcp() throws IOException {
        return tcp(new InetSocketAddress(0).getAddress());
    }

    /**
     * A UDP port that is not bound at present.
     *
     * @param address of an interface of this host
     * @return its number
     * @throws IOException if the address does not belong to this host, or all ports are taken
     */
    public static int udp(final InetAddress address) throws IOException {
        return of(address, at -> new DatagramSocket(at).close());
    }

    private static int of(final InetAddress address, final Probe probe) throws IOException {
        probe.bind(new InetSocketAddress(address, 0)); // whether the address can be bound at all
        for (int tries = 0; tries < COUNT; tries++) {
            final int port = FIRST + Math.floorMod(NEXT.getAndIncrement(), COUNT);
            try {
                probe.bind(new InetSocketAddress(address, port));
                return port;
            } catch (final BindException e) {
                continue; // in use
            }
        }
        throw new BindException(
                "all ports from %d to %d are taken".formatted(FIRST, FIRST + COUNT - 1));
    }
}

package io.tickmark.cli.command;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.Transport;
import io.tickmark.transport.Transports;
import java.io.IOException;
import java.net.ConnectException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.Socket;
import java.net.SocketTimeoutException;

/** Looks whether an echo service is there before anything is started to measure it. */
final class EchoTarget {
    private static final String FORMS =
            "write the address of an echo service, udp://HOST:PORT or tcp://HOST:PORT.";

    private static final int PATIENCE_MS = 3_000;
    private static final int PINGS = 10;

    /** On TCP a message has its length before it, 4 bytes in little-endian order. */
    private static final byte[] PING = {4, 0, 0, 0, 'p', 'i', 'n', 'g'};

    private EchoTarget() {}

    /**
     * Looks at a target, and pings it where it is on udp or tcp and this machine is the one that
     * measures it.
     *
     * @param target as typed
     * @param isMeasuredHere whether the publisher will run on this machine
     * @throws UserError if no echo service can be there, or none answers
     */
    static void check(final String target, final boolean isMeasuredHere) {
        final ChannelUri channel;
        final Transport transport;
        try {
            channel = ChannelUri.parse(target);
            transport = new Transports().all().get(channel.scheme());
        } catch (final UserError e) {
            throw UserError.usage("--target: '" + target + "' is not an address; " + FORMS);
        }
        if (transport == null || transport.staysOnOneHost(channel)) {
            throw UserError.usage(
                    at(target)
                            + "no echo service is reached by '"
                            + channel.scheme()
                            + ":'; "
                            + FORMS);
        }
        final boolean isUdp = channel.scheme().equals("udp");
        final HostPort address;
        try {
            transport.traits(channel); // or says what is wrong with its address
            if (!isUdp && !channel.scheme().equals("tcp")) {
                return; // its engine looks for the other end
            }
            address = HostPort.of(channel);
        } catch (final UserError e) {
            throw UserError.usage(e.getMessage().replaceFirst("^--channel", "--target"));
        }
        if (address.port() == 0) {
            throw UserError.usage(at(target) + "it has no port; " + FORMS);
        }
        if (isMeasuredHere) {
            ping(target, address, isUdp);
        }
    }

    private static void ping(final String target, final HostPort address, final boolean isUdp) {
        try {
            if (isUdp) {
                pingUdp(address.socketAddress());
            } else {
                pingTcp(address.socketAddress());
            }
        } catch (final ConnectException | PortUnreachableException e) {
            throw UserError.environment(
                    at(target)
                            + "nothing listens there; start an echo service (RFC 862), or check the address.");
        } catch (final SocketTimeoutException e) {
            throw UserError.environment(
                    at(target)
                            + "no echo came back within %d s; start an echo service there (RFC 862), or check the address."
                                    .formatted(PATIENCE_MS / 1_000));
        } catch (final IOException e) {
            throw UserError.environment(
                    at(target)
                            + "it cannot be reached ("
                            + IoReason.of(e)
                            + "); check the address.");
        }
    }

    private static void pingUdp(final InetSocketAddress address) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(address); // so that a refusal is told
            socket.setSoTimeout(PATIENCE_MS / PINGS);
            final DatagramPacket answer = new DatagramPacket(new byte[PING.length], PING.length);
            for (int i = 1; ; i++) {
                socket.send(new DatagramPacket(PING, PING.length));
                try {
                    socket.receive(answer);
                    return;
                } catch (final SocketTimeoutException e) {
                    if (i == PINGS) {
                        throw e;
                    }
                }
            }
        }
    }

    private static void pingTcp(final InetSocketAddress address) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(address, PATIENCE_MS);
            socket.setSoTimeout(PATIENCE_MS);
            socket.getOutputStream().write(PING);
            if (socket.getInputStream().read() < 0) {
                throw new IOException("it closes the connection");
            }
        }
    }

    private static String at(final String target) {
        final String option = "--target " + target;
        return option.endsWith(":") ? option + " " : option + ": ";
    }
}

package io.tickmark.cli.command;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.Transports;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Looks whether an echo service is there before anything is started to measure it. */
final class EchoTarget {
    private static final String FORMS =
            "write the address of an echo service, udp://HOST:PORT, tcp://HOST:PORT or ws://HOST:PORT/PATH.";

    private static final int PATIENCE_MS = 3_000;
    private static final int PINGS = 10;

    /** On TCP a message has its length before it, 4 bytes in little-endian order. */
    private static final byte[] PING = {4, 0, 0, 0, 'p', 'i', 'n', 'g'};

    /** Room for an answer that is longer than its ping. */
    private static final int MOST_BYTES = 2_048;

    private EchoTarget() {}

    /** Something came back that was not sent there. */
    private static final class NoEcho extends IOException {
        private static final long serialVersionUID = 1;

        NoEcho(final String what) {
            super("it answers, but does not send back what it got (" + what + ")");
        }

        static NoEcho of(final int bytes) {
            return new NoEcho(
                    bytes == PING.length
                            ? "other bytes came back"
                            : "%d bytes came back for %d".formatted(bytes, PING.length));
        }

        static void check(final byte[] answer, final int bytes) throws NoEcho {
            if (!Arrays.equals(answer, 0, bytes, PING, 0, PING.length)) {
                throw of(bytes);
            }
        }
    }

    /** What reaches a service that only sends back what it gets. */
    private enum Reach {
        UDP,
        TCP,
        WS;

        static Optional<Reach> of(final ChannelUri channel) {
            return Arrays.stream(values())
                    .filter(each -> each.name().equalsIgnoreCase(channel.scheme()))
                    .findFirst();
        }
    }

    /**
     * Looks at a target, and pings it where this machine is the one that measures it.
     *
     * @param target as typed
     * @param isMeasuredHere whether the publisher will run on this machine
     * @throws UserError if no echo service can be there, or none answers
     */
    static void check(final String target, final boolean isMeasuredHere) {
        check(target, isMeasuredHere, PATIENCE_MS);
    }

    /** The same, with another time for an echo to come back. */
    static void check(final String target, final boolean isMeasuredHere, final int patienceMs) {
        final ChannelUri channel;
        try {
            channel = ChannelUri.parse(target);
        } catch (final UserError e) {
            throw UserError.usage("--target: '" + target + "' is not an address; " + FORMS);
        }
        final Reach reach =
                Reach.of(channel)
                        .orElseThrow(() ->
                                UserError.usage(
                                        at(target)
                                                + "no echo service is reached by '"
                                                + channel.scheme()
                                                + ":'; "
                                                + FORMS));
        final HostPort address;
        try {
            new Transports().of(channel).traits(channel); // or says what is wrong with it
            address = HostPort.of(channel, channel.authority().replaceFirst("/.*", ""));
        } catch (final UserError e) {
            throw UserError.usage(e.getMessage().replaceFirst("^--channel", "--target"));
        }
        if (address.port() == 0) {
            throw UserError.usage(at(target) + "it has no port; " + FORMS);
        }
        if (isMeasuredHere) {
            ping(target, address, reach, patienceMs);
        }
    }

    private static void ping(
            final String target, final HostPort address, final Reach reach, final int patienceMs) {
        try {
            switch (reach) {
                case UDP -> pingUdp(address.socketAddress(), patienceMs);
                case TCP -> pingTcp(address.socketAddress(), patienceMs);
                case WS -> pingWebSocket(target.replaceFirst("[?].*", ""), patienceMs);
            }
        } catch (final ConnectException | PortUnreachableException e) {
            throw UserError.environment(
                    at(target)
                            + "nothing listens there; start an echo service (RFC 862), or check the address.");
        } catch (final SocketTimeoutException e) {
            throw UserError.environment(
                    at(target)
                            + "no echo came back within %d s; start an echo service there (RFC 862), or check the address."
                                    .formatted(patienceMs / 1_000));
        } catch (final NoEcho e) {
            throw UserError.environment(
                    at(target)
                            + e.getMessage()
                            + "; start an echo service there (RFC 862), or check the address.");
        } catch (final IOException e) {
            throw UserError.environment(
                    at(target)
                            + "it cannot be reached ("
                            + IoReason.of(e)
                            + "); check the address.");
        }
    }

    private static void pingUdp(final InetSocketAddress address, final int patienceMs)
            throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(address); // so that a refusal is told
            socket.setSoTimeout(patienceMs / PINGS);
            final DatagramPacket answer = new DatagramPacket(new byte[MOST_BYTES], MOST_BYTES);
            for (int i = 1; ; i++) {
                socket.send(new DatagramPacket(PING, PING.length));
                try {
                    socket.receive(answer);
                    NoEcho.check(answer.getData(), answer.getLength());
                    return;
                } catch (final SocketTimeoutException e) {
                    if (i == PINGS) {
                        throw e;
                    }
                }
            }
        }
    }

    private static void pingTcp(final InetSocketAddress address, final int patienceMs)
            throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(address, patienceMs);
            socket.setSoTimeout(patienceMs);
            socket.getOutputStream().write(PING);
            final byte[] answer = new byte[MOST_BYTES];
            int bytes = 0;
            while (bytes < PING.length) {
                bytes += read(socket, answer, bytes);
            }
            NoEcho.check(answer, bytes);
        }
    }

    /** What comes next, at least one byte; less than a ping is no echo. */
    private static int read(final Socket socket, final byte[] answer, final int before)
            throws IOException {
        final int bytes;
        try {
            bytes = socket.getInputStream().read(answer, before, answer.length - before);
        } catch (final SocketTimeoutException e) {
            throw before == 0 ? e : NoEcho.of(before);
        }
        if (bytes < 0) {
            throw before == 0 ? new IOException("it closes the connection") : NoEcho.of(before);
        }
        return bytes;
    }

    private static void pingWebSocket(final String uri, final int patienceMs) throws IOException {
        final CompletableFuture<byte[]> answer = new CompletableFuture<>();
        try (HttpClient client = HttpClient.newHttpClient()) {
            final CompletableFuture<WebSocket> opening =
                    client.newWebSocketBuilder()
                            .buildAsync(
                                    URI.create(uri),
                                    new FirstAnswer(answer, new ByteArrayOutputStream()));
            try {
                opening.thenCompose(socket -> socket.sendBinary(ByteBuffer.wrap(PING), true))
                        .thenCompose(socket -> answer.thenApply(_ -> socket))
                        .thenCompose(socket -> socket.sendClose(WebSocket.NORMAL_CLOSURE, ""))
                        .get(patienceMs, TimeUnit.MILLISECONDS);
                final byte[] bytes = answer.join();
                NoEcho.check(bytes, bytes.length);
            } catch (final TimeoutException e) {
                throw new SocketTimeoutException();
            } catch (final ExecutionException e) {
                if (e.getCause() instanceof final WebSocketHandshakeException refusal) {
                    final int status = refusal.getResponse().statusCode();
                    throw new IOException(
                            "it refuses a WebSocket: the status of its answer is " + status, e);
                }
                throw e.getCause() instanceof final IOException wrong
                        ? wrong
                        : new IOException(e.getCause());
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            } finally {
                opening.thenAccept(WebSocket::abort);
                client.shutdownNow();
            }
        }
    }

    /** Completed by the first message that comes back, in one part or several. */
    private record FirstAnswer(CompletableFuture<byte[]> answer, ByteArrayOutputStream parts)
            implements WebSocket.Listener {
        @Override
        public CompletionStage<?> onBinary(
                final WebSocket socket, final ByteBuffer message, final boolean isLast) {
            final byte[] part = new byte[message.remaining()];
            message.get(part);
            parts.writeBytes(part);
            if (isLast) {
                answer.complete(parts.toByteArray());
            } else {
                socket.request(1);
            }
            return null;
        }

        @Override
        public CompletionStage<?> onText(
                final WebSocket socket, final CharSequence message, final boolean isLast) {
            answer.completeExceptionally(new NoEcho("a text message came back for a binary one"));
            return null;
        }

        @Override
        public CompletionStage<?> onClose(
                final WebSocket socket, final int status, final String reason) {
            answer.completeExceptionally(new IOException("it closes the connection"));
            return null;
        }

        @Override
        public void onError(final WebSocket socket, final Throwable error) {
            answer.completeExceptionally(error);
        }
    }

    private static String at(final String target) {
        final String option = "--target " + target;
        return option.endsWith(":") ? option + " " : option + ": ";
    }
}

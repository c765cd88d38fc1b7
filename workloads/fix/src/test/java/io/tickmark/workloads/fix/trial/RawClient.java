package io.tickmark.workloads.fix.trial;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;

/**
 * A FIX 4.4 session written by hand over a socket: sends what the test says, receives every message
 * in order. Text has {@code |} for SOH.
 */
public final class RawClient implements AutoCloseable {
    /** What a socket with little room keeps for its reader. */
    static final int LITTLE_BYTES = 4096;

    private static final int PATIENCE_MS = 120_000;
    private static final int LITTLE_PATIENCE_MS = 30_000;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd-HH:mm:ss.SSS").withZone(ZoneOffset.UTC);

    private final Socket socket;
    private final InputStream in;
    private final String id;
    private final String target;
    private int sequence;

    /** Connects and logs on, without heartbeats. */
    public RawClient(final int port, final String id) throws IOException {
        this(port, id, 0);
    }

    /** A client that reconnects: continues after the last number that it sent. */
    public RawClient(final int port, final String id, final int lastSequence) throws IOException {
        this(port, id, lastSequence, 0, 0, PATIENCE_MS);
    }

    private RawClient(
            final int port,
            final String id,
            final int lastSequence,
            final int receiveBytes,
            final int heartbeatSeconds,
            final int patienceMs)
            throws IOException {
        this.id = id;
        target = "GATEWAY";
        sequence = lastSequence;
        socket = new Socket();
        if (receiveBytes > 0) {
            socket.setReceiveBufferSize(receiveBytes);
        }
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setSoTimeout(patienceMs);
        in = new java.io.BufferedInputStream(socket.getInputStream());
        say("A", "98=0|108=%d|".formatted(heartbeatSeconds));
        if (!hear().startsWith("A|")) {
            throw new IOException("not logged on");
        }
    }

    /** The gateway's side of a session that has begun to connect; answers its Logon. */
    RawClient(final Socket accepted, final String target) throws IOException {
        this.id = "GATEWAY";
        this.target = target;
        socket = accepted;
        socket.setSoTimeout(PATIENCE_MS);
        in = new java.io.BufferedInputStream(socket.getInputStream());
        if (!hear().startsWith("A|")) {
            throw new IOException("no Logon");
        }
        say("A", "98=0|108=0|141=Y|");
    }

    /** A client whose socket accepts little while it does not read. */
    public static RawClient withLittleRoom(final int port, final String id) throws IOException {
        return new RawClient(port, id, 0, LITTLE_BYTES, 0, PATIENCE_MS);
    }

    /** A client that soon takes an answer which does not come for one that never will. */
    public static RawClient withLittlePatience(final int port, final String id) throws IOException {
        return new RawClient(port, id, 0, 0, 0, LITTLE_PATIENCE_MS);
    }

    /** One for engines that take an interval of 0 for no pause at all. */
    public static RawClient withHeartbeats(final int port, final String id, final int seconds)
            throws IOException {
        return new RawClient(port, id, 0, 0, seconds, PATIENCE_MS);
    }

    public void say(final String type, final String body) throws IOException {
        final String fields =
                "35=%s|49=%s|56=%s|34=%d|52=%s|%s"
                        .formatted(type, id, target, ++sequence, TIME.format(Instant.now()), body);
        final String text = "8=FIX.4.4|9=%d|%s".formatted(fields.length(), fields);
        final int sum = text.replace('|', '\u0001').chars().sum() % 256;
        socket.getOutputStream()
                .write(
                        "%s10=%03d|"
                                .formatted(text, sum)
                                .replace('|', '\u0001')
                                .getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Sends bytes that are not a complete message. */
    public void raw(final String text) throws IOException {
        socket.getOutputStream()
                .write(text.replace('|', '\u0001').getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Leaves numbers out, as if messages had been lost. */
    public void lose(final int messages) {
        sequence += messages;
    }

    /** The number of the last sent message. */
    public int sequence() {
        return sequence;
    }

    /** The next message: its type, then the fields after the header. */
    public String hear() throws IOException {
        final StringBuilder text = new StringBuilder();
        while (text.isEmpty()
                || text.charAt(text.length() - 1) != '|'
                || text.lastIndexOf("|10=") < 0) {
            final int next = in.read();
            if (next < 0) {
                throw new IOException("closed behind " + text);
            }
            text.append(next == 1 ? '|' : (char) next);
        }
        return String.join(
                                "|",
                                Arrays.stream(text.toString().split("\\|"))
                                        .filter(field ->
                                                !field.matches(
                                                        "(8|9|34|49|56|52|10)=.*")) // the frame
                                        .toList())
                        .replaceFirst("^35=", "")
                + "|";
    }

    /** Waits until the other side has handled everything that was sent. */
    public void settle() throws IOException {
        say("1", "112=settled|");
        if (!hear().equals("0|112=settled|")) {
            throw new IOException("something else was said before");
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

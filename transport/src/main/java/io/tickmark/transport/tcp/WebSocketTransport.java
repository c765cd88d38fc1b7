package io.tickmark.transport.tcp;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.HostPort;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * {@code ws://host:port/path}: as {@code tcp}, with WebSockets (RFC 6455) instead of lengths, so
 * that an echo service behind a WebSocket can be the other end. The publication listens, each
 * message is a binary frame.
 */
public final class WebSocketTransport extends TcpTransport {
    /** What a request line can hold (RFC 3986), without a query: that is the channel's. */
    private static final String PATH = "/[A-Za-z0-9._~!$'()*+,;=:@%/-]*";

    /** For the ServiceLoader. */
    public WebSocketTransport() {}

    @Override
    public String scheme() {
        return "ws";
    }

    @Override
    public String summary() {
        return "WebSockets over TCP, a binary frame for each message; the publisher listens.";
    }

    @Override
    public List<Kind> kinds() {
        return List.of(new Kind("ws://127.0.0.1:0", true));
    }

    @Override
    HostPort address(final ChannelUri channel) {
        final String path = path(channel);
        if (!path.isEmpty() && !path.matches(PATH)) {
            throw UserError.usage(
                    "--channel "
                            + channel
                            + ": '"
                            + path
                            + "' is not a path; write ws://host:port/path.");
        }
        final String all = channel.authority();
        return HostPort.of(channel, all.substring(0, all.length() - path.length()));
    }

    @Override
    Framing.Maker framing(final ChannelUri channel, final boolean isDialing) {
        final String host = address(channel).authority();
        final String path = path(channel).isEmpty() ? "/" : path(channel);
        return () -> new WebSocketFraming(isDialing, host, path);
    }

    /**
     * Messages as binary frames of a WebSocket (RFC 6455). The side that connects asks for the path
     * of the channel and masks what it sends; text and fragments are accepted, pings are answered.
     * Extensions are neither offered nor accepted.
     */
    static final class WebSocketFraming implements Framing {
        /** Of what opens a connection; servers limit it likewise. */
        static final int MAX_OPENING_BYTES = 8 << 10;

        private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
        private static final String VERSION = "13";
        private static final int KEY_BYTES = 16;
        private static final int LONGEST_REASON = 80;

        private static final int FINAL = 0x80;
        private static final int RESERVED = 0x70;
        private static final int OPCODE = 0x0F;
        private static final int MASKED = 0x80;
        private static final int CONTINUATION = 0;
        private static final int TEXT = 1;
        private static final int BINARY = 2;
        private static final int CLOSE = 8;
        private static final int PING = 9;
        private static final int PONG = 10;

        private static final int SHORT_HEADER_BYTES = 2;
        private static final int MASK_BYTES = Integer.BYTES;

        /**
         * Longest payload whose length is in the second byte; no control frame has a longer one.
         */
        private static final int MAX_SHORT = 125;

        private static final int LENGTH_IN_2 = 126;
        private static final int LENGTH_IN_8 = 127;
        private static final int MAX_LENGTH_IN_2 = 65_535;

        /** Status codes of section 7.4.1. */
        private static final int NORMAL = 1000;

        private static final int MAX_REPLY_BYTES = SHORT_HEADER_BYTES + MASK_BYTES + MAX_SHORT;

        private final boolean isClient;
        private final String authority;
        private final String path;
        private final String key;

        /** Masks have to be fresh, not secret: no script of a stranger runs behind this side. */
        private final SplittableRandom masks = new SplittableRandom();

        private final UnsafeBuffer payload = new UnsafeBuffer(new byte[MAX_SHORT]);
        private UnsafeBuffer parts = new UnsafeBuffer(0, 0);
        private byte[] answer = {};
        private String refusal = "";
        private boolean isOpen;
        private boolean inParts;
        private int partsBytes;
        private int replyOpcode;
        private int replyLength;
        private DirectBuffer message;
        private int messageOffset;
        private int messageLength;

        /**
         * Of the side that connects, or of the one that listens; {@code path} begins with a slash.
         */
        WebSocketFraming(final boolean isClient, final String authority, final String path) {
            this.isClient = isClient;
            this.authority = authority;
            this.path = path;
            final byte[] random = new byte[KEY_BYTES];
            if (isClient) {
                new SecureRandom().nextBytes(random);
            }
            key = Base64.getEncoder().encodeToString(random);
        }

        @Override
        public boolean isOpen() {
            return isOpen;
        }

        @Override
        public int putGreeting(final MutableDirectBuffer out, final int at) {
            return isClient
                    ? out.putStringWithoutLengthAscii(
                            at,
                            """
                            GET %s HTTP/1.1\r
                            Host: %s\r
                            Upgrade: websocket\r
                            Connection: Upgrade\r
                            Sec-WebSocket-Key: %s\r
                            Sec-WebSocket-Version: %s\r
                            \r
                            """
                                    .formatted(path, authority, key, VERSION))
                    : 0;
        }

        @Override
        public int open(final DirectBuffer in, final int from, final int to) {
            final int most = Math.min(to - from, MAX_OPENING_BYTES);
            final String text = in.getStringWithoutLengthAscii(from, most);
            final int end = text.indexOf("\r\n\r\n");
            if (end < 0) {
                // What is no HTTP at all is told by its first bytes, without waiting for more.
                final String first = isClient ? "HTTP/1.1 " : "GET ";
                final boolean canBe = first.startsWith(text) || text.startsWith(first);
                if (canBe && most < MAX_OPENING_BYTES) {
                    return 0;
                }
                return refused("what it sent is not a WebSocket handshake", "400 Bad Request");
            }
            final String[] lines = text.substring(0, end).split("\r\n");
            final int bytes = end + 4;
            return isClient ? answered(lines, bytes) : asked(lines, bytes);
        }

        /** RFC 6455, section 4.1: what a client has to check. */
        private int answered(final String[] lines, final int bytes) {
            if (!lines[0].startsWith("HTTP/1.1 101")) {
                return refused("it answers '" + shortened(lines[0]) + "'", "");
            }
            if (!has(lines, "upgrade", "websocket") || !has(lines, "connection", "upgrade")) {
                return refused("its answer does not switch to the WebSocket protocol", "");
            }
            if (!value(lines, "sec-websocket-accept").equals(accept(key))) {
                return refused("its Sec-WebSocket-Accept does not match the key", "");
            }
            if (!value(lines, "sec-websocket-extensions").isEmpty()
                    || !value(lines, "sec-websocket-protocol").isEmpty()) {
                return refused("it uses an extension or a protocol that was not asked for", "");
            }
            isOpen = true;
            return bytes;
        }

        /** RFC 6455, section 4.2.1: what a server has to check. */
        private int asked(final String[] lines, final int bytes) {
            final String asks = value(lines, "sec-websocket-key");
            if (!lines[0].matches("GET \\S+ HTTP/1\\.1")
                    || !has(lines, "upgrade", "websocket")
                    || !has(lines, "connection", "upgrade")
                    || value(lines, "host").isEmpty()
                    || !isKey(asks)) {
                return refused("what it sent is not a WebSocket handshake", "400 Bad Request");
            }
            if (!value(lines, "sec-websocket-version").equals(VERSION)) {
                return refused(
                        "it asks for another version of WebSocket",
                        "426 Upgrade Required\r\nSec-WebSocket-Version: " + VERSION);
            }
            if (!lines[0].split(" ")[1].equals(path)) {
                return refused("it asks for another path", "404 Not Found");
            }
            answer =
                    ascii(
                            """
                            HTTP/1.1 101 Switching Protocols\r
                            Upgrade: websocket\r
                            Connection: Upgrade\r
                            Sec-WebSocket-Accept: %s\r
                            \r
                            """
                                    .formatted(accept(asks)));
            isOpen = true;
            return bytes;
        }

        private int refused(final String why, final String status) {
            refusal = why;
            answer =
                    status.isEmpty()
                            ? new byte[0]
                            : ascii(
                                    "HTTP/1.1 "
                                            + status
                                            + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            return GARBLED;
        }

        @Override
        public String refusal() {
            return refusal;
        }

        private static byte[] ascii(final String text) {
            return text.getBytes(StandardCharsets.US_ASCII);
        }

        private static String shortened(final String line) {
            return line.length() <= LONGEST_REASON
                    ? line
                    : line.substring(0, LONGEST_REASON) + "...";
        }

        /** Of the header of this name, in lower case; several are one list with commas. */
        private static String value(final String[] lines, final String name) {
            final StringBuilder all = new StringBuilder();
            for (int i = 1; i < lines.length; i++) {
                final int colon = lines[i].indexOf(':');
                if (colon > 0 && lines[i].substring(0, colon).equalsIgnoreCase(name)) {
                    all.append(all.isEmpty() ? "" : ",")
                            .append(lines[i].substring(colon + 1).strip());
                }
            }
            return all.toString();
        }

        private static boolean has(final String[] lines, final String name, final String wanted) {
            return Arrays.stream(value(lines, name).split(","))
                    .anyMatch(each -> each.strip().equalsIgnoreCase(wanted));
        }

        private static boolean isKey(final String text) {
            try {
                return Base64.getDecoder().decode(text).length == KEY_BYTES;
            } catch (final IllegalArgumentException _) {
                return false; // the answer says what is wrong
            }
        }

        private static String accept(final String key) {
            try {
                return Base64.getEncoder()
                        .encodeToString(
                                MessageDigest.getInstance("SHA-1").digest(ascii(key + MAGIC)));
            } catch (final NoSuchAlgorithmException e) {
                throw new IllegalStateException("every JDK has SHA-1", e);
            }
        }

        @Override
        public int headerBytes(final int length) {
            final int lengthBytes =
                    length <= MAX_SHORT ? 0 : length <= MAX_LENGTH_IN_2 ? Short.BYTES : Long.BYTES;
            return SHORT_HEADER_BYTES + lengthBytes + (isClient ? MASK_BYTES : 0);
        }

        @Override
        public int put(
                final MutableDirectBuffer out,
                final int at,
                final DirectBuffer message,
                final int offset,
                final int length) {
            return putFrame(out, at, BINARY, message, offset, length);
        }

        private int putFrame(
                final MutableDirectBuffer out,
                final int at,
                final int opcode,
                final DirectBuffer from,
                final int offset,
                final int length) {
            final int start = at + headerBytes(length);
            final int masked = isClient ? MASKED : 0;
            out.putByte(at, (byte) (FINAL | opcode));
            if (length <= MAX_SHORT) {
                out.putByte(at + 1, (byte) (masked | length));
            } else if (length <= MAX_LENGTH_IN_2) {
                out.putByte(at + 1, (byte) (masked | LENGTH_IN_2));
                out.putShort(at + SHORT_HEADER_BYTES, (short) length, ByteOrder.BIG_ENDIAN);
            } else {
                out.putByte(at + 1, (byte) (masked | LENGTH_IN_8));
                out.putLong(at + SHORT_HEADER_BYTES, length, ByteOrder.BIG_ENDIAN);
            }
            out.putBytes(start, from, offset, length);
            if (isClient) {
                final int mask = masks.nextInt();
                out.putInt(start - MASK_BYTES, mask);
                mask(out, start, length, mask);
            }
            return start + length - at;
        }

        /** Section 5.3: masks, or takes the mask off; it is in the order of the bytes in memory. */
        private static void mask(
                final MutableDirectBuffer bytes, final int from, final int length, final int mask) {
            final long twice = (long) mask << Integer.SIZE | Integer.toUnsignedLong(mask);
            int done = 0;
            for (; done + Long.BYTES <= length; done += Long.BYTES) {
                bytes.putLong(from + done, bytes.getLong(from + done) ^ twice);
            }
            final boolean littleEndian = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
            for (; done < length; done++) {
                final int place = done % Integer.BYTES;
                final int shift = Byte.SIZE * (littleEndian ? place : Integer.BYTES - 1 - place);
                bytes.putByte(from + done, (byte) (bytes.getByte(from + done) ^ mask >>> shift));
            }
        }

        @Override
        public int frameBytes(final DirectBuffer in, final int from, final int to) {
            if (to - from < SHORT_HEADER_BYTES) {
                return 0;
            }
            final int first = in.getByte(from) & 0xFF;
            final int second = in.getByte(from + 1) & 0xFF;
            final int code = second & ~MASKED;
            // Section 5.1: what a client sends is masked, what a server sends is not.
            if ((second & MASKED) != 0 == isClient || !isExpected(first, code)) {
                return GARBLED;
            }
            final int lengthBytes =
                    code == LENGTH_IN_2 ? Short.BYTES : code == LENGTH_IN_8 ? Long.BYTES : 0;
            final int header = SHORT_HEADER_BYTES + lengthBytes + (isClient ? 0 : MASK_BYTES);
            if (to - from < header) {
                return 0;
            }
            final long length =
                    switch (code) {
                        case LENGTH_IN_2 ->
                                in.getShort(from + SHORT_HEADER_BYTES, ByteOrder.BIG_ENDIAN)
                                        & 0xFFFF;
                        case LENGTH_IN_8 ->
                                in.getLong(from + SHORT_HEADER_BYTES, ByteOrder.BIG_ENDIAN);
                        default -> code;
                    };
            final int before = isControl(first) ? 0 : partsBytes;
            if (length < 0 || length > MAX_PAYLOAD_BYTES - before) {
                return GARBLED;
            }
            return to - from < header + length ? 0 : (int) (header + length);
        }

        private static boolean isControl(final int first) {
            return (first & OPCODE) >= CLOSE;
        }

        /** Sections 5.2 to 5.5: which frame may come next. */
        private boolean isExpected(final int first, final int code) {
            final boolean isLegal =
                    switch (first & OPCODE) {
                        case CONTINUATION -> inParts;
                        case TEXT, BINARY -> !inParts;
                        case CLOSE, PING, PONG -> (first & FINAL) != 0 && code <= MAX_SHORT;
                        default -> false;
                    };
            return isLegal && (first & RESERVED) == 0;
        }

        @Override
        public FrameKind take(final MutableDirectBuffer in, final int from, final int frameBytes) {
            final int first = in.getByte(from) & 0xFF;
            final int code = in.getByte(from + 1) & ~MASKED & 0xFF;
            final int lengthBytes =
                    code == LENGTH_IN_2 ? Short.BYTES : code == LENGTH_IN_8 ? Long.BYTES : 0;
            final int start = from + SHORT_HEADER_BYTES + lengthBytes + (isClient ? 0 : MASK_BYTES);
            final int length = from + frameBytes - start;
            if (!isClient) {
                mask(in, start, length, in.getInt(start - MASK_BYTES));
            }
            return switch (first & OPCODE) {
                case PING -> reply(PONG, in, start, length, FrameKind.CALL);
                case CLOSE ->
                        // An answer repeats the status code (section 5.5.1).
                        reply(CLOSE, in, start, Math.min(length, Short.BYTES), FrameKind.CLOSE);
                case PONG -> FrameKind.PART;
                default -> data((first & FINAL) != 0, in, start, length);
            };
        }

        private FrameKind data(
                final boolean isLast, final DirectBuffer in, final int start, final int length) {
            if (isLast && !inParts) {
                message = in;
                messageOffset = start;
                messageLength = length;
                return FrameKind.MESSAGE;
            }
            if (parts.capacity() == 0) {
                parts = new UnsafeBuffer(ByteBuffer.allocateDirect(MAX_PAYLOAD_BYTES));
            }
            parts.putBytes(partsBytes, in, start, length);
            partsBytes += length;
            inParts = !isLast;
            if (!isLast) {
                return FrameKind.PART;
            }
            message = parts;
            messageOffset = 0;
            messageLength = partsBytes;
            partsBytes = 0;
            return FrameKind.MESSAGE;
        }

        private FrameKind reply(
                final int opcode,
                final DirectBuffer in,
                final int start,
                final int length,
                final FrameKind taken) {
            payload.putBytes(0, in, start, length);
            replyOpcode = opcode;
            replyLength = length;
            return taken;
        }

        @Override
        public int maxReplyBytes() {
            return MAX_REPLY_BYTES;
        }

        @Override
        public int replyBytes() {
            return answer.length > 0
                    ? answer.length
                    : replyOpcode == 0 ? 0 : headerBytes(replyLength) + replyLength;
        }

        @Override
        public void putReply(final MutableDirectBuffer out, final int at) {
            if (answer.length > 0) {
                out.putBytes(at, answer);
                answer = new byte[0];
            } else {
                putFrame(out, at, replyOpcode, payload, 0, replyLength);
            }
        }

        @Override
        public int putGoodbye(final MutableDirectBuffer out, final int at) {
            if (!isOpen) {
                return 0;
            }
            payload.putShort(0, (short) NORMAL, ByteOrder.BIG_ENDIAN);
            return putFrame(out, at, CLOSE, payload, 0, Short.BYTES);
        }

        @Override
        public DirectBuffer message() {
            return message;
        }

        @Override
        public int messageOffset() {
            return messageOffset;
        }

        @Override
        public int messageLength() {
            return messageLength;
        }
    }
}

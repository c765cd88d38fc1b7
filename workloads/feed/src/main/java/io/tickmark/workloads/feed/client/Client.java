package io.tickmark.workloads.feed.client;

import io.tickmark.workloads.feed.client.ClientGroup.ClientPlan;
import io.tickmark.workloads.feed.serve.ChannelSettings;
import io.tickmark.workloads.feed.serve.ChannelSettings.ChannelEncoding;
import io.tickmark.workloads.feed.session.BinaryFrame;
import io.tickmark.workloads.feed.session.JsonFrame;
import io.tickmark.workloads.feed.session.WebSocket;
import io.tickmark.workloads.feed.tick.Tick;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** One client, on any kind of channel. Single-threaded. */
abstract class Client implements Readable {
    final ClientPlan plan;
    final ClientSession session;

    Client(final ClientPlan plan, final ClientSession session) {
        this.plan = plan;
        this.session = session;
    }

    /** Creates a client of that channel and sends its request. */
    static Client connect(
            final ClientPlan plan,
            final ChannelSettings channel,
            final Tally tally,
            final Selector selector)
            throws IOException {
        final ClientSession session = new ClientSession(tally);
        final boolean isText = channel.encoding() == ChannelEncoding.JSON;
        final FrameSink sink = isText ? new JsonMessages(tally)::onFrame : ClientSession::onFrame;
        final FrameCutter cutter =
                isText ? new LineCutter(session, sink) : new RecordCutter(session, sink);
        return switch (channel.transport()) {
            case WEBSOCKET -> new SocketClient(plan, session, sink, selector);
            case EVENTS, STREAM -> new ResponseClient(plan, session, cutter, selector);
            case POLLING -> new PollClient(plan, session, cutter, selector);
        };
    }

    final ClientSession session() {
        return session;
    }

    @Override
    public final void onReadable(final ReadBuffer shared) {
        try {
            if (!read(shared)) {
                broke("the server closed the connection");
            } else if (session.isToAcknowledge(plan)) {
                acknowledge();
            }
        } catch (final IOException e) {
            broke(e.getMessage());
        }
    }

    /** Reads and passes on complete frames; false where the server has closed. */
    abstract boolean read(ReadBuffer shared) throws IOException;

    /** Acknowledges received messages, where it can now. */
    abstract void acknowledge();

    /** Requests the end of the session, with figures. */
    abstract void finish();

    abstract void close();

    /** Called periodically: received messages are always acknowledged soon. */
    void onTurn(final long nowNs) {
        if (session.isAnythingNew()) {
            acknowledge();
        }
    }

    final void broke(final String reason) {
        session.broke(reason);
        close();
    }

    /**
     * Reads the text frames that {@link JsonFrame} writes, without making objects: a walk over its
     * numbers. Not a reader for other JSON.
     */
    private static final class JsonMessages {
        private static final int INTENDED = 2;
        private static final int LAG = 3;

        private final UnsafeBuffer message = new UnsafeBuffer(new byte[Tick.LENGTH]);
        private final Tally tally;
        private DirectBuffer text;
        private int at;
        private int end;

        JsonMessages(final Tally tally) {
            this.tally = tally;
        }

        void onFrame(
                final ClientSession session,
                final DirectBuffer buffer,
                final int offset,
                final int length,
                final long nowNs) {
            text = buffer;
            at = offset;
            end = offset + length;
            if (length < 2 || buffer.getByte(offset + 2) != 'f') {
                session.onNote(buffer.getStringWithoutLengthUtf8(offset, length), nowNs);
                return;
            }
            final long frame = number();
            number(); // when it was written
            final long ordinal = number();
            int count = 0;
            while (toMessage()) {
                message(session.number, nowNs);
                count++;
            }
            session.onMessages(frame, ordinal, count, length);
        }

        private void message(final int client, final long nowNs) {
            long intendedNs = 0;
            long lagNs = 0;
            for (int field = 0; field <= LAG; field++) {
                final long value = number();
                intendedNs = field == INTENDED ? value : intendedNs;
                lagNs = field == LAG ? value : lagNs;
            }
            Tick.times(message, 0, intendedNs, lagNs);
            tally.message(client, message, 0, nowNs);
            while (at < end && text.getByte(at) != ']') {
                at++;
            }
            at++;
        }

        /** On to the next message's first number; false at the end of the list. */
        private boolean toMessage() {
            while (at < end) {
                final byte c = text.getByte(at);
                if (c == ']') {
                    return false;
                }
                if (isDigit(c)) {
                    return true;
                }
                at++;
            }
            return false;
        }

        private static boolean isDigit(final byte c) {
            return c >= '0' && c <= '9' || c == '-';
        }

        private long number() {
            while (at < end && !isDigit(text.getByte(at))) {
                at++;
            }
            long value = 0;
            boolean isNegative = false;
            for (; at < end && isDigit(text.getByte(at)); at++) {
                if (text.getByte(at) == '-') {
                    isNegative = true;
                } else {
                    value = value * 10 + text.getByte(at) - '0';
                }
            }
            return isNegative ? -value : value;
        }
    }

    /** Frames of text, each a line; in an event stream with {@code data: } before it. */
    private static final class LineCutter implements FrameCutter {
        private static final int EVENT_PREFIX = "data: ".length();

        private final ClientSession session;
        private final FrameSink sink;

        LineCutter(final ClientSession session, final FrameSink sink) {
            this.session = session;
            this.sink = sink;
        }

        @Override
        public int cut(final UnsafeBuffer buffer, final int end, final long nowNs) {
            int begin = 0;
            for (int at = 0; at < end; at++) {
                if (buffer.getByte(at) == '\n') {
                    if (at > begin) {
                        final int from =
                                buffer.getByte(begin) == 'd' ? begin + EVENT_PREFIX : begin;
                        sink.onFrame(session, buffer, from, at - from, nowNs);
                    }
                    begin = at + 1;
                }
            }
            return begin;
        }
    }

    /** Frames of records, each with its length in its head. */
    private static final class RecordCutter implements FrameCutter {
        private final ClientSession session;
        private final FrameSink sink;

        RecordCutter(final ClientSession session, final FrameSink sink) {
            this.session = session;
            this.sink = sink;
        }

        @Override
        public int cut(final UnsafeBuffer buffer, final int end, final long nowNs) {
            int at = 0;
            while (end - at >= BinaryFrame.HEAD) {
                final int length = BinaryFrame.lengthOf(buffer, at);
                if (end - at < length) {
                    break;
                }
                sink.onFrame(session, buffer, at, length, nowNs);
                at += length;
            }
            return at;
        }
    }

    /** A polling client: each request acknowledges the messages of the last response. */
    private static final class PollClient extends Client {
        private final Responses responses;
        private final Posts posts;
        private final String path;
        private long asked;

        PollClient(
                final ClientPlan plan,
                final ClientSession session,
                final FrameCutter cutter,
                final Selector selector)
                throws IOException {
            super(plan, session);
            path = plan.path().substring(0, plan.path().indexOf('?'));
            responses = new Responses(plan, selector, this, cutter);
            ask(plan.path());
            posts = new Posts(this, selector);
        }

        private void ask(final String next) throws IOException {
            responses.get(next);
            asked++;
        }

        @Override
        boolean read(final ReadBuffer shared) throws IOException {
            final boolean isOpen = responses.read(shared);
            if (isOpen && responses.whole() == asked && !session.isOver()) {
                session.acknowledged();
                ask(
                        "%s?session=%s&frame=%d&ordinal=%d"
                                .formatted(
                                        path,
                                        session.id(),
                                        session.lastFrame(),
                                        session.lastOrdinal()));
            }
            return isOpen;
        }

        @Override
        void acknowledge() {
            // the next request does
        }

        @Override
        void finish() {
            posts.finish();
        }

        @Override
        void close() {
            responses.close();
            posts.close();
        }
    }

    /** A client on a response that does not end: events, or a stream of bytes. */
    private static final class ResponseClient extends Client {
        /** A post costs far more than a few bytes on a socket. */
        private static final long ACKNOWLEDGE_NS = TimeUnit.MILLISECONDS.toNanos(100);

        private final Responses responses;
        private final Posts posts;
        private long nextAcknowledgeNs;

        ResponseClient(
                final ClientPlan plan,
                final ClientSession session,
                final FrameCutter cutter,
                final Selector selector)
                throws IOException {
            super(plan, session);
            responses = new Responses(plan, selector, this, cutter);
            responses.get(plan.path());
            posts = new Posts(this, selector);
        }

        @Override
        boolean read(final ReadBuffer shared) throws IOException {
            return responses.read(shared);
        }

        @Override
        void onTurn(final long nowNs) {
            if (nowNs - nextAcknowledgeNs >= 0) {
                nextAcknowledgeNs = nowNs + ACKNOWLEDGE_NS;
                super.onTurn(nowNs);
            }
        }

        @Override
        void acknowledge() {
            if (posts.isFree()) {
                posts.post(
                        "/feed/ack?session=%s&frame=%d&ordinal=%d"
                                .formatted(
                                        session.id(), session.lastFrame(), session.lastOrdinal()));
                session.acknowledged();
            }
        }

        @Override
        void finish() {
            posts.finish();
        }

        @Override
        void close() {
            responses.close();
            posts.close();
        }
    }

    /** A client on a WebSocket (RFC 6455), which carries its acknowledgements too. */
    private static final class SocketClient extends Client {
        private static final int ACK_BYTES = 16;
        private static final int LENGTH_MASK = 0x7f;
        private static final int SHORT_FOLLOWS = 126;
        private static final String UPGRADE =
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                        + "Sec-WebSocket-Key: dGlja21hcmsgY2xpZW50IQ==\r\n";

        private final FrameSink sink;
        private final HttpLink link;
        private final ResponseHead head = new ResponseHead();
        private final ByteBuffer out = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);

        SocketClient(
                final ClientPlan plan,
                final ClientSession session,
                final FrameSink sink,
                final Selector selector)
                throws IOException {
            super(plan, session);
            this.sink = sink;
            link = new HttpLink(plan.server(), selector, this);
            link.request("GET", plan.path(), UPGRADE);
        }

        @Override
        boolean read(final ReadBuffer shared) throws IOException {
            final int end = link.read(shared);
            if (end < 0) {
                return false;
            }
            final long nowNs = shared.clock().nanoTime();
            link.keep(shared.buffer(), parse(shared.buffer(), end, nowNs), end);
            return true;
        }

        private int parse(final UnsafeBuffer buffer, final int end, final long nowNs)
                throws IOException {
            int at = head.isWhole() ? 0 : head.read(buffer, 0, end);
            while (head.isWhole() && end - at >= 2) {
                int length = buffer.getByte(at + 1) & LENGTH_MASK;
                int begin = 2;
                if (length == SHORT_FOLLOWS) {
                    if (end - at < WebSocket.MAX_HEADER) {
                        break;
                    }
                    length = buffer.getShort(at + 2, ByteOrder.BIG_ENDIAN) & 0xffff;
                    begin = WebSocket.MAX_HEADER;
                }
                if (end - at < begin + length) {
                    break;
                }
                if ((buffer.getByte(at) & 0x0f) <= WebSocket.BINARY) {
                    sink.onFrame(session, buffer, at + begin, length, nowNs);
                }
                at += begin + length;
            }
            return at;
        }

        @Override
        void acknowledge() {
            out.clear();
            out.put((byte) (0x80 | WebSocket.BINARY)).put((byte) (0x80 | ACK_BYTES));
            out.putInt(0); // a mask of zeros: masking protects proxies from scripts, and here is
            // neither
            out.putLong(session.lastFrame()).putLong(session.lastOrdinal());
            write();
            session.acknowledged();
        }

        @Override
        void finish() {
            out.clear();
            out.put((byte) (0x80 | WebSocket.BINARY))
                    .put((byte) (0x80 | 1))
                    .putInt(0)
                    .put((byte) 1);
            write();
        }

        private void write() {
            try {
                link.write(out.flip());
            } catch (final IOException e) {
                broke("the connection broke: " + e.getMessage());
            }
        }

        @Override
        void close() {
            link.close();
        }
    }

    /** Takes the payload of a frame. */
    private interface FrameSink {
        /**
         * A whole frame.
         *
         * @param session that it belongs to
         * @param buffer that holds it, valid during the call only
         * @param offset of the payload
         * @param length of the payload
         * @param nowNs when it was read
         */
        void onFrame(
                ClientSession session, UnsafeBuffer buffer, int offset, int length, long nowNs);
    }

    /**
     * The second connection of a client whose channel is one-way: posts, one at a time, for
     * acknowledgements and the end.
     */
    private static final class Posts implements Readable {
        private final Client client;
        private final HttpLink link;
        private final ResponseBody answers = new ResponseBody();
        private long asked;
        private String next = "";
        private boolean isEnding;
        private boolean isClosed;

        Posts(final Client client, final Selector selector) throws IOException {
            this.client = client;
            link = new HttpLink(client.plan.server(), selector, this);
        }

        boolean isFree() {
            return asked == answers.whole();
        }

        /** Requests the end of the session. */
        void finish() {
            isEnding = true;
            post("/feed/finish?session=" + client.session.id());
        }

        /** Posts now, or after the one in progress. */
        void post(final String path) {
            if (isClosed) {
                return;
            }
            if (!isFree()) {
                next = path;
                return;
            }
            asked++;
            try {
                link.request("POST", path, "Content-Length: 0\r\n");
            } catch (final IOException e) {
                failed("the connection broke: " + e.getMessage());
            }
        }

        @Override
        public void onReadable(final ReadBuffer shared) {
            try {
                final int end = link.read(shared);
                if (end < 0) {
                    failed("the server closed the connection");
                    return;
                }
                final int to = answers.read(shared.buffer(), 0, end);
                link.keep(shared.buffer(), to, to + answers.keptHead());
                if (isFree() && !next.isEmpty()) {
                    final String path = next;
                    next = "";
                    post(path);
                }
            } catch (final IOException e) {
                failed("the connection broke: " + e.getMessage());
            }
        }

        /**
         * An acknowledgement may cross the end of the session, and is then refused: the other
         * connection has to report the end.
         */
        private void failed(final String reason) {
            if (isEnding) {
                close();
            } else {
                client.broke(reason);
            }
        }

        void close() {
            isClosed = true;
            link.close();
        }
    }

    /** A connection whose responses contain frames. Single-threaded. */
    static final class Responses {
        private final HttpLink link;
        private final ResponseBody body = new ResponseBody();
        private final FrameCutter cutter;
        private boolean isHeadKept;

        Responses(
                final ClientPlan plan,
                final Selector selector,
                final Readable reader,
                final FrameCutter cutter)
                throws IOException {
            this.cutter = cutter;
            link = new HttpLink(plan.server(), selector, reader);
        }

        void get(final String path) throws IOException {
            link.request("GET", path, "");
        }

        /** Reads, and passes on complete frames; false where the server has closed. */
        boolean read(final ReadBuffer shared) throws IOException {
            // bodies end with complete frames: the kept bytes belong to a frame or to a head, never
            // to both
            final int from = isHeadKept ? 0 : link.kept();
            final int end = link.read(shared);
            if (end < 0) {
                return false;
            }
            final long nowNs = shared.clock().nanoTime();
            final int to = body.read(shared.buffer(), from, end);
            final int cut = cutter.cut(shared.buffer(), to, nowNs);
            isHeadKept = body.keptHead() > 0;
            if (isHeadKept && cut < to) {
                throw new IOException("a response of the server ended within a frame");
            }
            link.keep(shared.buffer(), cut, to + body.keptHead());
            return true;
        }

        /** Number of complete responses. */
        long whole() {
            return body.whole();
        }

        void close() {
            link.close();
        }
    }

    /**
     * Parses responses of one connection in place, leaving only their bodies, one after the other.
     * Single-threaded; allocates only for heads.
     */
    static final class ResponseBody {
        private static final int HEXADECIMAL = 16;

        private enum Part {
            HEAD,
            SIZE,
            EXTENSION,
            DATA,
            AFTER_DATA,
            AFTER_LAST
        }

        private final ResponseHead head = new ResponseHead();
        private Part part = Part.HEAD;
        private int left;
        private long whole;
        private int keptHead;

        /** Number of complete responses. */
        long whole() {
            return whole;
        }

        /** Bytes at the end that belong to an incomplete head. */
        int keptHead() {
            return keptHead;
        }

        /**
         * Parses bytes.
         *
         * @param buffer that holds them
         * @param from where they begin; the bodies are moved here
         * @param end of them
         * @return end of the bodies; {@link #keptHead} bytes follow
         */
        int read(final UnsafeBuffer buffer, final int from, final int end) throws IOException {
            int at = from;
            int to = from;
            keptHead = 0;
            while (at < end) {
                if (part == Part.HEAD) {
                    final int bodyAt = head.read(buffer, at, end);
                    if (!head.isWhole()) {
                        keptHead = end - at;
                        buffer.putBytes(to, buffer, at, keptHead);
                        return to;
                    }
                    at = bodyAt;
                    begin();
                } else if (part == Part.DATA) {
                    final int length = Math.min(left, end - at);
                    buffer.putBytes(to, buffer, at, length);
                    to += length;
                    at += length;
                    left -= length;
                    if (left == 0) {
                        endData();
                    }
                } else {
                    between(buffer.getByte(at++));
                }
            }
            return to;
        }

        private void begin() {
            if (head.isChunked()) {
                left = 0;
                part = Part.SIZE;
            } else {
                left = head.contentLength();
                part = Part.DATA;
                if (left == 0) {
                    end();
                }
            }
        }

        private void endData() {
            if (head.isChunked()) {
                part = Part.AFTER_DATA;
            } else {
                end();
            }
        }

        private void end() {
            head.clear();
            part = Part.HEAD;
            whole++;
        }

        /** A byte of the framing of chunks. */
        private void between(final byte c) throws IOException {
            if (c == '\n') {
                line();
            } else if (part == Part.SIZE && c != '\r') {
                final int digit = Character.digit(c, HEXADECIMAL);
                if (digit < 0 && c != ';' || left >> 24 != 0) {
                    throw new IOException("its response is not HTTP");
                }
                part = digit < 0 ? Part.EXTENSION : part;
                left = digit < 0 ? left : left * HEXADECIMAL + digit;
            }
        }

        /** A line of the framing of chunks has ended. */
        private void line() {
            switch (part) {
                case SIZE, EXTENSION -> part = left == 0 ? Part.AFTER_LAST : Part.DATA;
                case AFTER_DATA -> part = Part.SIZE;
                default -> end();
            }
        }
    }

    /**
     * One client's view of its session: checks that no number is missing or duplicated, and knows
     * what to acknowledge. Single-threaded; allocates only for notes.
     */
    static final class ClientSession {
        private static final int COUNT_AT = 4;
        private static final int FRAME_AT = 8;
        private static final int ORDINAL_AT = 24;
        private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
        private static final Pattern MEMBER =
                Pattern.compile("\"(\\w+)\":(?:\"([^\"]*)\"|(-?\\d+))");

        private final Tally tally;
        private final int number;
        private long lastOrdinal;
        private long lastFrame;
        private long missing;
        private long duplicated;
        private long received;
        private long bytesSinceAck;
        private long ackedFrame;
        private String id = "";
        private boolean isOpen;
        private boolean isOver;
        private String endReason = "";
        private long sentByServer;
        private long offeredByServer;
        private long waitingAtServer;
        private long mergedByServer;
        private long heldBackByServer;
        private long sourceSilentMs;
        private final Flushed flushed = new Flushed();

        ClientSession(final Tally tally) {
            this.tally = tally;
            number = tally.newClient();
        }

        /**
         * What the server counts of its flushes, once a second and at the end: in the measured time
         * from the first report to the last; where there are fewer than two, the reports before and
         * after it stand for the missing ones.
         */
        final class Flushed {
            private long flushesBefore;
            private long lateBefore;
            private long flushesLast;
            private long lateLast;
            private int reports;
            private boolean isComplete;

            private void report(final long flushes, final long late, final long nowNs) {
                if (isComplete) {
                    return;
                }
                final boolean isAfter = tally.isAfterMeasured(nowNs);
                if (!isAfter && reports == 0) {
                    flushesBefore = flushes;
                    lateBefore = late;
                }
                reports += !isAfter && tally.isMeasured(nowNs) ? 1 : 0;
                if (!isAfter || reports < 2) {
                    flushesLast = flushes;
                    lateLast = late;
                }
                isComplete = isAfter;
            }

            long flushes() {
                return flushesLast - flushesBefore;
            }

            long late() {
                return lateLast - lateBefore;
            }
        }

        /** A binary frame. */
        void onFrame(
                final DirectBuffer buffer, final int offset, final int length, final long nowNs) {
            if (buffer.getByte(offset + 1) == BinaryFrame.NOTE) {
                final int bytes = buffer.getInt(offset + COUNT_AT, ORDER);
                onNote(buffer.getStringWithoutLengthUtf8(offset + BinaryFrame.HEAD, bytes), nowNs);
                return;
            }
            final int stride = buffer.getShort(offset + 2, ORDER) & 0xffff;
            final int count = buffer.getInt(offset + COUNT_AT, ORDER);
            for (int i = 0; i < count; i++) {
                tally.message(number, buffer, offset + BinaryFrame.HEAD + i * stride, nowNs);
            }
            onMessages(
                    buffer.getLong(offset + FRAME_AT, ORDER),
                    buffer.getLong(offset + ORDINAL_AT, ORDER),
                    count,
                    length);
        }

        /** Messages of a frame were counted. */
        void onMessages(final long frame, final long ordinal, final int count, final int length) {
            if (ordinal > lastOrdinal + 1) {
                missing += ordinal - lastOrdinal - 1;
            } else if (ordinal <= lastOrdinal) {
                duplicated += Math.min(count, lastOrdinal - ordinal + 1);
            }
            received += count;
            lastOrdinal = Math.max(lastOrdinal, ordinal + count - 1);
            lastFrame = frame;
            bytesSinceAck += length;
            tally.frame(length);
        }

        /** A note from the server. */
        void onNote(final String json, final long nowNs) {
            final Matcher member = MEMBER.matcher(json);
            String note = "";
            long flushes = -1;
            long lateFlushes = 0;
            while (member.find()) {
                switch (member.group(1)) {
                    case "note" -> note = member.group(2);
                    case "session" -> id = member.group(2);
                    case "epochNs" -> tally.epoch(Long.parseLong(member.group(3)));
                    case "host" -> tally.serversHost(member.group(2));
                    case "reason" -> endReason = member.group(2);
                    case "offered" -> offeredByServer = Long.parseLong(member.group(3));
                    case "waiting" -> waitingAtServer = Long.parseLong(member.group(3));
                    case "merged" -> mergedByServer = Long.parseLong(member.group(3));
                    case "heldBack" -> heldBackByServer = Long.parseLong(member.group(3));
                    case "flushes" -> flushes = Long.parseLong(member.group(3));
                    case "lateFlushes" -> lateFlushes = Long.parseLong(member.group(3));
                    case "sent" -> sentByServer = Long.parseLong(member.group(3));
                    case "sourceSilentMs" -> sourceSilentMs = Long.parseLong(member.group(3));
                    default -> {} // not used by this client
                }
            }
            if (flushes >= 0) {
                flushed.report(flushes, lateFlushes, nowNs);
            }
            isOpen |= note.equals("hello");
            isOver |= note.equals("end");
        }

        /** Whether enough was received to acknowledge it now. */
        boolean isToAcknowledge(final ClientPlan plan) {
            return lastFrame - ackedFrame >= plan.framesPerAcknowledgement()
                    || bytesSinceAck >= plan.bytesPerAcknowledgement();
        }

        boolean isAnythingNew() {
            return lastFrame != ackedFrame;
        }

        void acknowledged() {
            ackedFrame = lastFrame;
            bytesSinceAck = 0;
        }

        long lastFrame() {
            return lastFrame;
        }

        long lastOrdinal() {
            return lastOrdinal;
        }

        /** The server's name for it; empty before it is open. */
        String id() {
            return id;
        }

        boolean isOpen() {
            return isOpen;
        }

        boolean isOver() {
            return isOver;
        }

        /** The connection broke. */
        void broke(final String reason) {
            if (!isOver) {
                isOver = true;
                endReason = reason;
            }
        }

        String endReason() {
            return endReason;
        }

        /** What the server flushed for it in the measured time, and missed. */
        Flushed flushed() {
            return flushed;
        }

        /** For how long the source of the server's feed was silent; 0 where it is not gone. */
        long sourceSilentMs() {
            return sourceSilentMs;
        }

        /** Missing between messages, and at the end. */
        private long lost() {
            return missing + Math.max(0, sentByServer - lastOrdinal);
        }

        /** Adds what this session counts to what its group does. */
        void addTo(final ClientCounts all) {
            all.lost().add(lost());
            all.duplicated().add(duplicated);
            all.silent().add(isSilent() ? 1 : 0);
            all.flushes().add(flushed.flushes());
            all.lateFlushes().add(flushed.late());
            all.receivedInAll().add(received);
        }

        /**
         * Whether the feed had messages of its symbols and it received none; known at the end. What
         * still waited for its flush then is not missing, unless the client could take none.
         */
        private boolean isSilent() {
            return received == 0
                    && (offeredByServer > mergedByServer + waitingAtServer || heldBackByServer > 0);
        }
    }

    /** Finds frames in bytes that arrive in arbitrary pieces. */
    private interface FrameCutter {
        /**
         * Passes on the complete frames.
         *
         * @param buffer whose bytes begin at 0 with the start of a frame
         * @param end of the bytes
         * @param nowNs when they were read
         * @return start of the first incomplete frame
         */
        int cut(UnsafeBuffer buffer, int end, long nowNs);
    }

    /**
     * A connection of a client: reads into the buffer shared by all connections of the thread, and
     * keeps only incomplete parts.
     */
    private static final class HttpLink {
        private final SocketChannel channel;
        private final String headers;
        private byte[] rest = new byte[0];
        private int restLength;

        HttpLink(final ServerAddress server, final Selector selector, final Readable reader)
                throws IOException {
            final InetSocketAddress address = server.socketAddress();
            if (address.isUnresolved()) {
                throw new UnknownHostException("unknown host name");
            }
            channel = SocketChannel.open();
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.connect(address);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, reader);
            headers = server.headers();
        }

        /** Number of kept bytes: the next bytes are read after them. */
        int kept() {
            return restLength;
        }

        /**
         * Reads after the kept bytes; returns the end of the bytes, -1 if the server has closed.
         */
        int read(final ReadBuffer shared) throws IOException {
            final ByteBuffer bytes = shared.bytes();
            bytes.clear().put(rest, 0, restLength);
            return channel.read(bytes) < 0 ? -1 : bytes.position();
        }

        /** Keeps a part of what was read. */
        void keep(final UnsafeBuffer buffer, final int from, final int to) {
            restLength = to - from;
            if (rest.length < restLength) {
                rest = new byte[restLength * 2];
            }
            buffer.getBytes(from, rest, 0, restLength);
        }

        /** Sends a request with further header lines, each with its end. */
        void request(final String method, final String path, final String more) throws IOException {
            write(
                    ByteBuffer.wrap(
                            "%s %s HTTP/1.1\r\n%s%s\r\n"
                                    .formatted(method, path, headers, more)
                                    .getBytes(StandardCharsets.US_ASCII)));
        }

        /** Writes a few bytes; the socket buffer is empty unless the server is stalled. */
        void write(final ByteBuffer bytes) throws IOException {
            while (bytes.hasRemaining() && channel.write(bytes) > 0) {
                // until everything is written, or nothing more is accepted
            }
            if (bytes.hasRemaining()) {
                throw new IOException("the server reads nothing");
            }
        }

        void close() {
            try {
                channel.close();
            } catch (final IOException _) {
                // it is closing anyway
            }
        }
    }
}

package io.tickmark.workloads.fix.session;

import io.tickmark.kernel.time.VirtualClock;
import io.tickmark.workloads.fix.session.SessionHandler.Admission;
import io.tickmark.workloads.fix.session.SessionHandler.LogonRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The other side of a session, written by hand: sends messages byte by byte, receives the answers
 * of the session under test, and controls its time. Text has {@code |} for SOH.
 */
final class HandWrittenPeer implements SessionHandler {
    static final long START_MS = 1_795_000_000_000L; // 2026-11-18
    static final String US = "PEER";
    static final String THEM = "TESTED";

    final VirtualClock clock = new VirtualClock(5_000_000_000L);
    final SessionClock sessionClock =
            new SessionClock(clock, () -> START_MS + clock.nanoTime() / 1_000_000 - 5_000);
    final List<String> delivered = new ArrayList<>();
    final List<String> rejects = new ArrayList<>();
    final MessageStore store;
    final SessionConfig config;
    FixSession session;
    String ended;
    boolean isActive;
    Admission admission;
    LogonRequest request;
    String supported = "BDEVWX";
    private byte[] rest = {};

    private HandWrittenPeer(final SessionConfig config, final MessageStore store) {
        this.config = config;
        this.store = store;
        admission = Admission.granted(store);
        connect();
    }

    static HandWrittenPeer acceptor() {
        return of(SessionConfig.acceptor(FixVersion.FIX_4_4, THEM));
    }

    static HandWrittenPeer initiator() {
        return of(SessionConfig.initiator(FixVersion.FIX_4_4, THEM, US));
    }

    static HandWrittenPeer of(final SessionConfig config) {
        return of(config, new MemoryStore(1 << 16, START_MS));
    }

    static HandWrittenPeer of(final SessionConfig config, final MessageStore store) {
        return new HandWrittenPeer(config, store);
    }

    /** An acceptor that is logged on with number 1 on both sides. */
    static HandWrittenPeer loggedOn() {
        final HandWrittenPeer peer = acceptor();
        peer.says("A", 1, "98=0|108=30|");
        peer.heard();
        return peer;
    }

    /** A fresh connection with the same store. */
    void connect() {
        ended = null;
        isActive = false;
        rest = new byte[0];
        session =
                new FixSession(
                        config,
                        config.isInitiator() ? store : null,
                        new BodyScan(),
                        this,
                        sessionClock);
        if (config.isInitiator()) {
            session.logon();
        }
    }

    /** A message with a right header. */
    void says(final String type, final long number, final String body) {
        says(type, number, "", body);
    }

    /** A message with further header fields. */
    void says(final String type, final long number, final String header, final String body) {
        raw(
                framed(
                        config.version().beginString(),
                        "35=%s|49=%s|56=%s|34=%d|52=%s|%s%s"
                                .formatted(type, US, THEM, number, now(), header, body)));
    }

    String now() {
        return time(0);
    }

    /** SendingTime so many ms from now. */
    String time(final long shiftMs) {
        sessionClock.update();
        final TimestampText text = new TimestampText();
        text.update(sessionClock.nowMs() + shiftMs);
        return new String(text.bytes(), StandardCharsets.US_ASCII);
    }

    /** A message of these fields, its length and checksum right. */
    static String framed(final String beginString, final String fields) {
        final String start = "8=%s|9=%d|%s".formatted(beginString, fields.length(), fields);
        return start + "10=%03d|".formatted(sum(start));
    }

    static int sum(final String text) {
        return text.replace('|', '\u0001').chars().sum() % 256;
    }

    /** Bytes as they are. */
    void raw(final String text) {
        final byte[] said = text.replace('|', '\u0001').getBytes(StandardCharsets.ISO_8859_1);
        final byte[] all = new byte[rest.length + said.length];
        System.arraycopy(rest, 0, all, 0, rest.length);
        System.arraycopy(said, 0, all, rest.length, said.length);
        sessionClock.update();
        final int taken = session.onBytes(new UnsafeBuffer(all), 0, all.length);
        rest = java.util.Arrays.copyOfRange(all, taken, all.length);
    }

    int waiting() {
        return rest.length;
    }

    /** What the session has sent since, without begin string, length, times and checksum. */
    List<String> heard() {
        final List<String> heard = new ArrayList<>();
        for (final String message : heardInFull()) {
            heard.add(
                    message.replaceFirst("^8=[^|]*\\|9=[^|]*\\|", "")
                            .replaceFirst("\\|49=[^|]*\\|56=[^|]*", "")
                            .replaceFirst("\\|52=[^|]*", "")
                            .replaceFirst("\\|122=[^|]*", "")
                            .replaceFirst("10=\\d\\d\\d\\|$", ""));
        }
        return heard;
    }

    List<String> heardInFull() {
        final ByteBuffer into = ByteBuffer.allocate(session.out().waiting());
        session.out().written(session.out().copyTo(into));
        final String text =
                new String(into.array(), 0, into.position(), StandardCharsets.ISO_8859_1)
                        .replace('\u0001', '|');
        final List<String> messages = new ArrayList<>();
        for (final String message : text.split("(?<=\\|10=\\d\\d\\d\\|)")) {
            if (!message.isEmpty()) {
                messages.add(message);
            }
        }
        return messages;
    }

    /** Time advances in steps of 100 ms. */
    void after(final Duration duration) {
        for (long ms = 0; ms < duration.toMillis(); ms += 100) {
            clock.advance(100_000_000);
            sessionClock.update();
            session.onTimer();
        }
    }

    @Override
    public Admission admit(final FixSession asked, final LogonRequest logon) {
        request = logon;
        return admission;
    }

    @Override
    public void onActive(final FixSession active) {
        isActive = true;
    }

    @Override
    public Handled onMessage(final FixSession from, final InboundMessage message) {
        if (!supported.contains(message.type())) {
            return Handled.UNSUPPORTED;
        }
        if (message.typeChar() == 'V' && session.state() != FixSession.State.ACTIVE) {
            return Handled.UNAVAILABLE;
        }
        delivered.add(message.type() + " " + message.sequence());
        return Handled.TAKEN;
    }

    @Override
    public void onRejectSent(
            final FixSession by, final InboundMessage message, final String reason) {
        rejects.add("sent " + message.type() + " " + message.sequence() + " " + reason);
    }

    @Override
    public void onRejectReceived(final FixSession by, final InboundMessage reject) {
        rejects.add("received " + reject.type() + " " + reject.sequence());
    }

    @Override
    public void onEnd(final FixSession over, final String reason) {
        ended = reason;
    }
}

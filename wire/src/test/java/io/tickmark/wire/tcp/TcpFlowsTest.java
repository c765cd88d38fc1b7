package io.tickmark.wire.tcp;

import static io.tickmark.wire.Frames.ACK;
import static io.tickmark.wire.Frames.CLIENT;
import static io.tickmark.wire.Frames.FIN;
import static io.tickmark.wire.Frames.GATEWAY;
import static io.tickmark.wire.Frames.SYN;
import static io.tickmark.wire.Frames.ipv4;
import static io.tickmark.wire.Frames.tcp;
import static io.tickmark.wire.Frames.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.wire.net.IpPacket;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TcpFlowsTest {
    private static final int PORT = 40000;
    private static final int START = 1000;

    private final List<String> seen = new ArrayList<>();
    private final TcpFlows flows = new TcpFlows(this::open, 1_000_000_000, 8);
    private long timeNs;
    private int cutTo = Integer.MAX_VALUE;

    private ByteStream open(final TcpFlow flow) {
        final String name = flow.sourcePort() == PORT ? "" : flow.sourcePort() + ":";
        return new ByteStream() {
            @Override
            public void onBytes(
                    final DirectBuffer buffer,
                    final int offset,
                    final int length,
                    final long atNs,
                    final long position) {
                seen.add(name + buffer.getStringWithoutLengthAscii(offset, length) + "@" + atNs);
            }

            @Override
            public void onGap() {
                seen.add(name + "gap");
            }
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {START, -3, Integer.MAX_VALUE - 2})
    void shouldHandOnBytesInOrderAlsoWhereNumbersWrapAround(final int first) {
        send(first - 1, SYN, "");
        send(first, ACK, "abc");
        send(first + 3, ACK, "defg");
        send(first + 7, ACK, "h");

        assertThat(seen).containsExactly("abc@2", "defg@3", "h@4");
        assertThat(flows.counts().packets()).isEqualTo(4);
        assertThat(flows.counts().segments()).isEqualTo(3);
        assertThat(flows.counts().midStreams()).isZero();
    }

    @Test
    void shouldCountRetransmissionsAndTakeOnlyWhatIsNewOfThem() {
        open();
        send(START, ACK, "abc");
        send(START, ACK, "abc");
        send(START + 1, ACK, "bcde");

        assertThat(seen).containsExactly("abc@2", "de@4");
        assertThat(flows.counts().retransmissions()).isEqualTo(2);
        assertThat(flows.counts().outOfOrder()).isZero();
    }

    @Test
    void shouldPutSegmentsInOrderWithTheTimeAtWhichTheyWereWhole() {
        open();
        send(START + 6, ACK, "ghi");
        send(START + 3, ACK, "def");
        send(START + 6, ACK, "ghi");
        assertThat(seen).isEmpty();
        send(START, ACK, "abc");

        assertThat(seen).containsExactly("abc@5", "def@5", "ghi@5");
        assertThat(flows.counts().outOfOrder()).isEqualTo(1);
        assertThat(flows.counts().retransmissions()).isEqualTo(1);
    }

    @Test
    void shouldTakeOverlappingSegmentsOnce() {
        open();
        send(START + 2, ACK, "cdef");
        send(START + 4, ACK, "efgh");
        send(START, ACK, "abcd");

        assertThat(seen).containsExactly("abcd@4", "ef@4", "gh@4");
    }

    @Test
    void shouldBeginInTheMiddleOfAConnection() {
        send(START, ACK, "abc");
        send(START + 3, ACK, "def");

        assertThat(seen).containsExactly("gap", "abc@1", "def@2");
        assertThat(flows.counts().midStreams()).isEqualTo(1);
    }

    @Test
    void shouldPassOverAHoleThatTheOtherSideAcknowledges() {
        open();
        send(START, ACK, "abc");
        send(START + 6, ACK, "ghi");
        acknowledge(START + 9);
        assertThat(seen).as("it may still come").containsExactly("abc@2");
        timeNs += TcpFlow.GRACE_NS;
        acknowledge(START + 9);
        send(START + 9, ACK, "jkl");

        assertThat(seen).startsWith("abc@2", "gap", "ghi@3").last().asString().startsWith("jkl");
        assertThat(flows.counts().holes()).isEqualTo(1);
        assertThat(flows.counts().holeBytes()).isEqualTo(3);
        assertThat(flows.counts().retransmissions()).isZero();
    }

    @Test
    void shouldWaitForBytesThatNobodyAcknowledged() {
        open();
        send(START + 3, ACK, "def");
        acknowledge(START);
        timeNs += 10 * TcpFlow.GRACE_NS;
        acknowledge(START);
        assertThat(seen).isEmpty();
        send(START, ACK, "abc");

        assertThat(seen).hasSize(2);
        assertThat(flows.counts().holes()).isZero();
    }

    @Test
    void shouldReportTheHolesThatAreLeftAtTheEnd() {
        open();
        send(START + 3, ACK, "def");
        flows.finish();

        assertThat(seen).containsExactly("gap", "def@2");
        assertThat(flows.counts().holes()).isEqualTo(1);
    }

    @Test
    void shouldReportAHoleBeforeTheEndOfAConnection() {
        open();
        send(START, ACK, "abc");
        acknowledge(START + 6);
        send(START + 6, ACK | FIN, "");
        acknowledge(START + 7);
        flows.finish();

        assertThat(seen).containsExactly("abc@2", "gap");
        assertThat(flows.counts().holes()).isEqualTo(1);
        assertThat(flows.counts().holeBytes()).isEqualTo(3);
    }

    @Test
    void shouldReportAHoleAtTheEndOfACaptureWhereTheConnectionGoesOn() {
        open();
        send(START, ACK, "abc");
        acknowledge(START + 6);
        timeNs += TcpFlow.GRACE_NS;
        acknowledge(START + 6);
        flows.finish();

        assertThat(flows.counts().holes()).isEqualTo(1);
        assertThat(flows.counts().holeBytes()).isEqualTo(3);
    }

    @Test
    void shouldNotTakeWhatMayStandBehindTheEndOfTheCaptureForAHole() {
        open();
        send(START, ACK, "abc");
        acknowledge(START + 6);
        flows.finish();

        assertThat(flows.counts().holes()).isZero();
    }

    @Test
    void shouldTakeAFinForNoHoleWhetherItWasCapturedOrNot() {
        open();
        send(START, ACK, "abc");
        send(START + 3, ACK | FIN, "");
        acknowledge(START + 4);
        take(CLIENT, GATEWAY, tcp(PORT + 1, 80, START, 0, ACK, text("xyz")));
        take(GATEWAY, CLIENT, tcp(80, PORT + 1, 1, START + 4, ACK | FIN, new byte[0]));
        flows.finish();

        assertThat(flows.counts().holes()).isZero();
    }

    @Test
    void shouldReportAHoleWhereThePortsAreUsedAgain() {
        open();
        send(START, ACK, "abc");
        acknowledge(START + 6);
        send(START + 6, ACK | FIN, "");
        send(900_000, SYN, "");
        send(900_001, ACK, "xyz");
        flows.finish();

        assertThat(flows.counts().holes()).isEqualTo(1);
        assertThat(flows.counts().holeBytes()).isEqualTo(3);
    }

    @Test
    void shouldBoundWhatWaits() {
        open();
        for (int i = 1; i <= TcpFlow.Parking.MAX_SEGMENTS; i++) {
            send(START + 2 * i, ACK, "x");
        }

        assertThat(seen).contains("gap");
        assertThat(flows.counts().holes()).isPositive();
    }

    @Test
    void shouldBoundWhatWaitsInAllConnectionsTogether() {
        final TcpFlows many = new TcpFlows(flow -> ByteStream.NONE, 1_000_000_000, 64);
        final byte[] payload = new byte[60_000];
        final int segmentsEach = TcpFlow.Parking.MAX_BYTES / payload.length;
        final long flowsInAll = TcpFlow.Parking.MAX_TOTAL_BYTES / TcpFlow.Parking.MAX_BYTES + 4;
        for (int port = 1; port <= flowsInAll; port++) {
            offer(many, tcp(port, 80, START - 1, 0, SYN, new byte[0]));
            for (int i = 0; i < segmentsEach; i++) {
                offer(many, tcp(port, 80, START + 9 + i * payload.length, 0, ACK, payload));
            }
        }

        assertThat(many.counts().parkedBytes)
                .isPositive()
                .isLessThanOrEqualTo(TcpFlow.Parking.MAX_TOTAL_BYTES);
        assertThat(many.counts().holes()).as("passed over for want of room").isPositive();
        many.finish();
        assertThat(many.counts().parkedBytes).isZero();
    }

    private void offer(final TcpFlows to, final byte[] segment) {
        final byte[] bytes = ipv4(CLIENT, GATEWAY, IpPacket.TCP, 0, 0, segment);
        final IpPacket ip = new IpPacket();
        assertThat(ip.wrap(new UnsafeBuffer(bytes), 0, bytes.length, bytes.length)).isTrue();
        to.onDatagram(ip, timeNs, 0);
    }

    @Test
    void shouldTakeAKeepAliveForNeitherBytesNorARetransmission() {
        open();
        send(START, ACK, "abc");
        send(START + 2, ACK, "c");

        assertThat(flows.counts().keepAlives()).isEqualTo(1);
        assertThat(flows.counts().retransmissions()).isZero();
    }

    @Test
    void shouldReportWhereTheCaptureCutASegmentOff() {
        open();
        cutTo = 2;
        send(START, ACK, "abcd");
        cutTo = Integer.MAX_VALUE;
        send(START + 4, ACK, "efg");

        assertThat(seen).containsExactly("ab@2", "gap", "efg@3");
        assertThat(flows.counts().truncatedBytes()).isEqualTo(2);
    }

    @Test
    void shouldBeginAnewWhenThePortsAreUsedAgain() {
        open();
        send(START, ACK, "abc");
        send(START + 3, ACK | FIN, "");
        send(900_000, SYN, "");
        send(900_001, ACK, "xyz");

        assertThat(seen).containsExactly("abc@2", "gap", "xyz@5");
        assertThat(flows.counts().retransmissions()).isZero();
    }

    @Test
    void shouldBeginAnewWhereTheHandshakeOfANewConnectionIsNotCaptured() {
        open();
        send(START, ACK, "abc");
        for (int i = 0; i < 10; i++) {
            send(START - 500_000_000 + i, ACK, "x");
        }

        assertThat(seen).endsWith("x@10", "x@11", "x@12");
        assertThat(flows.counts().midStreams()).isEqualTo(1);
    }

    @Test
    void shouldIgnoreAHandshakeThatIsSentAgain() {
        open();
        open();
        send(START, ACK, "abc");
        open();
        send(START + 3, ACK, "def");

        assertThat(seen).containsExactly("abc@3", "def@5");
    }

    @Test
    void shouldForgetTheOldestConnectionsWhenThereAreTooMany() {
        for (int port = 1; port <= 100; port++) {
            timeNs++;
            take(CLIENT, GATEWAY, tcp(port, 80, START, 0, ACK, text("x")));
        }

        assertThat(seen).hasSize(200);
        assertThat(flows.forgotten()).isGreaterThanOrEqualTo(92);
    }

    @Test
    void shouldCountHeadersThatCannotBe() {
        take(CLIENT, GATEWAY, new byte[19]);
        final byte[] tooLong = tcp(PORT, 80, 1, 1, ACK, new byte[0]);
        tooLong[12] = (byte) 0xf0;
        take(CLIENT, GATEWAY, tooLong);

        assertThat(flows.counts().malformed()).isEqualTo(2);
    }

    private void open() {
        send(START - 1, SYN, "");
    }

    private void send(final int sequence, final int flags, final String payload) {
        timeNs++;
        take(CLIENT, GATEWAY, tcp(PORT, 80, sequence, 0, flags, text(payload)));
    }

    private void acknowledge(final int sequence) {
        timeNs++;
        take(GATEWAY, CLIENT, tcp(80, PORT, 1, sequence, ACK, new byte[0]));
    }

    private void take(final int source, final int destination, final byte[] segment) {
        final byte[] bytes = ipv4(source, destination, IpPacket.TCP, 0, 0, segment);
        final IpPacket ip = new IpPacket();
        final int there = Math.min(bytes.length, cutTo == Integer.MAX_VALUE ? cutTo : 40 + cutTo);
        assertThat(ip.wrap(new UnsafeBuffer(bytes), 0, there, bytes.length)).isTrue();
        flows.onDatagram(ip, timeNs, 0);
    }
}

package io.tickmark.workloads.market.provider;

import static org.assertj.core.api.Assertions.assertThat;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.Codec;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.DecodeIterator;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.MsgClasses;
import com.refinitiv.eta.codec.PostMsg;
import com.refinitiv.eta.codec.RequestMsg;
import com.refinitiv.eta.transport.Channel;
import com.refinitiv.eta.transport.TransportBuffer;
import com.refinitiv.eta.valueadd.reactor.ReactorChannel;
import com.refinitiv.eta.valueadd.reactor.ReactorChannelInfo;
import com.refinitiv.eta.valueadd.reactor.ReactorErrorInfo;
import com.refinitiv.eta.valueadd.reactor.ReactorReturnCodes;
import com.refinitiv.eta.valueadd.reactor.ReactorSubmitOptions;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.MessageEncoder;
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.data.PayloadDecoder;
import io.tickmark.workloads.market.data.ReflectedPost;
import io.tickmark.workloads.market.data.TransportBytes;
import io.tickmark.workloads.market.measure.StampClock;
import io.tickmark.workloads.market.measure.TickBursts;
import io.tickmark.workloads.market.rssl.ConnectionSettings;
import io.tickmark.workloads.market.rssl.PackedWriter;
import io.tickmark.workloads.market.source.EncodeTime;
import io.tickmark.workloads.market.source.EtaSink;
import io.tickmark.workloads.market.source.ItemFeed;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;
import org.junit.jupiter.api.Test;

class EtaServedTest {
    private static final int DOMAIN = 6;
    private static final int SNAPSHOTS = 100;

    private final NanoClock clock = () -> 1;
    private final FieldDictionary dictionary = FieldDictionary.own();
    private final ProviderCounts counts = ProviderCounts.COLUMNS.zero();
    private final Connection connection = new Connection();
    private final EtaProvider.EtaServed served = served();

    private EtaProvider.EtaServed served() {
        final PackedWriter writer =
                new PackedWriter(
                        connection, Settings.read(ConnectionSettings.class, Map.of(), key -> key));
        return new EtaProvider.EtaServed(
                connection,
                writer,
                new ItemFeed(clock, new TickBursts(100, 0, 100, 1), new TickBursts(0, 0, 100, 1)),
                new EtaSink(
                        new MessageEncoder(dictionary, TimeUnit.NANOSECONDS),
                        writer,
                        false,
                        1,
                        new EncodeTime(clock, null)),
                new EtaProvider.EtaServed.Tools(
                        MessageFile.own(dictionary),
                        1,
                        new PayloadDecoder(dictionary),
                        new ReflectedPost(),
                        null,
                        new StampClock(),
                        null,
                        clock,
                        counts));
    }

    /** Keeps what is written, or has no output buffer free. */
    private static final class Connection extends ReactorChannel {
        private final List<String> written = new ArrayList<>();
        private boolean isFull;

        @Override
        public TransportBuffer getBuffer(
                final int bytes, final boolean isPacked, final ReactorErrorInfo error) {
            return isFull ? null : new TransportBytes(bytes, 3);
        }

        @Override
        public int submit(
                final TransportBuffer buffer,
                final ReactorSubmitOptions options,
                final ReactorErrorInfo error) {
            final DecodeIterator from = CodecFactory.createDecodeIterator();
            final Buffer bytes = CodecFactory.createBuffer();
            bytes.data(ByteBuffer.wrap(((TransportBytes) buffer).written()));
            from.setBufferAndRWFVersion(bytes, majorVersion(), minorVersion());
            final Msg message = CodecFactory.createMsg();
            message.decode(from);
            written.add(message.streamId() + " " + MsgClasses.toString(message.msgClass()));
            return ReactorReturnCodes.SUCCESS;
        }

        @Override
        public int info(final ReactorChannelInfo info, final ReactorErrorInfo error) {
            return ReactorReturnCodes.SUCCESS; // no room to pack messages
        }

        @Override
        public int majorVersion() {
            return Codec.majorVersion();
        }

        @Override
        public int minorVersion() {
            return Codec.minorVersion();
        }

        @Override
        public int protocolType() {
            return Codec.RWF_PROTOCOL_TYPE;
        }

        @Override
        public Channel channel() {
            return null;
        }
    }

    private static Msg message(final int kind, final int streamId) {
        final Msg message = CodecFactory.createMsg();
        message.msgClass(kind);
        message.domainType(DOMAIN);
        message.streamId(streamId);
        message.containerType(DataTypes.NO_DATA);
        return message;
    }

    private void request(final int streamId, final String item, final boolean isStreaming) {
        final RequestMsg request = (RequestMsg) message(MsgClasses.REQUEST, streamId);
        if (isStreaming) {
            request.applyStreaming();
        }
        request.msgKey().applyHasName();
        request.msgKey().name().data(item);
        served.on(request);
    }

    private void close(final int streamId) {
        served.on(message(MsgClasses.CLOSE, streamId));
    }

    private void post(final int streamId) {
        final PostMsg post = (PostMsg) message(MsgClasses.POST, streamId);
        post.applyAck();
        post.applyHasPostId();
        post.postId(3);
        served.on(post);
    }

    @Test
    void shouldSendNoSnapshotThatWasClosedBeforeItsTurn() {
        request(5, "A", false);
        close(5);
        request(6, "B", false);
        served.sendImages(2);
        assertThat(connection.written).containsExactly("6 REFRESH");
    }

    @Test
    void shouldForgetSnapshotsOnceTheyAreSent() {
        request(1, "A", true);
        for (int stream = 2; stream < 2 + SNAPSHOTS; stream++) {
            request(stream, "B", false);
            served.sendImages(2);
        }
        assertThat(connection.written).hasSize(1 + SNAPSHOTS);
        assertThat(served.items()).hasSize(2);
    }

    @Test
    void shouldAnswerEachRequestOnAStreamThatASnapshotHasEnded() {
        request(5, "A", false);
        served.sendImages(1);
        request(5, "B", true);
        served.sendImages(1);
        assertThat(connection.written).containsExactly("5 REFRESH", "5 REFRESH");
        assertThat(counts.refused().get()).isZero();
    }

    /** The snapshot that was closed is forgotten later than the stream is open again. */
    @Test
    void shouldKeepTheItemThatFollowedAClosedSnapshotOnItsStream() {
        request(4, "Z", false);
        request(5, "A", false);
        close(5);
        request(5, "B", true);
        served.sendImages(2);
        post(5);
        assertThat(served.items()).hasSize(1);
        assertThat(connection.written)
                .containsExactly("4 REFRESH", "5 REFRESH", "5 ACK", "5 UPDATE");
    }

    @Test
    void shouldSendNoSnapshotAgainToAConsumerThatHasNoOtherServerAnyMore() {
        served.standby(true);
        request(5, "A", false);
        request(6, "B", true);
        served.sendImages(2);
        served.standby(false);
        served.sendImages(2);
        assertThat(connection.written).containsExactly("5 REFRESH", "6 REFRESH", "6 REFRESH");
    }

    @Test
    void shouldForgetTheAnswersOfAStreamThatIsClosed() {
        request(7, "A", true);
        request(8, "B", true);
        served.sendImages(2);
        connection.written.clear();
        connection.isFull = true;
        post(7);
        post(8);
        request(7, "C", true);
        close(7);
        assertThat(served.waitingBytes()).isEqualTo(2 * ServedConsumer.HEADER_BYTES);

        connection.isFull = false;
        served.sendWaiting();
        assertThat(connection.written).containsExactly("8 ACK", "8 UPDATE");
        assertThat(served.waitingBytes()).isZero();
        assertThat(counts.unsent().get()).isZero();
    }

    @Test
    void shouldForgetTheAnswersOfAStreamThatHasEndedWithItsSnapshot() {
        connection.isFull = true;
        request(7, "A", false);
        request(7, "B", false);
        assertThat(counts.refused().get()).isEqualTo(1);
        connection.isFull = false;
        served.sendImages(1);
        served.sendWaiting();
        assertThat(connection.written).containsExactly("7 REFRESH");
        assertThat(served.waitingBytes()).isZero();
    }
}

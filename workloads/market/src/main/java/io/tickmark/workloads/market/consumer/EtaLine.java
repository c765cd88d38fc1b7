package io.tickmark.workloads.market.consumer;

import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.MsgClasses;
import com.refinitiv.eta.codec.RequestMsg;
import com.refinitiv.eta.rdm.InstrumentNameTypes;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.Item;
import io.tickmark.workloads.market.data.MessageEncoder;
import io.tickmark.workloads.market.data.MessageTemplate;
import io.tickmark.workloads.market.data.PostHeader;
import io.tickmark.workloads.market.data.Tracking;
import io.tickmark.workloads.market.rssl.PackedWriter;
import io.tickmark.workloads.market.rssl.ReactorLoop;
import java.util.concurrent.TimeUnit;

/** A connection on the Transport API: messages are encoded into packed buffers. */
final class EtaLine implements ConsumerLine {
    /** Message header and key without the name. */
    private static final int HEADER_BYTES = 64;

    private static final long LOOPBACK = 0x7f000001L;

    private final ReactorLoop loop;
    private final ConsumerSession session;
    private final WatchedItems items;
    private final TimeUnit stampUnit;
    private final RequestMsg request;
    private final PostHeader header;
    private final Tracking tracking = new Tracking();
    private MessageEncoder encoder;

    EtaLine(
            final ConsumerShared shared,
            final ReactorLoop loop,
            final WatchedItems items,
            final ItemIntake intake,
            final long ownUserId) {
        this.loop = loop;
        this.items = items;
        session =
                new ConsumerSession(
                        shared, loop, new ConsumerInbox(items, intake, shared.dictionary()));
        stampUnit = shared.settings().nanoTime() ? TimeUnit.NANOSECONDS : TimeUnit.MICROSECONDS;
        header = new PostHeader(ownUserId, LOOPBACK);
        final Msg message = CodecFactory.createMsg();
        message.msgClass(MsgClasses.REQUEST);
        request = (RequestMsg) message;
    }

    @Override
    public void open() {
        session.open();
    }

    @Override
    public void dispatch(final long nowNs) {
        loop.dispatch(nowNs);
    }

    @Override
    public void idle(final long forNs) {
        loop.idle(forNs);
    }

    @Override
    public ConsumerPhase phase() {
        return session.phase();
    }

    @Override
    public void phase(final ConsumerPhase reached) {
        session.phase(reached);
    }

    @Override
    public boolean isReady() {
        return session.isReady();
    }

    @Override
    public String diagnosis() {
        return session.diagnosis();
    }

    @Override
    public FieldDictionary dictionary() {
        return session.dictionary();
    }

    @Override
    public boolean request(final int index, final boolean isSnapshot) {
        final Item item = items.get(index);
        final EncodeIterator iterator =
                session.writer().begin(HEADER_BYTES + 3 * item.name().length());
        if (iterator == null) {
            return false;
        }
        request.clear();
        request.msgClass(MsgClasses.REQUEST);
        request.streamId(WatchedItems.stream(index));
        request.domainType(item.domainType());
        request.containerType(DataTypes.NO_DATA);
        if (!isSnapshot) {
            request.applyStreaming();
        }
        request.msgKey().applyHasServiceId();
        request.msgKey().serviceId(session.serviceId());
        request.msgKey().applyHasNameType();
        request.msgKey().nameType(InstrumentNameTypes.RIC);
        request.msgKey().applyHasName();
        request.msgKey().name().data(item.name());
        check(request.encode(iterator));
        session.writer().end();
        return true;
    }

    @Override
    public boolean post(final int index, final MessageTemplate template, final Marks marks) {
        final EncodeIterator iterator = begin(template, marks);
        if (iterator == null) {
            return false;
        }
        check(encoder.post(iterator, template, WatchedItems.stream(index), tracking, header));
        session.writer().end();
        return true;
    }

    @Override
    public boolean generic(final int index, final MessageTemplate template, final Marks marks) {
        final EncodeIterator iterator = begin(template, marks);
        if (iterator == null) {
            return false;
        }
        check(encoder.generic(iterator, template, WatchedItems.stream(index), tracking));
        session.writer().end();
        return true;
    }

    private EncodeIterator begin(final MessageTemplate template, final Marks marks) {
        if (encoder == null) {
            encoder = new MessageEncoder(session.dictionary(), stampUnit);
        }
        if (marks.takenNs() == 0) {
            tracking.plain(marks.sequence());
        } else {
            tracking.timed(marks.sequence(), marks.takenNs(), marks.intendedNs());
        }
        return session.writer().begin(template.maxBytes(0));
    }

    private static void check(final int code) {
        if (code < CodecReturnCodes.SUCCESS) {
            throw new IllegalStateException(
                    "a message cannot be encoded: " + CodecReturnCodes.toString(code));
        }
    }

    @Override
    public void flush() {
        session.writer().flush();
    }

    @Override
    public String failure() {
        final PackedWriter writer = session.writer();
        return writer.hasFailed() ? writer.failure() : "";
    }

    @Override
    public long loginNs() {
        return session.loginNs();
    }

    @Override
    public void close() {
        session.close();
    }
}

package io.tickmark.workloads.market.publisher;

import io.tickmark.workloads.market.data.MessageEncoder;
import io.tickmark.workloads.market.rssl.ReactorLoop;
import io.tickmark.workloads.market.source.EncodeTime;
import io.tickmark.workloads.market.source.EtaSink;
import io.tickmark.workloads.market.source.FeedSink;
import io.tickmark.workloads.market.source.SourceSettings;
import java.util.concurrent.TimeUnit;

/** The connection on the Transport API: messages are encoded into packed buffers. */
final class EtaPublisherLine implements PublisherLine {
    private final PublisherShared shared;
    private final ReactorLoop loop;
    private final PublisherSession session;
    private final EncodeTime encodeTime;
    private EtaSink sink;

    EtaPublisherLine(final PublisherShared shared, final int thread, final ReactorLoop loop) {
        this.shared = shared;
        this.loop = loop;
        encodeTime = shared.encodeTime(thread);
        session = new PublisherSession(shared, loop);
    }

    @Override
    public void open() {
        session.open();
    }

    @Override
    public void dispatch(final long nowNs) {
        loop.dispatch(nowNs);
        if (session.writer() != null && session.writer().hasFailed()) {
            loop.dispatch(nowNs); // it says why
        }
    }

    @Override
    public void idle(final long forNs) {
        loop.idle(forNs);
    }

    @Override
    public boolean isReady() {
        return session.isReady();
    }

    @Override
    public FeedSink sink() {
        if (sink == null) {
            final SourceSettings source = shared.settings().source();
            sink =
                    new EtaSink(
                            new MessageEncoder(
                                    shared.dictionary(),
                                    source.nanoTime()
                                            ? TimeUnit.NANOSECONDS
                                            : TimeUnit.MICROSECONDS),
                            session.writer(),
                            source.preEnc(),
                            shared.settings().serviceId(),
                            encodeTime);
        }
        return sink;
    }

    @Override
    public long noBuffer() {
        return session.writer() == null ? 0 : session.writer().noBuffer();
    }

    @Override
    public long loginNs() {
        return session.loginNs();
    }

    @Override
    public long posts() {
        return session.posts();
    }

    @Override
    public String diagnosis() {
        return session.diagnosis();
    }

    @Override
    public void close() {
        loop.close();
    }
}

package io.tickmark.workloads.market.publisher;

import com.refinitiv.eta.codec.MsgClasses;
import com.refinitiv.eta.rdm.Directory;
import com.refinitiv.eta.rdm.Login;
import com.refinitiv.eta.valueadd.reactor.NIProviderRole;
import com.refinitiv.eta.valueadd.reactor.ReactorCallbackReturnCodes;
import com.refinitiv.eta.valueadd.reactor.ReactorFactory;
import com.refinitiv.eta.valueadd.reactor.ReactorMsgEvent;
import com.refinitiv.eta.valueadd.reactor.ReactorRole;
import io.tickmark.workloads.market.data.MessageEncoder;
import io.tickmark.workloads.market.rssl.EtaConnection;
import io.tickmark.workloads.market.source.AdminReplies;
import io.tickmark.workloads.market.source.EncodeTime;
import io.tickmark.workloads.market.source.EtaSink;
import io.tickmark.workloads.market.source.FeedSink;
import io.tickmark.workloads.market.source.SourceSettings;

/** The connection on the Transport API: messages are encoded into packed buffers. */
final class EtaPublisher extends EtaConnection implements PublisherApi {
    /** Streams that a provider opens have negative ids. */
    private static final int DIRECTORY_STREAM = -1;

    private final PublisherShared shared;
    private final EncodeTime encodeTime;
    private EtaSink sink;
    private long posts;

    EtaPublisher(final PublisherShared shared, final int number) {
        super(
                shared,
                shared.hub(),
                shared.settings().run().reactor(shared, number, shared.connection()));
        this.shared = shared;
        encodeTime = shared.encodeTime(number);
    }

    @Override
    protected ReactorRole role(final String userName) {
        final PublisherSettings settings = shared.settings();
        final NIProviderRole role = ReactorFactory.createNIProviderRole();
        role.loginMsgCallback(this);
        role.initDefaultRDMLoginRequest();
        role.rdmLoginRequest().userName().data(userName);
        role.rdmLoginRequest().applyHasRole();
        role.rdmLoginRequest().role(Login.RoleTypes.PROV);
        role.rdmDirectoryRefresh(
                new AdminReplies(settings.serviceName(), settings.serviceId())
                        .directory(
                                DIRECTORY_STREAM,
                                Directory.ServiceFilterFlags.INFO
                                        | Directory.ServiceFilterFlags.STATE));
        return role;
    }

    @Override
    protected void lost(final String why) {
        shared.lost(isReady(), why);
    }

    @Override
    public void dispatch(final long nowNs) {
        super.dispatch(nowNs);
        if (isUp() && writer().hasFailed()) {
            super.dispatch(nowNs); // its events say why
        }
    }

    @Override
    public int defaultMsgCallback(final ReactorMsgEvent event) {
        if (event.msg() != null && event.msg().msgClass() == MsgClasses.POST) {
            posts++;
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    @Override
    public FeedSink sink() {
        if (sink == null) {
            final SourceSettings source = shared.settings().source();
            sink =
                    new EtaSink(
                            new MessageEncoder(shared.dictionary(), source.stampUnit()),
                            writer(),
                            source.preEnc(),
                            shared.settings().serviceId(),
                            encodeTime);
        }
        return sink;
    }

    @Override
    public long noBuffer() {
        return isUp() ? writer().noBuffer() : 0;
    }

    @Override
    public long posts() {
        return posts;
    }
}

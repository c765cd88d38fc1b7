package io.tickmark.workloads.market.publisher;

import com.refinitiv.eta.codec.MsgClasses;
import com.refinitiv.eta.codec.StreamStates;
import com.refinitiv.eta.rdm.Directory;
import com.refinitiv.eta.rdm.Login;
import com.refinitiv.eta.transport.Transport;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginMsgType;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginRefresh;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginStatus;
import com.refinitiv.eta.valueadd.reactor.DefaultMsgCallback;
import com.refinitiv.eta.valueadd.reactor.NIProviderRole;
import com.refinitiv.eta.valueadd.reactor.RDMLoginMsgCallback;
import com.refinitiv.eta.valueadd.reactor.RDMLoginMsgEvent;
import com.refinitiv.eta.valueadd.reactor.ReactorCallbackReturnCodes;
import com.refinitiv.eta.valueadd.reactor.ReactorChannel;
import com.refinitiv.eta.valueadd.reactor.ReactorChannelEvent;
import com.refinitiv.eta.valueadd.reactor.ReactorChannelEventCallback;
import com.refinitiv.eta.valueadd.reactor.ReactorChannelEventTypes;
import com.refinitiv.eta.valueadd.reactor.ReactorErrorInfo;
import com.refinitiv.eta.valueadd.reactor.ReactorFactory;
import com.refinitiv.eta.valueadd.reactor.ReactorMsgEvent;
import com.refinitiv.eta.valueadd.reactor.ReactorReturnCodes;
import io.tickmark.workloads.market.data.MessageEncoder;
import io.tickmark.workloads.market.rssl.FirstSender;
import io.tickmark.workloads.market.rssl.PackedWriter;
import io.tickmark.workloads.market.rssl.ReactorLoop;
import io.tickmark.workloads.market.rssl.Rssl;
import io.tickmark.workloads.market.source.AdminReplies;
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

    EtaPublisherLine(final PublisherShared shared, final int number, final PublisherCounts counts) {
        this.shared = shared;
        loop = shared.settings().run().reactor(shared, number, shared.connection());
        encodeTime = shared.encodeTime(number);
        session = new PublisherSession(shared, loop, counts);
    }

    @Override
    public void open() {
        session.open();
    }

    @Override
    public void dispatch(final long nowNs) {
        loop.dispatch(nowNs);
        if (session.writer() != null && session.writer().hasFailed()) {
            loop.dispatch(nowNs); // its events say why
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
    public String diagnosis() {
        return session.diagnosis();
    }

    @Override
    public void close() {
        loop.close();
    }

    /** The administrative side of one connection of a publisher. Single-threaded. */
    private static final class PublisherSession
            implements ReactorChannelEventCallback, RDMLoginMsgCallback, DefaultMsgCallback {
        /** Streams that a provider opens have negative ids. */
        private static final int DIRECTORY_STREAM = -1;

        private final PublisherShared shared;
        private final ReactorLoop loop;
        private final PublisherCounts counts;
        private final ReactorErrorInfo error = ReactorFactory.createReactorErrorInfo();
        private PackedWriter writer;
        private boolean isUp;
        private boolean isReady;
        private long loginSentNs;
        private String lastTrouble = "";

        PublisherSession(
                final PublisherShared shared,
                final ReactorLoop loop,
                final PublisherCounts counts) {
            this.shared = shared;
            this.loop = loop;
            this.counts = counts;
        }

        void open() {
            final PublisherSettings settings = shared.settings();
            final NIProviderRole role = ReactorFactory.createNIProviderRole();
            role.channelEventCallback(this);
            role.loginMsgCallback(this);
            role.defaultMsgCallback(this);
            role.initDefaultRDMLoginRequest();
            role.rdmLoginRequest()
                    .userName()
                    .data(settings.uname().isEmpty() ? Transport.userName() : settings.uname());
            role.rdmLoginRequest().applyHasRole();
            role.rdmLoginRequest().role(Login.RoleTypes.PROV);
            role.rdmDirectoryRefresh(
                    new AdminReplies(settings.serviceName(), settings.serviceId())
                            .directory(
                                    DIRECTORY_STREAM,
                                    Directory.ServiceFilterFlags.INFO
                                            | Directory.ServiceFilterFlags.STATE));
            final int code =
                    loop.reactor()
                            .connect(
                                    Rssl.connectTo(
                                            shared.hub().host(),
                                            shared.hub().port(),
                                            shared.connection(),
                                            settings.reconnectDelay()),
                                    role,
                                    error);
            if (code < ReactorReturnCodes.SUCCESS) {
                shared.fail(
                        "The connection to %s cannot be opened: %s."
                                .formatted(shared.hub(), Rssl.text(error)));
            }
        }

        @Override
        public int reactorChannelEventCallback(final ReactorChannelEvent event) {
            final ReactorChannel channel = event.reactorChannel();
            switch (event.eventType()) {
                case ReactorChannelEventTypes.CHANNEL_UP -> {
                    isUp = true;
                    FirstSender.await(channel);
                    loginSentNs = shared.context().clock().nanoTime();
                    loop.add(channel);
                    writer = new PackedWriter(channel, shared.connection());
                }
                case ReactorChannelEventTypes.CHANNEL_READY -> isReady = true;
                case ReactorChannelEventTypes.FD_CHANGE -> loop.descriptorChanged(channel);
                case ReactorChannelEventTypes.CHANNEL_DOWN,
                        ReactorChannelEventTypes.CHANNEL_DOWN_RECONNECTING ->
                        onDown(event);
                default -> {}
            }
            return ReactorCallbackReturnCodes.SUCCESS;
        }

        private void onDown(final ReactorChannelEvent event) {
            lastTrouble = Rssl.text(event.errorInfo());
            if (!isUp) {
                return; // it is tried again
            }
            if (shared.settings().endWithHub() && isReady) {
                shared.end();
            } else {
                shared.fail(
                        "The connection to the hub at %s was lost%s."
                                .formatted(
                                        shared.hub(),
                                        lastTrouble.isEmpty() ? "" : " (" + lastTrouble + ")"));
            }
        }

        @Override
        public int rdmLoginMsgCallback(final RDMLoginMsgEvent event) {
            if (event.rdmLoginMsg() == null) {
                return ReactorCallbackReturnCodes.SUCCESS;
            }
            if (event.rdmLoginMsg().rdmMsgType() == LoginMsgType.REFRESH) {
                final LoginRefresh refresh = (LoginRefresh) event.rdmLoginMsg();
                counts.loginNs().set(shared.context().clock().nanoTime() - loginSentNs);
                if (refresh.state().streamState() != StreamStates.OPEN) {
                    refused(refresh.state().text().toString());
                }
            } else if (event.rdmLoginMsg().rdmMsgType() == LoginMsgType.STATUS) {
                final LoginStatus status = (LoginStatus) event.rdmLoginMsg();
                if (status.checkHasState() && status.state().streamState() != StreamStates.OPEN) {
                    refused(status.state().text().toString());
                }
            }
            return ReactorCallbackReturnCodes.SUCCESS;
        }

        private void refused(final String words) {
            shared.fail(
                    "The hub at %s refused the login: %s."
                            .formatted(shared.hub(), words.isEmpty() ? "no reason given" : words));
        }

        @Override
        public int defaultMsgCallback(final ReactorMsgEvent event) {
            if (event.msg() != null && event.msg().msgClass() == MsgClasses.POST) {
                counts.posts().increment();
            }
            return ReactorCallbackReturnCodes.SUCCESS;
        }

        boolean isReady() {
            return isReady;
        }

        PackedWriter writer() {
            return writer;
        }

        /** Why nothing can be published yet. */
        String diagnosis() {
            return isUp
                    ? "the hub at %s is connected but does not answer the login"
                            .formatted(shared.hub())
                    : "nothing answers at %s%s; start the hub first, and check host and --port"
                            .formatted(
                                    shared.hub(),
                                    lastTrouble.isEmpty() ? "" : " (" + lastTrouble + ")");
        }
    }
}

package io.tickmark.workloads.market.publisher;

import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.GenericMsg;
import com.refinitiv.ema.access.Msg;
import com.refinitiv.ema.access.OmmNiProviderConfig;
import com.refinitiv.ema.access.OmmProvider;
import com.refinitiv.ema.access.OmmProviderClient;
import com.refinitiv.ema.access.OmmProviderEvent;
import com.refinitiv.ema.access.OmmState;
import com.refinitiv.ema.access.PostMsg;
import com.refinitiv.ema.access.RefreshMsg;
import com.refinitiv.ema.access.ReqMsg;
import com.refinitiv.ema.access.StatusMsg;
import com.refinitiv.ema.rdm.EmaRdm;
import io.tickmark.workloads.market.DictionarySettings;
import io.tickmark.workloads.market.data.EmaContent;
import io.tickmark.workloads.market.rssl.EmaConnection;
import io.tickmark.workloads.market.rssl.EmaFile;
import io.tickmark.workloads.market.rssl.EmaFile.EmaService;
import io.tickmark.workloads.market.rssl.LibraryDispatch;
import io.tickmark.workloads.market.source.EmaSink;
import io.tickmark.workloads.market.source.EncodeTime;
import io.tickmark.workloads.market.source.FeedSink;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** The connection on the Message API: each message is submitted on its own. */
final class EmaPublisher extends EmaConnection<OmmProvider>
        implements PublisherApi, OmmProviderClient {
    private final PublisherShared shared;
    private final int number;
    private final LibraryDispatch dispatch;
    private final AtomicLong posts = new AtomicLong();
    private final EncodeTime encodeTime;
    private EmaSink sink;

    EmaPublisher(final PublisherShared shared, final int number) {
        final LibraryDispatch dispatch = shared.settings().run().dispatch(number, shared.context());
        super(
                shared,
                shared.hub(),
                dispatch,
                shared.idle(number),
                OmmProvider::dispatch,
                OmmProvider::uninitialize);
        this.shared = shared;
        this.number = number;
        this.dispatch = dispatch;
        encodeTime = shared.encodeTime(number);
    }

    @Override
    protected OmmProvider connect() {
        return shared.settings().run().onWorkerCore(number, this::make);
    }

    private OmmProvider make() {
        try (DictionarySettings.Files files = shared.settings().content().files();
                EmaFile file =
                        EmaFile.publisher(
                                shared.connection(), service(files), calling(Duration.ZERO))) {
            return make(file);
        }
    }

    private OmmProvider make(final EmaFile file) {
        final OmmNiProviderConfig config =
                EmaFactory.createOmmNiProviderConfig(file.path())
                        .operationModel(
                                dispatch.isOn()
                                        ? OmmNiProviderConfig.OperationModel.API_DISPATCH
                                        : OmmNiProviderConfig.OperationModel.USER_DISPATCH)
                        .providerName("Provider_1");
        if (!shared.connection().keyFile().isEmpty()) {
            config.tunnelingKeyStoreFile(shared.connection().keyFile());
            config.tunnelingKeyStorePasswd(shared.connection().keyPassword());
        }
        if (!shared.settings().uname().isEmpty()) {
            config.username(shared.settings().uname());
        }
        return EmaFactory.createOmmProvider(config, this);
    }

    private EmaService service(final DictionarySettings.Files files) {
        final PublisherSettings settings = shared.settings();
        return new EmaService(
                settings.serviceName(), settings.serviceId(), shared.messages().domains(), files);
    }

    @Override
    protected void opened(final OmmProvider provider) {
        provider.registerClient(EmaFactory.createReqMsg().domainType(EmaRdm.MMT_LOGIN), this);
        final PublisherSettings settings = shared.settings();
        sink =
                new EmaSink(
                        provider,
                        new EmaContent(shared.dictionary(), settings.source().stampUnit()),
                        settings.serviceId(),
                        handle -> -handle, // its ids of the Transport API are negative
                        encodeTime);
    }

    @Override
    protected void check(final long nowNs) {
        if (!sink.failure().isEmpty()) {
            shared.fail("A message cannot be sent: " + sink.failure() + ".");
        }
    }

    @Override
    public boolean isReady() {
        return sink != null;
    }

    @Override
    public FeedSink sink() {
        return sink;
    }

    @Override
    public long noBuffer() {
        return sink == null ? 0 : sink.noBuffer();
    }

    @Override
    public long posts() {
        return posts.get();
    }

    @Override
    public void onStatusMsg(final StatusMsg status, final OmmProviderEvent event) {
        if (status.domainType() == EmaRdm.MMT_LOGIN
                && status.hasState()
                && status.state().dataState() == OmmState.DataState.SUSPECT) {
            shared.lost(true, "");
        }
    }

    @Override
    public void onPostMsg(final PostMsg post, final OmmProviderEvent event) {
        posts.incrementAndGet();
    }

    @Override
    public void onRefreshMsg(final RefreshMsg refresh, final OmmProviderEvent event) {
        dispatch.called(); // the login's, which is awaited
    }

    @Override
    public void onReqMsg(final ReqMsg request, final OmmProviderEvent event) {
        // a hub requests nothing from a publisher
    }

    @Override
    public void onReissue(final ReqMsg request, final OmmProviderEvent event) {
        // as above
    }

    @Override
    public void onClose(final ReqMsg request, final OmmProviderEvent event) {
        // as above
    }

    @Override
    public void onGenericMsg(final GenericMsg message, final OmmProviderEvent event) {
        // a hub sends a publisher none
    }

    @Override
    public void onAllMsg(final Msg message, final OmmProviderEvent event) {
        // each kind has its own method
    }
}

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
import io.tickmark.workloads.market.rssl.EmaFile;
import io.tickmark.workloads.market.rssl.EmaOpening;
import io.tickmark.workloads.market.rssl.EmaService;
import io.tickmark.workloads.market.rssl.EmaWait;
import io.tickmark.workloads.market.rssl.LibraryDispatch;
import io.tickmark.workloads.market.source.EmaSink;
import io.tickmark.workloads.market.source.EncodeTime;
import io.tickmark.workloads.market.source.FeedSink;
import java.util.concurrent.TimeUnit;

/** The connection on the Message API: each message is submitted on its own. */
final class EmaPublisherLine implements PublisherLine, OmmProviderClient {
    private final PublisherShared shared;
    private final EmaWait wait;
    private final EmaOpening<OmmProvider> opening;
    private final LibraryDispatch dispatch;
    private final PublisherCounts counts;
    private final EncodeTime encodeTime;
    private OmmProvider provider;
    private EmaSink sink;
    private long openedNs;

    EmaPublisherLine(final PublisherShared shared, final int number, final PublisherCounts counts) {
        this.counts = counts;
        this.shared = shared;
        wait = new EmaWait(shared.idle(number), us -> provider.dispatch(us));
        encodeTime = shared.encodeTime(number);
        dispatch = shared.settings().run().dispatch(number, shared.context());
        opening =
                new EmaOpening<>(
                        () -> shared.settings().run().onWorkerCore(number, this::connect),
                        OmmProvider::uninitialize);
    }

    private OmmProvider connect() {
        final EmaFile.Calling calling =
                new EmaFile.Calling(
                        shared.hub(),
                        TimeUnit.NANOSECONDS.toMillis(shared.context().connectTimeoutNs()),
                        shared.settings().reconnectDelay().toMillis(),
                        0);
        final OmmNiProviderConfig config =
                EmaFactory.createOmmNiProviderConfig(
                                EmaFile.publisher(shared.connection(), service(), calling)
                                        .toString())
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

    private EmaService service() {
        final PublisherSettings settings = shared.settings();
        final DictionarySettings.Files files = settings.content().files();
        return new EmaService(
                settings.serviceName(),
                settings.serviceId(),
                shared.messages().domains(),
                files.fields(),
                files.enums());
    }

    @Override
    public void open() {
        dispatch.begin();
        openedNs = shared.context().clock().nanoTime();
        opening.start();
    }

    @Override
    public void dispatch(final long nowNs) {
        if (provider != null) {
            if (!dispatch.isOn()) {
                wait.poll();
            }
            if (!sink.failure().isEmpty()) {
                shared.fail("A message cannot be sent: " + sink.failure() + ".");
            }
            return;
        }
        provider = opening.made();
        if (provider != null) {
            // the library reports nothing finer than from the first attempt to the answer
            counts.loginNs().set(nowNs - openedNs);
            watch();
        } else if (!opening.trouble().isEmpty()) {
            shared.fail(
                    "The hub at %s cannot be used: %s.".formatted(shared.hub(), opening.trouble()));
        }
    }

    private void watch() {
        provider.registerClient(EmaFactory.createReqMsg().domainType(EmaRdm.MMT_LOGIN), this);
        final PublisherSettings settings = shared.settings();
        sink =
                new EmaSink(
                        provider,
                        new EmaContent(
                                shared.dictionary(),
                                settings.source().nanoTime()
                                        ? TimeUnit.NANOSECONDS
                                        : TimeUnit.MICROSECONDS),
                        settings.serviceId(),
                        handle -> -handle, // its ids of the Transport API are negative
                        encodeTime);
    }

    @Override
    public void idle(final long forNs) {
        wait.idle(forNs, provider != null && !dispatch.isOn());
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
    public String diagnosis() {
        return "nothing answers at %s, or the login goes unanswered; start the hub first, and check host and --port"
                .formatted(shared.hub());
    }

    @Override
    public void close() {
        opening.close();
    }

    @Override
    public void onStatusMsg(final StatusMsg status, final OmmProviderEvent event) {
        if (status.domainType() != EmaRdm.MMT_LOGIN
                || !status.hasState()
                || status.state().dataState() != OmmState.DataState.SUSPECT) {
            return;
        }
        if (shared.settings().endWithHub()) {
            shared.end();
        } else {
            shared.fail("The connection to the hub at %s was lost.".formatted(shared.hub()));
        }
    }

    @Override
    public void onPostMsg(final PostMsg post, final OmmProviderEvent event) {
        counts.posts().increment();
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

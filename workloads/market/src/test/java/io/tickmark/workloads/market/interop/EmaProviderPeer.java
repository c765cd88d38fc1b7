package io.tickmark.workloads.market.interop;

import com.refinitiv.ema.access.ElementList;
import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.FieldList;
import com.refinitiv.ema.access.FilterEntry;
import com.refinitiv.ema.access.FilterList;
import com.refinitiv.ema.access.GenericMsg;
import com.refinitiv.ema.access.Map;
import com.refinitiv.ema.access.MapEntry;
import com.refinitiv.ema.access.Msg;
import com.refinitiv.ema.access.OmmArray;
import com.refinitiv.ema.access.OmmIProviderConfig;
import com.refinitiv.ema.access.OmmProvider;
import com.refinitiv.ema.access.OmmProviderClient;
import com.refinitiv.ema.access.OmmProviderEvent;
import com.refinitiv.ema.access.OmmReal;
import com.refinitiv.ema.access.OmmState;
import com.refinitiv.ema.access.PostMsg;
import com.refinitiv.ema.access.RefreshMsg;
import com.refinitiv.ema.access.ReqMsg;
import com.refinitiv.ema.access.StatusMsg;
import com.refinitiv.ema.access.UpdateMsg;
import com.refinitiv.ema.rdm.EmaRdm;
import io.tickmark.kernel.host.FreePort;
import io.tickmark.workloads.market.rssl.JsonPools;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * An interactive provider made of the Message API's own classes, as any user of it would write one.
 */
final class EmaProviderPeer implements OmmProviderClient, AutoCloseable {
    private static final int SERVICE_ID = 7;
    private static final long SEEN_NS = 1_000_000_000;

    private final String serviceName;
    private final List<Long> items = new CopyOnWriteArrayList<>();
    private final OmmProvider provider;
    private final Thread thread;
    private final int port;
    private volatile boolean stopped;
    private volatile boolean refusesLogins;
    private volatile boolean refusesRequests;
    private volatile boolean refusesPosts;
    private volatile boolean deletesService;
    private long directory; // its own thread's, as is the next
    private long directoryNs;
    private volatile int posts;
    private volatile int generics;
    private volatile String user = "";

    EmaProviderPeer(final String serviceName) throws Exception {
        this.serviceName = serviceName;
        JsonPools.fill(); // a user of the library has one instance in a process; this one has the
        // role's as well
        port = FreePort.tcp();
        final OmmIProviderConfig config =
                EmaFactory.createOmmIProviderConfig()
                        .port(Integer.toString(port))
                        .operationModel(OmmIProviderConfig.OperationModel.USER_DISPATCH)
                        .adminControlDirectory(OmmIProviderConfig.AdminControl.USER_CONTROL)
                        .adminControlDictionary(OmmIProviderConfig.AdminControl.USER_CONTROL);
        provider = EmaFactory.createOmmProvider(config, this);
        thread = Thread.ofPlatform().daemon().name("ema-provider").start(this::run);
    }

    int port() {
        return port;
    }

    int posts() {
        return posts;
    }

    int generics() {
        return generics;
    }

    /** The user that logged in last. */
    String user() {
        return user;
    }

    void refuseLogins() {
        refusesLogins = true;
    }

    /** Its service is up and accepts no requests. */
    void refuseRequests() {
        refusesRequests = true;
    }

    /** Its service is removed soon after it was announced. */
    void deleteService() {
        deletesService = true;
    }

    /** Its logins say that they take none. */
    void refusePosts() {
        refusesPosts = true;
    }

    /** Sends an update of each item now and then, with the time stamp of the stock tools. */
    private void run() {
        long nextNs = System.nanoTime();
        while (!stopped) {
            provider.dispatch(1_000);
            if (deletesService && directory != 0 && System.nanoTime() - directoryNs > SEEN_NS) {
                delete();
            }
            if (System.nanoTime() - nextNs >= 0) {
                nextNs += 10_000_000;
                items.forEach(this::update);
            }
        }
        provider.uninitialize();
    }

    private void update(final long handle) {
        final FieldList fields = EmaFactory.createFieldList();
        fields.add(
                EmaFactory.createFieldEntry().real(22, 9950, OmmReal.MagnitudeType.EXPONENT_NEG_2));
        fields.add(EmaFactory.createFieldEntry().uintValue(3902, System.nanoTime() / 1000));
        try {
            provider.submit(EmaFactory.createUpdateMsg().payload(fields), handle);
        } catch (final RuntimeException e) {
            items.remove(handle); // its consumer has gone
        }
    }

    @Override
    public void onReqMsg(final ReqMsg request, final OmmProviderEvent event) {
        switch (request.domainType()) {
            case EmaRdm.MMT_LOGIN -> {
                user = request.name();
                login(request, event);
            }
            case EmaRdm.MMT_DIRECTORY -> directory(event);
            case EmaRdm.MMT_MARKET_PRICE -> item(request, event);
            default -> {}
        }
    }

    private void login(final ReqMsg request, final OmmProviderEvent event) {
        if (refusesLogins) {
            provider.submit(
                    EmaFactory.createStatusMsg()
                            .domainType(EmaRdm.MMT_LOGIN)
                            .state(
                                    OmmState.StreamState.CLOSED,
                                    OmmState.DataState.SUSPECT,
                                    OmmState.StatusCode.NOT_AUTHORIZED,
                                    "not on the list"),
                    event.handle());
            return;
        }
        final ElementList attributes = EmaFactory.createElementList();
        attributes.add(
                EmaFactory.createElementEntry()
                        .uintValue(EmaRdm.ENAME_SUPPORT_POST, refusesPosts ? 0 : 1));
        provider.submit(
                EmaFactory.createRefreshMsg()
                        .domainType(EmaRdm.MMT_LOGIN)
                        .name(request.name())
                        .nameType(EmaRdm.USER_NAME)
                        .complete(true)
                        .solicited(true)
                        .state(
                                OmmState.StreamState.OPEN,
                                OmmState.DataState.OK,
                                OmmState.StatusCode.NONE,
                                "accepted")
                        .attrib(attributes),
                event.handle());
    }

    private void directory(final OmmProviderEvent event) {
        final OmmArray capabilities = EmaFactory.createOmmArray();
        capabilities.add(EmaFactory.createOmmArrayEntry().uintValue(EmaRdm.MMT_MARKET_PRICE));
        final ElementList info = EmaFactory.createElementList();
        info.add(EmaFactory.createElementEntry().ascii(EmaRdm.ENAME_NAME, serviceName));
        info.add(EmaFactory.createElementEntry().array(EmaRdm.ENAME_CAPABILITIES, capabilities));
        final ElementList state = EmaFactory.createElementList();
        state.add(
                EmaFactory.createElementEntry()
                        .uintValue(EmaRdm.ENAME_SVC_STATE, EmaRdm.SERVICE_UP));
        if (refusesRequests) {
            state.add(EmaFactory.createElementEntry().uintValue(EmaRdm.ENAME_ACCEPTING_REQS, 0));
        }
        final FilterList filters = EmaFactory.createFilterList();
        filters.add(
                EmaFactory.createFilterEntry()
                        .elementList(EmaRdm.SERVICE_INFO_ID, FilterEntry.FilterAction.SET, info));
        filters.add(
                EmaFactory.createFilterEntry()
                        .elementList(EmaRdm.SERVICE_STATE_ID, FilterEntry.FilterAction.SET, state));
        final Map services = EmaFactory.createMap();
        services.add(
                EmaFactory.createMapEntry().keyUInt(SERVICE_ID, MapEntry.MapAction.ADD, filters));
        provider.submit(
                EmaFactory.createRefreshMsg()
                        .domainType(EmaRdm.MMT_DIRECTORY)
                        .filter(EmaRdm.SERVICE_INFO_FILTER | EmaRdm.SERVICE_STATE_FILTER)
                        .payload(services)
                        .complete(true)
                        .solicited(true),
                event.handle());
        directory = event.handle();
        directoryNs = System.nanoTime();
    }

    /** Once its consumer has seen it. */
    private void delete() {
        final Map gone = EmaFactory.createMap();
        gone.add(
                EmaFactory.createMapEntry()
                        .keyUInt(
                                SERVICE_ID,
                                MapEntry.MapAction.DELETE,
                                EmaFactory.createFilterList()));
        provider.submit(
                EmaFactory.createUpdateMsg().domainType(EmaRdm.MMT_DIRECTORY).payload(gone),
                directory);
        directory = 0;
    }

    private void item(final ReqMsg request, final OmmProviderEvent event) {
        final FieldList fields = EmaFactory.createFieldList();
        fields.add(
                EmaFactory.createFieldEntry().real(22, 3990, OmmReal.MagnitudeType.EXPONENT_NEG_2));
        provider.submit(
                EmaFactory.createRefreshMsg()
                        .name(request.name())
                        .serviceId(SERVICE_ID)
                        .state(
                                OmmState.StreamState.OPEN,
                                OmmState.DataState.OK,
                                OmmState.StatusCode.NONE,
                                "")
                        .solicited(true)
                        .complete(true)
                        .payload(fields),
                event.handle());
        items.add(event.handle());
    }

    @Override
    public void onPostMsg(final PostMsg post, final OmmProviderEvent event) {
        posts++;
        final UpdateMsg reflected =
                EmaFactory.createUpdateMsg()
                        .publisherId(post.publisherIdUserId(), post.publisherIdUserAddress())
                        .payload(post.payload().updateMsg().payload().fieldList());
        provider.submit(reflected, event.handle());
    }

    @Override
    public void onGenericMsg(final GenericMsg message, final OmmProviderEvent event) {
        generics++;
    }

    @Override
    public void onClose(final ReqMsg request, final OmmProviderEvent event) {
        items.remove(event.handle());
    }

    @Override
    public void onRefreshMsg(final RefreshMsg message, final OmmProviderEvent event) {}

    @Override
    public void onStatusMsg(final StatusMsg message, final OmmProviderEvent event) {}

    @Override
    public void onReissue(final ReqMsg message, final OmmProviderEvent event) {}

    @Override
    public void onAllMsg(final Msg message, final OmmProviderEvent event) {}

    @Override
    public void close() {
        stopped = true;
        try {
            thread.join();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

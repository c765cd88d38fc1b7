package io.tickmark.workloads.market.hub;

import com.refinitiv.ema.access.ElementList;
import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.FieldList;
import com.refinitiv.ema.access.FilterEntry;
import com.refinitiv.ema.access.FilterList;
import com.refinitiv.ema.access.GenericMsg;
import com.refinitiv.ema.access.MapEntry;
import com.refinitiv.ema.access.Msg;
import com.refinitiv.ema.access.OmmIProviderConfig;
import com.refinitiv.ema.access.OmmProvider;
import com.refinitiv.ema.access.OmmProviderClient;
import com.refinitiv.ema.access.OmmProviderEvent;
import com.refinitiv.ema.access.OmmState;
import com.refinitiv.ema.access.PostMsg;
import com.refinitiv.ema.access.RefreshMsg;
import com.refinitiv.ema.access.ReqMsg;
import com.refinitiv.ema.access.Series;
import com.refinitiv.ema.access.StatusMsg;
import com.refinitiv.ema.rdm.DataDictionary;
import com.refinitiv.ema.rdm.EmaRdm;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.hub.Heard.Event;
import io.tickmark.workloads.market.rssl.JsonPools;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** An interactive provider that we did not write, with the Message API's own service. */
final class EmaProvider implements OmmProviderClient, AutoCloseable {
    /** The service that the Message API provides where nothing is configured. */
    static final String SERVICE = "DIRECT_FEED";

    private static final int SERVICE_ID = 1;

    private final OmmProvider provider;
    private final Heard heard = new Heard();
    private final Map<String, Long> handles = new ConcurrentHashMap<>();
    private final DataDictionary dictionary;
    private volatile boolean withholdsDictionary;

    EmaProvider(final int port) {
        this(port, null);
    }

    /** One that gives its consumers a dictionary from the two files of a folder. */
    EmaProvider(final int port, final Path dictionaryFolder) {
        this(port, dictionaryFolder, OmmIProviderConfig.AdminControl.API_CONTROL);
    }

    /** One that leaves requests for its directory unanswered. */
    static EmaProvider withoutDirectory(final int port) {
        return new EmaProvider(port, null, OmmIProviderConfig.AdminControl.USER_CONTROL);
    }

    private EmaProvider(final int port, final Path dictionaryFolder, final int directoryControl) {
        JsonPools.fill();
        dictionary = dictionaryFolder == null ? null : EmaFactory.createDataDictionary();
        if (dictionary != null) {
            dictionary.loadFieldDictionary(
                    dictionaryFolder.resolve(FieldDictionary.FIELD_FILE).toString());
            dictionary.loadEnumTypeDictionary(
                    dictionaryFolder.resolve(FieldDictionary.ENUM_FILE).toString());
        }
        provider =
                EmaFactory.createOmmProvider(
                        EmaFactory.createOmmIProviderConfig()
                                .operationModel(OmmIProviderConfig.OperationModel.API_DISPATCH)
                                .adminControlDictionary(
                                        OmmIProviderConfig.AdminControl.USER_CONTROL)
                                .adminControlDirectory(directoryControl)
                                .port(Integer.toString(port)),
                        this);
    }

    Heard heard() {
        return heard;
    }

    /** From now on requests for its dictionary are left unanswered. */
    EmaProvider withholdDictionary() {
        withholdsDictionary = true;
        return this;
    }

    void update(final String item, final FieldList fields) {
        provider.submit(EmaFactory.createUpdateMsg().payload(fields), handles.get(item));
    }

    void updateVector(final String item, final FieldList fields) {
        provider.submit(EmaPublisher.vectorOf(fields), handles.get(item));
    }

    void update(final String item, final long bid, final long ask) {
        provider.submit(
                EmaFactory.createUpdateMsg().payload(EmaPublisher.prices(bid, ask)),
                handles.get(item));
    }

    @Override
    public void onReqMsg(final ReqMsg request, final OmmProviderEvent event) {
        switch (request.domainType()) {
            case EmaRdm.MMT_LOGIN ->
                    event.provider()
                            .submit(
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
                                                    ""),
                                    event.handle());
            case EmaRdm.MMT_MARKET_PRICE -> {
                heard.add(new Event("request", request.name(), "", Map.of(), -1));
                handles.put(request.name(), event.handle());
                image(request, event);
            }
            case EmaRdm.MMT_DICTIONARY -> dictionary(request, event);
            case EmaRdm.MMT_DIRECTORY ->
                    heard.add(new Event("directory", "", "", Map.of(), -1)); // not to the library
            default -> {
                // nothing else is requested
            }
        }
    }

    private void dictionary(final ReqMsg request, final OmmProviderEvent event) {
        heard.add(new Event("dictionary", request.name(), "", Map.of(), -1));
        if (withholdsDictionary) {
            return;
        }
        if (dictionary == null) {
            event.provider()
                    .submit(
                            EmaFactory.createStatusMsg()
                                    .domainType(EmaRdm.MMT_DICTIONARY)
                                    .state(
                                            OmmState.StreamState.CLOSED,
                                            OmmState.DataState.SUSPECT,
                                            OmmState.StatusCode.NOT_FOUND,
                                            "there is none"),
                            event.handle());
            return;
        }
        final Series series = EmaFactory.createSeries();
        if (request.name().equals("RWFFld")) {
            dictionary.encodeFieldDictionary(series, EmaRdm.DICTIONARY_NORMAL);
        } else {
            dictionary.encodeEnumTypeDictionary(series, EmaRdm.DICTIONARY_NORMAL);
        }
        event.provider()
                .submit(
                        EmaFactory.createRefreshMsg()
                                .domainType(EmaRdm.MMT_DICTIONARY)
                                .name(request.name())
                                .serviceId(request.serviceId())
                                .filter(EmaRdm.DICTIONARY_NORMAL)
                                .complete(true)
                                .solicited(true)
                                .state(OmmState.StreamState.OPEN, OmmState.DataState.OK)
                                .payload(series),
                        event.handle());
    }

    /** Changes the state of the service in the directory that the library has answered with. */
    void service(final boolean isUp, final boolean acceptsRequests) {
        final ElementList state = EmaFactory.createElementList();
        state.add(EmaFactory.createElementEntry().uintValue(EmaRdm.ENAME_SVC_STATE, isUp ? 1 : 0));
        state.add(
                EmaFactory.createElementEntry()
                        .uintValue(EmaRdm.ENAME_ACCEPTING_REQS, acceptsRequests ? 1 : 0));
        final FilterList filters = EmaFactory.createFilterList();
        filters.add(
                EmaFactory.createFilterEntry()
                        .elementList(
                                EmaRdm.SERVICE_STATE_ID, FilterEntry.FilterAction.UPDATE, state));
        final com.refinitiv.ema.access.Map services = EmaFactory.createMap();
        services.add(
                EmaFactory.createMapEntry()
                        .keyUInt(SERVICE_ID, MapEntry.MapAction.UPDATE, filters));
        provider.submit(
                EmaFactory.createUpdateMsg()
                        .domainType(EmaRdm.MMT_DIRECTORY)
                        .filter(EmaRdm.SERVICE_STATE_FILTER)
                        .payload(services),
                0);
    }

    /** The image of an item whose name says that it is held back. */
    void image(final String item) {
        provider.submit(
                EmaFactory.createRefreshMsg()
                        .name(item)
                        .serviceId(SERVICE_ID)
                        .complete(true)
                        .solicited(true)
                        .state(OmmState.StreamState.OPEN, OmmState.DataState.OK)
                        .payload(EmaPublisher.prices(100, 200)),
                handles.get(item));
    }

    /**
     * In two parts where the item's name says so, in one that is never completed, or later; or a
     * state takes its place.
     */
    private static void image(final ReqMsg request, final OmmProviderEvent event) {
        if (request.name().startsWith("HELD")) {
            return;
        }
        if (request.name().startsWith("STALE")) {
            event.provider()
                    .submit(
                            EmaFactory.createStatusMsg()
                                    .state(
                                            OmmState.StreamState.OPEN,
                                            OmmState.DataState.SUSPECT,
                                            OmmState.StatusCode.NONE,
                                            "it will come"),
                            event.handle());
            return;
        }
        final boolean isDivided = request.name().startsWith("PARTS");
        if (isDivided || request.name().startsWith("HALF")) {
            event.provider()
                    .submit(refresh(request, EmaPublisher.prices(100, 0), false), event.handle());
        }
        if (!request.name().startsWith("HALF")) {
            event.provider()
                    .submit(
                            refresh(request, EmaPublisher.prices(isDivided ? 0 : 100, 200), true),
                            event.handle());
        }
    }

    private static RefreshMsg refresh(
            final ReqMsg request, final FieldList fields, final boolean isComplete) {
        return EmaFactory.createRefreshMsg()
                .name(request.name())
                .serviceId(request.serviceId())
                .complete(isComplete)
                .solicited(true)
                .state(
                        OmmState.StreamState.OPEN,
                        OmmState.DataState.OK,
                        OmmState.StatusCode.NONE,
                        "")
                .payload(fields);
    }

    @Override
    public void onReissue(final ReqMsg request, final OmmProviderEvent event) {
        if (request.domainType() == EmaRdm.MMT_MARKET_PRICE) {
            heard.add(new Event("reissue", request.name(), "", Map.of(), -1));
            onReqMsg(request, event);
        }
    }

    @Override
    public void onClose(final ReqMsg request, final OmmProviderEvent event) {
        heard.add(new Event("close", request.hasName() ? request.name() : "", "", Map.of(), -1));
    }

    @Override
    public void onPostMsg(final PostMsg post, final OmmProviderEvent event) {
        heard.add(new Event("post", "", "", Heard.fields(post), post.publisherIdUserId()));
    }

    @Override
    public void onRefreshMsg(final RefreshMsg message, final OmmProviderEvent event) {
        // an interactive provider gets none
    }

    @Override
    public void onStatusMsg(final StatusMsg message, final OmmProviderEvent event) {
        // an interactive provider gets none
    }

    @Override
    public void onGenericMsg(final GenericMsg message, final OmmProviderEvent event) {
        heard.add(new Event("generic", "", "", Heard.fields(message), -1));
    }

    @Override
    public void onAllMsg(final Msg message, final OmmProviderEvent event) {
        // the other callbacks do
    }

    @Override
    public void close() {
        provider.uninitialize();
    }
}

package io.tickmark.workloads.market.consumer;

import com.refinitiv.ema.access.AckMsg;
import com.refinitiv.ema.access.DataType.DataTypes;
import com.refinitiv.ema.access.ElementEntry;
import com.refinitiv.ema.access.ElementList;
import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.FilterEntry;
import com.refinitiv.ema.access.GenericMsg;
import com.refinitiv.ema.access.MapEntry;
import com.refinitiv.ema.access.Msg;
import com.refinitiv.ema.access.OmmConsumer;
import com.refinitiv.ema.access.OmmConsumerClient;
import com.refinitiv.ema.access.OmmConsumerEvent;
import com.refinitiv.ema.access.OmmState;
import com.refinitiv.ema.access.RefreshMsg;
import com.refinitiv.ema.access.StatusMsg;
import com.refinitiv.ema.access.UpdateMsg;
import com.refinitiv.ema.rdm.EmaRdm;
import java.util.Optional;

/** Watches the Message API's source directory for one service. Called where it is dispatched. */
final class EmaServices implements OmmConsumerClient {
    private final WatchedService service;
    private boolean isLost;

    EmaServices(final String name) {
        service = new WatchedService(name);
    }

    /** Asks for the directory and the state of the login; whoever dispatches calls the client. */
    void watch(final OmmConsumer consumer, final OmmConsumerClient client) {
        service.heard(); // without a directory the library would not have been opened
        consumer.registerClient(
                EmaFactory.createReqMsg()
                        .domainType(EmaRdm.MMT_DIRECTORY)
                        .filter(EmaRdm.SERVICE_INFO_FILTER | EmaRdm.SERVICE_STATE_FILTER),
                client);
        consumer.registerClient(EmaFactory.createReqMsg().domainType(EmaRdm.MMT_LOGIN), client);
    }

    /**
     * Whether the connection has gone: the library tries for ever, a test does not. A standby may
     * bring it back.
     */
    boolean isLost() {
        return isLost;
    }

    boolean isReady() {
        return service.isReady();
    }

    /** Why requests cannot begin. */
    String diagnosis() {
        return service.diagnosis();
    }

    private void on(final Msg message) {
        if (message.payload().dataType() == DataTypes.MAP) {
            message.payload().map().forEach(this::on);
        }
    }

    private void on(final MapEntry told) {
        final long id = told.key().uintValue();
        if (told.action() == MapEntry.MapAction.DELETE) {
            if (service.is(id)) {
                service.forget();
            }
            return;
        }
        final Optional<ElementList> info = part(told, EmaRdm.SERVICE_INFO_ID);
        final Optional<ElementList> state = part(told, EmaRdm.SERVICE_STATE_ID);
        if (info.isPresent()) {
            final Optional<ElementEntry> found = element(info.get(), EmaRdm.ENAME_NAME);
            final boolean isNew = !service.is(id);
            if (!service.found(found.map(each -> each.ascii().toString()).orElse(""), id)) {
                return;
            }
            if (isNew) {
                service.state(true, true); // a directory without states has services that are up
            }
        }
        if (state.isPresent() && service.is(id)) {
            service.state(
                    value(state.get(), EmaRdm.ENAME_SVC_STATE, 0) == EmaRdm.SERVICE_UP,
                    value(state.get(), EmaRdm.ENAME_ACCEPTING_REQS, 1) == 1);
        }
    }

    private static Optional<ElementList> part(final MapEntry told, final int filterId) {
        return told.loadType() != DataTypes.FILTER_LIST
                ? Optional.empty()
                : told.filterList().stream()
                        .filter(part -> part.filterId() == filterId)
                        .filter(part -> part.loadType() == DataTypes.ELEMENT_LIST)
                        .map(FilterEntry::elementList)
                        .findFirst();
    }

    private static Optional<ElementEntry> element(final ElementList of, final String name) {
        return of.stream().filter(each -> each.name().equals(name)).findFirst();
    }

    private static long value(final ElementList of, final String name, final long otherwise) {
        return element(of, name).map(ElementEntry::uintValue).orElse(otherwise);
    }

    @Override
    public void onRefreshMsg(final RefreshMsg message, final OmmConsumerEvent event) {
        if (message.domainType() == EmaRdm.MMT_DIRECTORY) {
            if (message.clearCache()) {
                service.forget();
            }
            on(message);
        } else if (message.domainType() == EmaRdm.MMT_LOGIN) {
            isLost = message.state().dataState() == OmmState.DataState.SUSPECT;
        }
    }

    @Override
    public void onUpdateMsg(final UpdateMsg message, final OmmConsumerEvent event) {
        on(message);
    }

    @Override
    public void onStatusMsg(final StatusMsg message, final OmmConsumerEvent event) {
        if (message.domainType() == EmaRdm.MMT_LOGIN && message.hasState()) {
            isLost = message.state().dataState() == OmmState.DataState.SUSPECT;
        }
    }

    @Override
    public void onGenericMsg(final GenericMsg message, final OmmConsumerEvent event) {
        // nobody sends one on a directory
    }

    @Override
    public void onAckMsg(final AckMsg message, final OmmConsumerEvent event) {
        // nothing is posted on a directory
    }

    @Override
    public void onAllMsg(final Msg message, final OmmConsumerEvent event) {
        // each kind has a method of its own
    }
}

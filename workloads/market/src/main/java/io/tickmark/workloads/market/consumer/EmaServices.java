package io.tickmark.workloads.market.consumer;

import com.refinitiv.ema.access.AckMsg;
import com.refinitiv.ema.access.DataType.DataTypes;
import com.refinitiv.ema.access.ElementEntry;
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
import java.util.TreeSet;

/** Watches the Message API's source directory for one service. Called where it is dispatched. */
final class EmaServices implements OmmConsumerClient {
    private final String name;
    private final TreeSet<String> others = new TreeSet<>();
    private long serviceId = -1;
    private boolean isUp;
    private boolean isLost;

    EmaServices(final String name) {
        this.name = name;
    }

    /** Asks for the directory and the state of the login; whoever dispatches calls the client. */
    void watch(final OmmConsumer consumer, final OmmConsumerClient client) {
        consumer.registerClient(
                EmaFactory.createReqMsg()
                        .domainType(EmaRdm.MMT_DIRECTORY)
                        .filter(EmaRdm.SERVICE_INFO_FILTER | EmaRdm.SERVICE_STATE_FILTER),
                client);
        consumer.registerClient(EmaFactory.createReqMsg().domainType(EmaRdm.MMT_LOGIN), client);
    }

    /** Whether the connection has gone: the library tries for ever, a test does not. */
    boolean isLost() {
        return isLost;
    }

    boolean isReady() {
        return isUp;
    }

    /** Why requests cannot begin. */
    String diagnosis() {
        if (serviceId >= 0) {
            return "the service %s is there but is down".formatted(name);
        }
        return "the directory has no service %s; %s; compare --service-name on both sides"
                .formatted(
                        name,
                        others.isEmpty()
                                ? "it has none at all"
                                : "it has " + String.join(", ", others));
    }

    private void on(final Msg message) {
        if (message.payload().dataType() == DataTypes.MAP) {
            for (final MapEntry service : message.payload().map()) {
                if (service.loadType() == DataTypes.FILTER_LIST) {
                    on(service);
                }
            }
        }
    }

    private void on(final MapEntry service) {
        boolean isMeant = service.key().uintValue() == serviceId;
        for (final FilterEntry filter : service.filterList()) {
            if (filter.loadType() != DataTypes.ELEMENT_LIST) {
                continue;
            }
            for (final ElementEntry element : filter.elementList()) {
                if (element.name().equals(EmaRdm.ENAME_NAME)
                        && filter.filterId() == EmaRdm.SERVICE_INFO_ID) {
                    isMeant = isOurs(element.ascii().toString(), service.key().uintValue());
                } else if (isMeant && element.name().equals(EmaRdm.ENAME_SVC_STATE)) {
                    isUp = element.uintValue() == EmaRdm.SERVICE_UP;
                }
            }
        }
    }

    private boolean isOurs(final String found, final long id) {
        if (!found.equals(name)) {
            others.add(found);
            return false;
        }
        serviceId = id;
        isUp = true; // a directory without states has services that are up
        return true;
    }

    @Override
    public void onRefreshMsg(final RefreshMsg message, final OmmConsumerEvent event) {
        on(message);
    }

    @Override
    public void onUpdateMsg(final UpdateMsg message, final OmmConsumerEvent event) {
        on(message);
    }

    @Override
    public void onStatusMsg(final StatusMsg message, final OmmConsumerEvent event) {
        isLost |=
                message.domainType() == EmaRdm.MMT_LOGIN
                        && message.hasState()
                        && message.state().dataState() == OmmState.DataState.SUSPECT;
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

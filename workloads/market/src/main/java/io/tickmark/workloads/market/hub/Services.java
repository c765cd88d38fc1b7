package io.tickmark.workloads.market.hub;

import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.DataStates;
import com.refinitiv.eta.codec.MapEntryActions;
import com.refinitiv.eta.codec.Qos;
import com.refinitiv.eta.codec.QosRates;
import com.refinitiv.eta.codec.QosTimeliness;
import com.refinitiv.eta.codec.StreamStates;
import com.refinitiv.eta.rdm.Directory;
import com.refinitiv.eta.rdm.DomainTypes;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryMsg;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryMsgFactory;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryMsgType;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryRefresh;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryUpdate;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.Service;
import io.tickmark.workloads.market.source.DictionaryReply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The services of all sources, under ids of the hub's own, and the directory made of them. */
final class Services {
    private static final long FILTER =
            Directory.ServiceFilterFlags.INFO
                    | Directory.ServiceFilterFlags.STATE
                    | Directory.ServiceFilterFlags.GROUP;

    private final Map<String, HubService> byName = new LinkedHashMap<>();
    private final List<HubService> byId = new ArrayList<>();
    private final Consumer<String> log;
    private final Consumer<HubService> changed;
    private final Items items;
    private final Consumer<String> unnamed;
    private boolean held;

    Services(
            final Consumer<String> log,
            final Consumer<HubService> changed,
            final Items items,
            final boolean held,
            final Consumer<String> unnamed) {
        this.log = log;
        this.unnamed = unnamed;
        this.changed = changed;
        this.items = items;
        this.held = held;
    }

    /** Whether services are withheld from consumers until enough items are cached. */
    boolean areHeld() {
        return held;
    }

    /** Enough items are cached. */
    void release() {
        held = false;
        byId.forEach(changed);
    }

    /** A service by the id that consumers know; null where there is none. */
    HubService byId(final int id) {
        return id < 1 || id > byId.size() ? null : byId.get(id - 1);
    }

    /** A service by its name, created where it was not known. */
    HubService named(final String name) {
        return byName.computeIfAbsent(
                name,
                any -> {
                    final HubService service = new HubService(name, byId.size() + 1);
                    byId.add(service);
                    return service;
                });
    }

    /** The id of a service, 0 where it was not named. */
    int idOf(final String name) {
        final HubService service = byName.get(name);
        return service == null ? 0 : service.id();
    }

    /** A source reports its services. */
    void on(final ItemSource source, final DirectoryMsg message) {
        switch (message.rdmMsgType()) {
            case REFRESH -> ((DirectoryRefresh) message).serviceList().forEach(s -> on(source, s));
            case UPDATE -> ((DirectoryUpdate) message).serviceList().forEach(s -> on(source, s));
            default -> {
                // nothing is dropped: closing the directory's stream says nothing about services
            }
        }
    }

    private void on(final ItemSource source, final Service announced) {
        if (announced.action() == MapEntryActions.DELETE) {
            final HubService gone = source.services().remove(announced.serviceId());
            if (gone != null) {
                down(source, gone);
            }
            return;
        }
        final boolean isNew = !source.services().containsKey(announced.serviceId());
        if (announced.checkHasInfo()) {
            final HubService service = named(announced.info().serviceName().toString());
            service.domains().addAll(announced.info().capabilitiesList());
            source.services().put(announced.serviceId(), service);
        }
        final HubService service = source.services().get(announced.serviceId());
        if (service == null) {
            unnamed.accept(
                    "%s refers to its service %d, which it has not named"
                            .formatted(source.name(), announced.serviceId()));
            return;
        }
        if (announced.checkHasState()) {
            on(source, service, announced.state());
        } else if (isNew) {
            up(source, service); // a directory without states has services that are up
        }
        for (final Service.ServiceGroup group : announced.groupStateList()) {
            items.group(source, service, group);
        }
    }

    private void on(
            final ItemSource source, final HubService service, final Service.ServiceState state) {
        if (state.serviceState() != 1) {
            down(source, service);
        } else if (accepts(source, service, state) && service.sources().contains(source)) {
            changed.accept(service);
        } else {
            up(source, service);
        }
        if (state.checkHasStatus()) {
            items.state(source, service, state.status());
        }
    }

    void up(final ItemSource source, final HubService service) {
        if (service.sources().contains(source)) {
            return;
        }
        service.sources().add(source);
        log.accept("%s provides %s.".formatted(source.name(), service.name()));
        changed.accept(service);
    }

    /**
     * Whether new requests are taken, which matters for sources that accept requests; true where it
     * changes.
     */
    private boolean accepts(
            final ItemSource source, final HubService service, final Service.ServiceState state) {
        final boolean accepts =
                !source.acceptsRequests()
                        || !state.checkHasAcceptingRequests()
                        || state.acceptingRequests() == 1;
        final boolean changes =
                accepts ? service.refusing().remove(source) : service.refusing().add(source);
        if (changes) {
            log.accept(
                    "%s takes %s requests for %s."
                            .formatted(source.name(), accepts ? "new" : "no new", service.name()));
        }
        return changes;
    }

    private void down(final ItemSource source, final HubService service) {
        service.refusing().remove(source);
        if (service.sources().remove(source)) {
            log.accept("%s no longer provides %s.".formatted(source.name(), service.name()));
            items.down(source, service);
            changed.accept(service);
        }
    }

    /** A source is gone with all its services. */
    void lost(final ItemSource source) {
        List.copyOf(source.services().values()).forEach(service -> down(source, service));
        source.services().clear();
    }

    /** The whole directory. */
    DirectoryRefresh directory(final int streamId, final boolean solicited) {
        final DirectoryRefresh refresh = (DirectoryRefresh) DirectoryMsgFactory.createMsg();
        refresh.rdmMsgType(DirectoryMsgType.REFRESH);
        refresh.streamId(streamId);
        refresh.filter(FILTER);
        refresh.applyClearCache();
        if (solicited) {
            refresh.applySolicited();
        }
        refresh.state().streamState(StreamStates.OPEN);
        refresh.state().dataState(DataStates.OK);
        byId.forEach(service -> refresh.serviceList().add(described(service)));
        return refresh;
    }

    /** The state of one service. */
    DirectoryUpdate change(final int streamId, final HubService service) {
        final DirectoryUpdate update = (DirectoryUpdate) DirectoryMsgFactory.createMsg();
        update.rdmMsgType(DirectoryMsgType.UPDATE);
        update.streamId(streamId);
        update.applyHasFilter();
        update.filter(FILTER);
        update.serviceList().add(described(service));
        return update;
    }

    private Service described(final HubService service) {
        final Service described = DirectoryMsgFactory.createService();
        described.action(MapEntryActions.ADD);
        described.serviceId(service.id());
        described.applyHasInfo();
        final Service.ServiceInfo info = described.info();
        info.action(com.refinitiv.eta.codec.FilterEntryActions.SET);
        info.serviceName().data(service.name());
        if (service.domains().isEmpty()) {
            info.capabilitiesList().add((long) DomainTypes.MARKET_PRICE);
        }
        info.capabilitiesList().addAll(service.domains());
        if (!info.capabilitiesList().contains((long) DomainTypes.DICTIONARY)) {
            info.capabilitiesList().add((long) DomainTypes.DICTIONARY);
        }
        info.applyHasDictionariesProvided();
        info.dictionariesProvidedList().addAll(DictionaryReply.NAMES);
        info.applyHasDictionariesUsed();
        info.dictionariesUsedList().addAll(DictionaryReply.NAMES);
        final Qos qos = CodecFactory.createQos();
        qos.timeliness(QosTimeliness.REALTIME);
        qos.rate(QosRates.TICK_BY_TICK);
        info.applyHasQos();
        info.qosList().add(qos);
        described.applyHasState();
        described.state().action(com.refinitiv.eta.codec.FilterEntryActions.SET);
        final boolean up = service.isUp() && !held;
        described.state().serviceState(up ? 1 : 0);
        described.state().applyHasAcceptingRequests();
        described.state().acceptingRequests(up && service.acceptsRequests() ? 1 : 0);
        return described;
    }
}

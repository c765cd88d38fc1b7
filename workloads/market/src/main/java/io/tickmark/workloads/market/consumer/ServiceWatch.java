package io.tickmark.workloads.market.consumer;

import com.refinitiv.eta.codec.MapEntryActions;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryMsg;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryRefresh;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryUpdate;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.Service;
import java.util.ArrayList;
import java.util.List;

/** Watches a source directory for one service. One thread. */
final class ServiceWatch {
    private final WatchedService service;
    private final List<String> dictionaries = new ArrayList<>();

    ServiceWatch(final String name) {
        service = new WatchedService(name);
    }

    void on(final DirectoryMsg message) {
        switch (message.rdmMsgType()) {
            case REFRESH -> {
                service.heard();
                if (((DirectoryRefresh) message).checkClearCache()) {
                    service.forget();
                }
                ((DirectoryRefresh) message).serviceList().forEach(this::on);
            }
            case UPDATE -> ((DirectoryUpdate) message).serviceList().forEach(this::on);
            default -> {}
        }
    }

    private void on(final Service told) {
        final boolean isNew = !service.is(told.serviceId());
        if (told.checkHasInfo()) {
            if (!service.found(told.info().serviceName().toString(), told.serviceId())) {
                return;
            }
            dictionaries.clear();
            if (told.info().checkHasDictionariesProvided()) {
                dictionaries.addAll(told.info().dictionariesProvidedList());
            }
        }
        if (!service.is(told.serviceId())) {
            return;
        }
        if (told.action() == MapEntryActions.DELETE) {
            service.forget();
        } else if (told.checkHasState()) {
            service.state(
                    told.state().serviceState() == 1,
                    !told.state().checkHasAcceptingRequests()
                            || told.state().acceptingRequests() == 1);
        } else if (isNew) {
            service.state(true, true); // a directory without states has services that are up
        }
    }

    boolean isReady() {
        return service.isReady();
    }

    int serviceId() {
        return (int) service.id();
    }

    /** Names of the dictionaries that the service provides. */
    List<String> dictionaries() {
        return List.copyOf(dictionaries);
    }

    /** Why requests cannot begin. */
    String diagnosis() {
        return service.diagnosis();
    }
}

package io.tickmark.workloads.market.consumer;

import com.refinitiv.eta.codec.MapEntryActions;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryMsg;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryRefresh;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryUpdate;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Watches a source directory for one service. One thread. */
final class ServiceWatch {
    private static final int NONE = -1;

    private final String name;
    private final TreeSet<String> others = new TreeSet<>();
    private final List<String> dictionaries = new ArrayList<>();
    private int serviceId = NONE;
    private boolean isUp;
    private boolean accepts;
    private boolean heard;

    ServiceWatch(final String name) {
        this.name = name;
    }

    void on(final DirectoryMsg message) {
        switch (message.rdmMsgType()) {
            case REFRESH -> {
                heard = true;
                if (((DirectoryRefresh) message).checkClearCache()) {
                    forget();
                }
                ((DirectoryRefresh) message).serviceList().forEach(this::on);
            }
            case UPDATE -> ((DirectoryUpdate) message).serviceList().forEach(this::on);
            default -> {}
        }
    }

    private void on(final Service service) {
        if (service.checkHasInfo()) {
            final String found = service.info().serviceName().toString();
            if (!found.equals(name)) {
                others.add(found);
                return;
            }
            serviceId = service.serviceId();
            dictionaries.clear();
            if (service.info().checkHasDictionariesProvided()) {
                dictionaries.addAll(service.info().dictionariesProvidedList());
            }
        }
        if (service.serviceId() != serviceId) {
            return;
        }
        if (service.action() == MapEntryActions.DELETE) {
            forget();
        } else if (service.checkHasState()) {
            isUp = service.state().serviceState() == 1;
            accepts =
                    !service.state().checkHasAcceptingRequests()
                            || service.state().acceptingRequests() == 1;
        } else if (service.checkHasInfo()) {
            isUp = true; // a directory without states has services that are up
            accepts = true;
        }
    }

    private void forget() {
        serviceId = NONE;
        isUp = false;
        accepts = false;
    }

    boolean isReady() {
        return serviceId != NONE && isUp && accepts;
    }

    int serviceId() {
        return serviceId;
    }

    /** Names of the dictionaries that the service provides. */
    List<String> dictionaries() {
        return List.copyOf(dictionaries);
    }

    /** Why requests cannot begin. */
    String diagnosis() {
        if (!heard) {
            return "the provider sent no source directory";
        }
        if (serviceId == NONE) {
            return "the directory has no service %s; %s"
                            .formatted(
                                    name,
                                    others.isEmpty()
                                            ? "it has none at all"
                                            : "it has " + String.join(", ", others))
                    + "; compare --service-name on both sides";
        }
        return "the service %s is there but %s"
                .formatted(name, isUp ? "does not accept requests" : "is down");
    }
}

package io.tickmark.workloads.market.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import com.refinitiv.eta.codec.MapEntryActions;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryMsg;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryMsgFactory;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryMsgType;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryRefresh;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryUpdate;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.Service;
import org.junit.jupiter.api.Test;

class ServiceWatchTest {
    private static final int ID = 7;

    private final EtaConsumer.ServiceWatch watch = new EtaConsumer.ServiceWatch("FEED");

    private static Service named(final String name, final int id) {
        final Service service = DirectoryMsgFactory.createService();
        service.serviceId(id);
        service.action(MapEntryActions.ADD);
        service.applyHasInfo();
        service.info().serviceName().data(name);
        return service;
    }

    private static Service in(final Service service, final int state, final int accepting) {
        service.applyHasState();
        service.state().serviceState(state);
        service.state().applyHasAcceptingRequests();
        service.state().acceptingRequests(accepting);
        return service;
    }

    private static DirectoryMsg refresh(final Service... services) {
        final DirectoryMsg message = DirectoryMsgFactory.createMsg();
        message.rdmMsgType(DirectoryMsgType.REFRESH);
        ((DirectoryRefresh) message).serviceList().addAll(java.util.List.of(services));
        return message;
    }

    private static DirectoryMsg update(final Service service) {
        final DirectoryMsg message = DirectoryMsgFactory.createMsg();
        message.rdmMsgType(DirectoryMsgType.UPDATE);
        ((DirectoryUpdate) message).serviceList().add(service);
        return message;
    }

    private static Service known() {
        final Service service = DirectoryMsgFactory.createService();
        service.serviceId(ID);
        service.action(MapEntryActions.UPDATE);
        return service;
    }

    @Test
    void shouldSayWhatItHasHeard() {
        assertThat(watch.diagnosis()).isEqualTo("the provider sent no source directory");
        watch.on(refresh());
        assertThat(watch.diagnosis())
                .isEqualTo(
                        "the directory has no service FEED; it has none at all; compare --service-name on both sides");
        watch.on(refresh(named("OTHER", 1)));
        assertThat(watch.diagnosis()).contains("it has OTHER;");
    }

    @Test
    void shouldBeReadyWhereTheDirectoryHasNoStates() {
        watch.on(refresh(named("FEED", ID)));
        assertThat(watch.isReady()).isTrue();
        assertThat(watch.serviceId()).isEqualTo(ID);
    }

    @Test
    void shouldFollowTheService() {
        watch.on(refresh(in(named("FEED", ID), 0, 0)));
        assertThat(watch.isReady()).isFalse();
        assertThat(watch.diagnosis()).isEqualTo("the service FEED exists but is down");

        final Service describedAnew = known();
        describedAnew.applyHasInfo();
        describedAnew.info().serviceName().data("FEED");
        watch.on(update(describedAnew));
        assertThat(watch.diagnosis()).isEqualTo("the service FEED exists but is down");

        watch.on(update(in(known(), 1, 0)));
        assertThat(watch.isReady()).isFalse();
        assertThat(watch.diagnosis())
                .isEqualTo("the service FEED exists but does not accept requests");

        watch.on(update(in(known(), 1, 1)));
        assertThat(watch.isReady()).isTrue();

        final Service gone = known();
        gone.action(MapEntryActions.DELETE);
        watch.on(update(gone));
        assertThat(watch.isReady()).isFalse();
        assertThat(watch.diagnosis()).contains("the directory has no service FEED");
    }
}

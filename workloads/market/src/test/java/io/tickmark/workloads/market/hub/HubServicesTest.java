package io.tickmark.workloads.market.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.DataStates;
import com.refinitiv.eta.codec.FilterEntryActions;
import com.refinitiv.eta.codec.MapEntryActions;
import com.refinitiv.eta.codec.StreamStates;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryMsgFactory;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryMsgType;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryRefresh;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.Service;
import io.tickmark.workloads.market.Peer;
import io.tickmark.workloads.market.rssl.Rssl;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the directory of a provider that stays connected says of its service. */
@Timeout(300)
class HubServicesTest {
    private static final String SERVICE = EmaProvider.SERVICE;

    private final int port = Rssl.freePort("127.0.0.1", "--host");

    private static HubRunner hub(final int... ports) {
        return new HubRunner(
                Map.of(
                        "providers",
                        java.util.Arrays.stream(ports).mapToObj(p -> "127.0.0.1:" + p).toList()));
    }

    private static void awaitSuspect(final EmaConsumer consumer, final String item) {
        consumer.heard()
                .await(
                        "suspect",
                        e -> e.is("status", item) && e.state().startsWith("Open/Suspect"));
    }

    private static void awaitImage(final EmaConsumer consumer, final String item) {
        consumer.heard()
                .await("image", e -> e.is("refresh", item) && e.state().startsWith("Open/Ok"));
    }

    @Test
    void shouldAskAgainWhenAServiceThatWentDownIsUpAgain() {
        try (EmaProvider provider = new EmaProvider(port);
                HubRunner hub = hub(port);
                EmaConsumer consumer = new EmaConsumer(hub.consumers())) {
            consumer.open(SERVICE, "A");
            awaitImage(consumer, "A");
            provider.service(false, true);
            awaitSuspect(consumer, "A");
            provider.heard().await("the close", e -> e.is("close", "A"));
            provider.heard().events().clear();
            consumer.heard().events().clear();
            provider.service(true, true);
            provider.heard().await("the request", e -> e.is("request", "A"));
            awaitImage(consumer, "A");
            provider.update("A", 170, 0);
            consumer.heard().await("an update", e -> e.is("update", "A"));
        }
    }

    @Test
    void shouldAskAnotherProviderWhenOneSaysThatItsServiceIsDown() {
        final int other = Rssl.freePort("127.0.0.1", "--host");
        try (EmaProvider first = new EmaProvider(port);
                HubRunner hub = hub(port, other);
                EmaConsumer consumer = new EmaConsumer(hub.consumers())) {
            consumer.open(SERVICE, "A");
            awaitImage(consumer, "A");
            try (EmaProvider second = new EmaProvider(other)) {
                hub.awaitLine("127.0.0.1:%d provides %s.".formatted(other, SERVICE));
                consumer.heard().events().clear();
                first.service(false, false);
                second.heard().await("the request", e -> e.is("request", "A"));
                awaitImage(consumer, "A");
                second.update("A", 170, 0);
                consumer.heard().await("an update", e -> e.is("update", "A"));
                assertThat(first.heard().events()).anyMatch(e -> e.is("close", "A"));
            }
        }
    }

    @Test
    void shouldKeepTheItemsOfAServiceThatTakesNoNewRequests() {
        try (EmaProvider provider = new EmaProvider(port);
                HubRunner hub = hub(port);
                EmaConsumer consumer = new EmaConsumer(hub.consumers())) {
            consumer.open(SERVICE, "A");
            awaitImage(consumer, "A");
            provider.service(true, false);
            hub.awaitLine("takes no new requests for " + SERVICE);
            provider.update("A", 170, 0);
            consumer.heard().await("an update", e -> e.is("update", "A"));
            assertThat(consumer.heard().events()).noneMatch(e -> e.is("status", "A"));

            provider.service(true, true);
            hub.awaitLine("takes new requests for " + SERVICE);
            consumer.open(SERVICE, "B");
            awaitImage(consumer, "B");
            assertThat(provider.heard().events()).filteredOn(e -> e.is("request", "A")).hasSize(1);
        }
    }

    private static Service described(final int action) {
        final Service service = DirectoryMsgFactory.createService();
        service.action(action);
        service.serviceId(3);
        service.applyHasInfo();
        service.info().action(FilterEntryActions.SET);
        service.info().serviceName().data("S");
        return service;
    }

    private static DirectoryRefresh directory(final Service service) {
        final DirectoryRefresh directory = (DirectoryRefresh) DirectoryMsgFactory.createMsg();
        directory.rdmMsgType(DirectoryMsgType.REFRESH);
        directory.serviceList().add(service);
        return directory;
    }

    @Test
    void shouldLeaveAServiceDownThatIsDescribedAnewUntilItIsDeletedAndAdded() {
        final Services services = new Services(line -> {}, service -> {}, null, false, what -> {});
        final ProviderLink link = new ProviderLink(Peer.parse("127.0.0.1:14002"), null);
        final Service isDown = described(MapEntryActions.ADD);
        isDown.applyHasState();
        isDown.state().serviceState(0);
        services.on(link, directory(isDown));
        services.on(link, directory(described(MapEntryActions.UPDATE)));
        assertThat(services.named("S").isUp()).isFalse();

        final Service gone = DirectoryMsgFactory.createService();
        gone.action(MapEntryActions.DELETE);
        gone.serviceId(3);
        services.on(link, directory(gone));
        services.on(link, directory(described(MapEntryActions.ADD)));
        assertThat(services.named("S").isUp()).isTrue();
    }

    @Test
    void shouldReportSeparatelyWhetherAServiceIsUpAndWhetherItAcceptsRequests() {
        final Services services = new Services(line -> {}, service -> {}, null, false, what -> {});
        final ProviderLink link = new ProviderLink(Peer.parse("127.0.0.1:14002"), null);
        final Service service = described(MapEntryActions.ADD);
        service.applyHasState();
        service.state().serviceState(1);
        service.state().applyHasAcceptingRequests();
        service.state().acceptingRequests(0);
        services.on(link, directory(service));

        final Service.ServiceState passedOn =
                services.directory(1, true).serviceList().getFirst().state();
        assertThat(passedOn.serviceState()).isEqualTo(1);
        assertThat(passedOn.acceptingRequests()).isZero();
        assertThat(services.named("S").toAsk()).isNull();
    }

    @Test
    void shouldMarkItemsOfAPublisherSuspectWhenItsServiceGoesDown() {
        try (HubRunner hub = new HubRunner(Map.of());
                RawPublisher publisher = new RawPublisher(hub.publishers())) {
            publisher.image(-5, "A");
            HubPublishersTest.awaitItems(hub, 1);
            try (EmaConsumer consumer = new EmaConsumer(hub.consumers())) {
                consumer.open(RawPublisher.SERVICE, "A");
                awaitImage(consumer, "A");
                publisher.service(false, service -> {});
                awaitSuspect(consumer, "A");
                consumer.heard().events().clear();
                publisher.service(true, service -> {});
                publisher.image(-5, "A");
                awaitImage(consumer, "A");
            }
        }
    }

    private static Consumer<Service> ofGroup(final Buffer group, final int dataState) {
        return service -> {
            final Service.ServiceGroup state = new Service.ServiceGroup();
            state.action(FilterEntryActions.SET);
            state.group(group);
            state.applyHasStatus();
            state.status().streamState(StreamStates.OPEN);
            state.status().dataState(dataState);
            service.groupStateList().add(state);
        };
    }

    private static Consumer<Service> ofAll(final int dataState) {
        return service -> {
            service.state().applyHasStatus();
            service.state().status().streamState(StreamStates.OPEN);
            service.state().status().dataState(dataState);
        };
    }

    @Test
    void shouldPassOnTheStateOfAGroupAndOfAServiceToItsItems() {
        final Buffer group = CodecFactory.createBuffer();
        group.data("g1");
        final List<Consumer<Service>> states =
                List.of(ofGroup(group, DataStates.SUSPECT), ofAll(DataStates.SUSPECT));
        try (HubRunner hub = new HubRunner(Map.of());
                RawPublisher publisher = new RawPublisher(hub.publishers())) {
            publisher.image(-5, "A");
            publisher.group(-5, group);
            publisher.image(-6, "OTHER");
            HubPublishersTest.awaitItems(hub, 2);
            try (EmaConsumer consumer = new EmaConsumer(hub.consumers())) {
                consumer.open(RawPublisher.SERVICE, "A").open(RawPublisher.SERVICE, "OTHER");
                awaitImage(consumer, "A");
                awaitImage(consumer, "OTHER");
                publisher.service(true, states.getFirst());
                awaitSuspect(consumer, "A");
                assertThat(consumer.heard().events()).noneMatch(e -> e.is("status", "OTHER"));
                publisher.service(true, states.getLast());
                awaitSuspect(consumer, "OTHER");
                publisher.service(true, ofAll(DataStates.OK));
                consumer.heard()
                        .await(
                                "ok",
                                e -> e.is("status", "OTHER") && e.state().startsWith("Open/Ok"));
            }
        }
    }
}

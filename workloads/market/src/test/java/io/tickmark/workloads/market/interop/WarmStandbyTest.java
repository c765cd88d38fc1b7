package io.tickmark.workloads.market.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.refinitiv.ema.access.AckMsg;
import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.GenericMsg;
import com.refinitiv.ema.access.Msg;
import com.refinitiv.ema.access.OmmConsumer;
import com.refinitiv.ema.access.OmmConsumerClient;
import com.refinitiv.ema.access.OmmConsumerConfig;
import com.refinitiv.ema.access.OmmConsumerEvent;
import com.refinitiv.ema.access.OmmState;
import com.refinitiv.ema.access.RefreshMsg;
import com.refinitiv.ema.access.StatusMsg;
import com.refinitiv.ema.access.UpdateMsg;
import com.refinitiv.ema.rdm.DataDictionary;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.workloads.market.Peer;
import io.tickmark.workloads.market.RunningRoles;
import io.tickmark.workloads.market.consumer.MarketConsumer;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.hub.MarketHub;
import io.tickmark.workloads.market.provider.MarketProvider;
import io.tickmark.workloads.market.rssl.ConnectionSettings;
import io.tickmark.workloads.market.rssl.EmaFile;
import io.tickmark.workloads.market.rssl.Rssl;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The vendor's consumer has two servers of ours, and loses the one that is active. */
@Execution(ExecutionMode.CONCURRENT)
class WarmStandbyTest {
    private static final int ITEMS = 20;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(90);

    @TempDir private Path folder;

    /** Two servers of the same items: providers, or hubs with a provider each. */
    private static final class Servers {
        private final RunningRoles roles;
        private final int[] ports = new int[2];
        private final RunningRoles.StartedRole[] servers = new RunningRoles.StartedRole[2];
        private final boolean areHubs;

        Servers(final RunningRoles roles, final String kind) {
            this.roles = roles;
            areHubs = kind.equals("hub");
            for (int i = 0; i < 2; i++) {
                final int providerPort = Rssl.freePort("127.0.0.1", "--host");
                final RunningRoles.StartedRole provider =
                        start(
                                new MarketProvider.Factory(),
                                Map.of("port", providerPort, "updateRate", 1000));
                ports[i] = providerPort;
                servers[i] = provider;
                if (areHubs) {
                    ports[i] = Rssl.freePort("127.0.0.1", "--host");
                    servers[i] =
                            start(
                                    new MarketHub.Factory(),
                                    Map.of(
                                            "port",
                                            ports[i],
                                            "publisherPort",
                                            -1,
                                            "reconnectDelay",
                                            "50ms",
                                            "providers",
                                            List.of("127.0.0.1:" + providerPort)));
                }
            }
        }

        private <S extends Record> RunningRoles.StartedRole start(
                final RoleFactory<S> factory, final Map<String, ?> settings) {
            return roles.start(factory, settings);
        }

        long updatesOf(final int server) {
            return count(server, areHubs ? "updatesOut" : "updatesSent");
        }

        /** Images of items that it was asked for, without content where it stands by. */
        long imagesOf(final int server) {
            return areHubs
                    ? count(server, "imagesOut") + count(server, "standbyImages")
                    : count(server, "imagesSent");
        }

        private long count(final int server, final String counter) {
            return servers[server].context().recording().counter(counter).get();
        }

        /** Waits until the second server knows all items. */
        void awaitStandby() {
            final long beginNs = System.nanoTime();
            while (imagesOf(1) < ITEMS) {
                assertThat(System.nanoTime() - beginNs).isLessThan(TimeUnit.SECONDS.toNanos(90));
                LockSupport.parkNanos(1_000_000);
            }
            assertThat(updatesOf(1)).isZero();
        }

        /** Ends the server that is active. */
        RoleResult kill() throws Exception {
            servers[0].context().stop();
            return servers[0].result();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"provider", "hub"})
    void shouldTakeOverForAStockConsumer(final String kind) throws Exception {
        try (RunningRoles roles = new RunningRoles(PATIENCE_NS)) {
            final Servers servers = new Servers(roles, kind);
            final Stock stock = new Stock();
            final OmmConsumer consumer = stock.connect(servers);
            try {
                for (int i = 1; i <= ITEMS; i++) {
                    consumer.registerClient(
                            EmaFactory.createReqMsg().serviceName("DIRECT_FEED").name("TMK" + i),
                            stock);
                }
                stock.read(
                        consumer,
                        () ->
                                stock.images.get() >= ITEMS
                                        && stock.updates.get() > 500
                                        && servers.imagesOf(1) >= ITEMS);
                assertThat(servers.updatesOf(1)).isZero(); // it stands by
                servers.kill();
                final int before = stock.updates.get();
                stock.read(
                        consumer,
                        () -> servers.updatesOf(1) > 500 && stock.updates.get() > before + 500);
                assertThat(stock.closed.get()).isZero();
            } finally {
                consumer.uninitialize();
            }
        }
    }

    /** A consumer of the vendor's on its Message API. */
    private final class Stock implements OmmConsumerClient {
        private final AtomicInteger images = new AtomicInteger();
        private final AtomicInteger updates = new AtomicInteger();
        private final AtomicInteger closed = new AtomicInteger();

        OmmConsumer connect(final Servers servers) throws Exception {
            FieldDictionary.writeOwn(folder);
            final DataDictionary dictionary = EmaFactory.createDataDictionary();
            dictionary.loadFieldDictionary(folder.resolve(FieldDictionary.FIELD_FILE).toString());
            dictionary.loadEnumTypeDictionary(folder.resolve(FieldDictionary.ENUM_FILE).toString());
            try (EmaFile file =
                    EmaFile.consumer(
                            Settings.read(ConnectionSettings.class, Map.of(), key -> key),
                            new EmaFile.Calling(
                                    new Peer("127.0.0.1", servers.ports[0]),
                                    TimeUnit.SECONDS.toMillis(60),
                                    100,
                                    TimeUnit.SECONDS.toMillis(15)),
                            Optional.of(new Peer("127.0.0.1", servers.ports[1])))) {
                return EmaFactory.createOmmConsumer(
                        EmaFactory.createOmmConsumerConfig(file.path())
                                .operationModel(OmmConsumerConfig.OperationModel.USER_DISPATCH)
                                .dataDictionary(dictionary, false));
            }
        }

        void read(final OmmConsumer consumer, final BooleanSupplier until) {
            final long beginNs = System.nanoTime();
            while (!until.getAsBoolean()) {
                assertThat(System.nanoTime() - beginNs).isLessThan(TimeUnit.SECONDS.toNanos(90));
                consumer.dispatch(10_000);
            }
        }

        @Override
        public void onRefreshMsg(final RefreshMsg message, final OmmConsumerEvent event) {
            images.incrementAndGet();
        }

        @Override
        public void onUpdateMsg(final UpdateMsg message, final OmmConsumerEvent event) {
            updates.incrementAndGet();
        }

        @Override
        public void onStatusMsg(final StatusMsg message, final OmmConsumerEvent event) {
            if (message.hasState() && message.state().streamState() != OmmState.StreamState.OPEN) {
                closed.incrementAndGet();
            }
        }

        @Override
        public void onGenericMsg(final GenericMsg message, final OmmConsumerEvent event) {
            // none is sent
        }

        @Override
        public void onAckMsg(final AckMsg message, final OmmConsumerEvent event) {
            // nothing is posted
        }

        @Override
        public void onAllMsg(final Msg message, final OmmConsumerEvent event) {
            // the other callbacks do
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"provider", "hub"})
    void shouldContinueToMeasureWithTheStandbyAndReportNoLoss(final String kind) throws Exception {
        try (RunningRoles roles = new RunningRoles(PATIENCE_NS)) {
            final Servers servers = new Servers(roles, kind);
            final Map<String, Object> settings = new HashMap<>();
            settings.put("api", "ema");
            settings.put("host", "127.0.0.1");
            settings.put("port", servers.ports[0]);
            settings.put("standby", "127.0.0.1:" + servers.ports[1]);
            settings.put("itemCount", ITEMS);
            settings.put("steadyStateTime", "15s");
            final RunningRoles.StartedRole consumer =
                    roles.start(new MarketConsumer.Factory(), settings);
            consumer.awaitStep(1);
            servers.awaitStandby();
            servers.kill();
            final RoleResult result = consumer.result();
            assertThat(result.failure()).isEmpty();
            assertThat(servers.updatesOf(1)).isPositive();
            assertThat(result.steps().get(1).counts())
                    .containsEntry(Counts.LOST, 0L)
                    .containsEntry(Counts.DUPLICATED, 0L);
            assertThat(result.metrics()).containsEntry("images", (long) ITEMS);
        }
    }
}

package io.tickmark.workloads.market.provider;

import static org.assertj.core.api.Assertions.assertThat;

import com.refinitiv.ema.access.ComplexType;
import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.FieldList;
import com.refinitiv.ema.access.OmmConsumer;
import com.refinitiv.ema.access.OmmConsumerClient;
import com.refinitiv.ema.access.OmmConsumerConfig;
import com.refinitiv.ema.access.OmmException;
import com.refinitiv.ema.access.OmmReal;
import com.refinitiv.ema.access.OmmState;
import com.refinitiv.ema.access.RefreshMsg;
import com.refinitiv.ema.access.UpdateMsg;
import com.refinitiv.ema.rdm.DataDictionary;
import com.refinitiv.ema.rdm.EmaRdm;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.workloads.market.MarketEndpoints;
import io.tickmark.workloads.market.Peer;
import io.tickmark.workloads.market.RunningRoles;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.Fields;
import io.tickmark.workloads.market.rssl.ConnectionSettings;
import io.tickmark.workloads.market.rssl.EmaFile;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Our provider with a consumer of the vendor's that sends what ours would not. */
class ForeignConsumerTest {
    private static final int BID = 22;

    @TempDir private Path folder;

    /** Reads only on request. */
    private static final class Foreign implements AutoCloseable {
        private final AtomicBoolean hasImage = new AtomicBoolean();
        private final OmmConsumer consumer;
        private final long handle;
        private int posts;
        private int postedImages;
        private int postedUpdates;
        private int acknowledged;

        Foreign(final RunningRoles roles, final Path folder) throws IOException {
            // from files: the library's consumer does not end to load it from its provider
            FieldDictionary.writeOwn(folder);
            final DataDictionary dictionary = EmaFactory.createDataDictionary();
            dictionary.loadFieldDictionary(folder.resolve(FieldDictionary.FIELD_FILE).toString());
            dictionary.loadEnumTypeDictionary(folder.resolve(FieldDictionary.ENUM_FILE).toString());
            // written at once: the library's own flush may wait for a dispatch
            try (EmaFile file =
                    EmaFile.consumer(
                            Settings.read(ConnectionSettings.class, Map.of(), key -> key),
                            new EmaFile.Calling(
                                    Peer.parse(roles.endpoint(MarketEndpoints.PROVIDER)),
                                    TimeUnit.SECONDS.toMillis(30),
                                    100,
                                    TimeUnit.SECONDS.toMillis(15)),
                            Optional.empty())) {
                consumer =
                        EmaFactory.createOmmConsumer(
                                EmaFactory.createOmmConsumerConfig(file.path())
                                        .operationModel(
                                                OmmConsumerConfig.OperationModel.USER_DISPATCH)
                                        .dataDictionary(dictionary, false));
            }
            handle =
                    consumer.registerClient(
                            EmaFactory.createReqMsg().serviceName("DIRECT_FEED").name("TMK1"),
                            client());
            await(hasImage::get);
        }

        private OmmConsumerClient client() {
            return (OmmConsumerClient)
                    Proxy.newProxyInstance(
                            OmmConsumerClient.class.getClassLoader(),
                            new Class<?>[] {OmmConsumerClient.class},
                            (proxy, method, arguments) -> {
                                switch (method.getName()) {
                                    case "onRefreshMsg" -> {
                                        hasImage.set(true);
                                        postedImages +=
                                                ((RefreshMsg) arguments[0]).hasPublisherId()
                                                        ? 1
                                                        : 0;
                                    }
                                    case "onUpdateMsg" ->
                                            postedUpdates +=
                                                    ((UpdateMsg) arguments[0]).hasPublisherId()
                                                            ? 1
                                                            : 0;
                                    case "onAckMsg" -> acknowledged++;
                                    default -> {}
                                }
                                return null;
                            });
        }

        /** The handle of its login, to post there. */
        long login() {
            return consumer.registerClient(
                    EmaFactory.createReqMsg().domainType(EmaRdm.MMT_LOGIN), client());
        }

        /** Reads until it is so. */
        void await(final BooleanSupplier isSo) {
            final long beginNs = System.nanoTime();
            while (!isSo.getAsBoolean()) {
                assertThat(System.nanoTime() - beginNs).isLessThan(TimeUnit.SECONDS.toNanos(120));
                consumer.dispatch(10_000);
            }
        }

        void generic(final long number) {
            final FieldList fields = EmaFactory.createFieldList();
            fields.add(EmaFactory.createFieldEntry().uintValue(Fields.GENERIC_SEQUENCE, number));
            consumer.submit(EmaFactory.createGenericMsg().complete(true).payload(fields), handle);
        }

        private static FieldList fields(final long bid) {
            final FieldList fields = EmaFactory.createFieldList();
            fields.add(
                    EmaFactory.createFieldEntry()
                            .real(BID, bid, OmmReal.MagnitudeType.EXPONENT_NEG_2));
            return fields;
        }

        /** Wants an acknowledgement. */
        void post(final ComplexType posted, final long on) {
            consumer.submit(
                    EmaFactory.createPostMsg()
                            .postId(++posts)
                            .solicitAck(true)
                            .complete(true)
                            .serviceName("DIRECT_FEED")
                            .name("TMK1")
                            .publisherId(1, 1)
                            .payload(posted),
                    on);
        }

        void post(final long bid) {
            consumer.submit(
                    EmaFactory.createPostMsg()
                            .complete(true)
                            .payload(EmaFactory.createUpdateMsg().payload(fields(bid))),
                    handle);
        }

        @Override
        public void close() {
            consumer.uninitialize();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"eta", "ema"})
    void shouldReportGenericMessagesThatDidNotCome(final String api) throws Exception {
        try (RunningRoles roles = new RunningRoles()) {
            final RunningRoles.StartedRole providing =
                    roles.start(
                            new MarketProvider.Factory(),
                            Map.of("port", 0, "updateRate", 0, "api", api));
            try (Foreign consumer = new Foreign(roles, folder)) {
                for (final long number : new long[] {1, 2, 2, 5}) {
                    consumer.generic(number);
                }
                consumer.await(() ->
                        providing.context().recording().counter("genericMessagesReceived").get()
                                >= 4);
            }
            providing.context().stop();
            final RoleResult result = providing.result();
            assertThat(
                            result.steps().stream()
                                    .map(StepResult::counts)
                                    .mapToLong(counts -> counts.getOrDefault(Counts.LOST, 0L))
                                    .sum())
                    .isEqualTo(2);
            assertThat(result.warnings())
                    .anyMatch(warning ->
                            warning.startsWith("2 generic messages from consumers were lost"));
        }
    }

    /** Posts on the login stream are only acknowledged: it has no watchers. */
    @ParameterizedTest
    @CsvSource({"eta,1", "ema,1", "ema,0"})
    void shouldReflectWhateverIsPostedToAnItem(final String api, final int useUserDispatch)
            throws Exception {
        try (RunningRoles roles = new RunningRoles()) {
            final RunningRoles.StartedRole providing =
                    roles.start(
                            new MarketProvider.Factory(),
                            Map.of(
                                    "api",
                                    api,
                                    "useUserDispatch",
                                    useUserDispatch,
                                    "port",
                                    0,
                                    "updateRate",
                                    0));
            try (Foreign consumer = new Foreign(roles, folder)) {
                final FieldList fields = Foreign.fields(7);
                consumer.post(EmaFactory.createUpdateMsg().payload(fields), consumer.handle);
                consumer.post(EmaFactory.createUpdateMsg().payload(fields), consumer.login());
                consumer.post(
                        EmaFactory.createRefreshMsg()
                                .complete(true)
                                .state(OmmState.StreamState.OPEN, OmmState.DataState.OK)
                                .payload(fields),
                        consumer.handle);
                consumer.post(fields, consumer.handle);
                consumer.await(() ->
                        consumer.acknowledged == 4
                                && consumer.postedUpdates == 2
                                && consumer.postedImages == 1);
                consumer.generic(1); // counted after the posts, which the provider may yet have to
                consumer.await(() ->
                        providing.context().recording().counter("genericMessagesReceived").get()
                                == 1);
            }
            providing.context().stop();
            assertThat(providing.result().metrics())
                    .containsEntry("posts", 4L)
                    .containsEntry("postsReflected", 3L);
        }
    }

    @ParameterizedTest
    @CsvSource({"eta,1", "ema,1", "ema,0"})
    void shouldDisconnectAPosterThatReadsNothingOfWhatComesBack(
            final String api, final int useUserDispatch) throws Exception {
        try (RunningRoles roles = new RunningRoles()) {
            final RunningRoles.StartedRole providing =
                    roles.start(
                            new MarketProvider.Factory(),
                            Map.of(
                                    "api", api,
                                    "useUserDispatch", useUserDispatch,
                                    "port", 0,
                                    "updateRate", 0,
                                    "outputBuffers", 10,
                                    "socketSendBytes", 10_000,
                                    "maxQueuedBytes", 100_000));
            try (Foreign deaf = new Foreign(roles, folder)) {
                final long beginNs = System.nanoTime();
                long posted = 0;
                while (providing.context().lines().stream()
                        .noneMatch(line -> line.contains("is disconnected: more than 100000"))) {
                    assertThat(System.nanoTime() - beginNs)
                            .isLessThan(TimeUnit.SECONDS.toNanos(240));
                    try {
                        deaf.post(++posted);
                    } catch (final OmmException _) {
                        Thread.onSpinWait(); // its own buffers are full, or it is disconnected
                    }
                }
            }
            providing.context().stop();
            final RoleResult result = providing.result();
            assertThat(result.failure()).isEmpty();
            assertThat(result.metrics()).containsEntry("slowConsumers", 1L);
        }
    }
}

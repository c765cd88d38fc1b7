package io.tickmark.workloads.market.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.refinitiv.ema.access.AckMsg;
import com.refinitiv.ema.access.DataType;
import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.FieldEntry;
import com.refinitiv.ema.access.FieldList;
import com.refinitiv.ema.access.GenericMsg;
import com.refinitiv.ema.access.Msg;
import com.refinitiv.ema.access.OmmConsumer;
import com.refinitiv.ema.access.OmmConsumerClient;
import com.refinitiv.ema.access.OmmConsumerConfig;
import com.refinitiv.ema.access.OmmConsumerEvent;
import com.refinitiv.ema.access.OmmReal;
import com.refinitiv.ema.access.OmmState;
import com.refinitiv.ema.access.RefreshMsg;
import com.refinitiv.ema.access.StatusMsg;
import com.refinitiv.ema.access.UpdateMsg;
import io.tickmark.workloads.market.MarketEndpoints;
import io.tickmark.workloads.market.RunningRoles;
import io.tickmark.workloads.market.provider.MarketProvider;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Our provider with a consumer that is made of the Message API's own classes. */
class ProviderAgainstEmaTest implements OmmConsumerClient {
    private static final long PATIENCE_NS = 60_000_000_000L;

    private int images;
    private int updates;
    private int reflected;
    private int generics;
    private int fields;
    private int stamps;
    private String unknown = "";

    @Test
    void shouldServeImagesUpdatesAndADictionaryToAStockConsumer() throws Exception {
        try (RunningRoles roles = new RunningRoles()) {
            roles.start(
                    new MarketProvider.Factory(),
                    Map.of(
                            "port",
                            0,
                            "updateRate",
                            1000,
                            "latencyUpdateRate",
                            "all",
                            "genericMsgRate",
                            1000));
            final OmmConsumer consumer = consumer(roles);
            try {
                for (int i = 1; i <= 20; i++) {
                    consumer.registerClient(
                            EmaFactory.createReqMsg().serviceName("DIRECT_FEED").name("TMK" + i),
                            this);
                }
                final long until = System.nanoTime() + PATIENCE_NS;
                while ((images < 20 || updates < 500 || generics < 10)
                        && System.nanoTime() < until) {
                    consumer.dispatch(10_000);
                }
            } finally {
                consumer.uninitialize();
            }
            assertThat(images).isEqualTo(20);
            assertThat(updates).isGreaterThanOrEqualTo(500);
            assertThat(generics).isGreaterThanOrEqualTo(10);
            assertThat(stamps).isEqualTo(updates);
            assertThat(fields).isGreaterThan(500 * 5);
            assertThat(unknown).isEmpty();
        }
    }

    @Test
    void shouldReflectThePostsOfAStockConsumer() throws Exception {
        try (RunningRoles roles = new RunningRoles()) {
            roles.start(
                    new MarketProvider.Factory(),
                    Map.of("port", 0, "updateRate", 0, "latencyUpdateRate", 0, "serviceId", 77));
            final OmmConsumer consumer = consumer(roles);
            try {
                final long item =
                        consumer.registerClient(
                                EmaFactory.createReqMsg().serviceName("DIRECT_FEED").name("TMK1"),
                                this);
                final long until = System.nanoTime() + PATIENCE_NS;
                while (images == 0 && System.nanoTime() < until) {
                    consumer.dispatch(10_000);
                }
                final FieldList list = EmaFactory.createFieldList();
                list.add(
                        EmaFactory.createFieldEntry()
                                .real(22, 1, OmmReal.MagnitudeType.EXPONENT_0));
                consumer.submit(
                        EmaFactory.createPostMsg()
                                .postId(1)
                                .solicitAck(true)
                                .complete(true)
                                .publisherId(42, 43)
                                .payload(EmaFactory.createUpdateMsg().payload(list)),
                        item);
                while ((reflected == 0 || acks == 0) && System.nanoTime() < until) {
                    consumer.dispatch(10_000);
                }
            } finally {
                consumer.uninitialize();
            }
            assertThat(reflected).isEqualTo(1);
            assertThat(acks).isEqualTo(1);
            assertThat(serviceId).isEqualTo(77);
        }
    }

    private int acks;
    private int serviceId;

    private static OmmConsumer consumer(final RunningRoles roles) {
        return EmaFactory.createOmmConsumer(
                EmaFactory.createOmmConsumerConfig()
                        .host(roles.endpoint(MarketEndpoints.PROVIDER))
                        .operationModel(OmmConsumerConfig.OperationModel.USER_DISPATCH)
                        .username("tester"));
    }

    @Override
    public void onRefreshMsg(final RefreshMsg message, final OmmConsumerEvent event) {
        assertThat(message.state().dataState()).isEqualTo(OmmState.DataState.OK);
        images++;
        serviceId = message.serviceId();
        read(message.payload().fieldList());
    }

    @Override
    public void onUpdateMsg(final UpdateMsg message, final OmmConsumerEvent event) {
        if (message.hasPublisherId()) {
            assertThat(message.publisherIdUserId()).isEqualTo(42);
            reflected++;
            return;
        }
        updates++;
        read(message.payload().fieldList());
    }

    private void read(final FieldList list) {
        for (final FieldEntry entry : list) {
            fields++;
            if (entry.name().isEmpty() || entry.loadType() == DataType.DataTypes.ERROR) {
                unknown = "field " + entry.fieldId();
            }
            if (entry.fieldId() == 3902) {
                stamps++;
                final long latencyUs = System.nanoTime() / 1000 - entry.uintValue();
                assertThat(latencyUs).isBetween(0L, 60_000_000L);
            }
        }
    }

    @Override
    public void onGenericMsg(final GenericMsg message, final OmmConsumerEvent event) {
        generics++;
    }

    @Override
    public void onAckMsg(final AckMsg message, final OmmConsumerEvent event) {
        acks++;
    }

    @Override
    public void onStatusMsg(final StatusMsg message, final OmmConsumerEvent event) {}

    @Override
    public void onAllMsg(final Msg message, final OmmConsumerEvent event) {}
}

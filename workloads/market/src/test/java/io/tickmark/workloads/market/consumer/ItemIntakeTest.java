package io.tickmark.workloads.market.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import com.refinitiv.eta.codec.DataStates;
import com.refinitiv.eta.codec.StreamStates;
import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.kernel.loop.LoopGroup;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.workloads.market.LocalContext;
import io.tickmark.workloads.market.Peer;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.Fields;
import io.tickmark.workloads.market.data.Item;
import io.tickmark.workloads.market.measure.LatencyMeter.LatencyListener;
import io.tickmark.workloads.market.measure.OtherClock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ItemIntakeTest {
    private static final long OWN = 42;

    /** Of no machine: reserved for examples. */
    private static final String ELSEWHERE = "192.0.2.1";

    private final LocalContext context = new LocalContext(Optional.empty(), 0, List.of());
    private final LoopCounts<ConsumerCounts> loop =
            new LoopCounts<>(ConsumerCounts.COLUMNS, 1, context.recording());
    private final ConsumerCounts counts = loop.live();
    private final ItemIntake intake = intake("127.0.0.1");

    /** Of a provider that no controller has started. */
    private ItemIntake intake(final String host) {
        final ConsumerSettings settings =
                Settings.read(ConsumerSettings.class, Map.of("itemCount", 2), key -> key);
        final List<Item> items =
                List.of(new Item(6, "A", true, true, false), new Item(6, "B", true, true, false));
        context.recording().beginStep(0, LoopGroup.STARTUP);
        return new ItemIntake(
                new ConsumerShared(
                        settings,
                        context,
                        new Peer(host, 1),
                        FieldDictionary.own(),
                        new OtherClock(true)),
                new ItemIntake.Parts(new WatchedItems(items), loop, LatencyListener.NONE, OWN));
    }

    private void image(final int index, final long sequence) {
        intake.refresh(index, StreamStates.OPEN, DataStates.OK, true, sequence);
    }

    @Test
    void shouldForgetWhatCameWhileItPrimed() {
        intake.beginPriming();
        image(0, 5);
        intake.status(1, StreamStates.OPEN, DataStates.SUSPECT);
        intake.decoded(intake.beginDecode(), false, 3);
        intake.endPriming();
        assertThat(counts.refreshes().get() + counts.statuses().get() + counts.garbled().get())
                .isZero();
        assertThat(counts.unknownFields().get()).isZero();

        image(0, 90); // what came in between was not asked for
        intake.settle();
        assertThat(counts.refreshes().get()).isEqualTo(1);
        assertThat(counts.lost().get()).isZero();
    }

    /** A source may say that it is back without its images, as a hub does of a whole group. */
    @Test
    void shouldTakeAnItemForRecoveredWhoseStateIsGoodAgain() {
        image(0, 0);
        intake.status(0, StreamStates.OPEN, DataStates.SUSPECT);
        intake.status(0, StreamStates.OPEN, DataStates.NO_CHANGE);
        assertThat(counts.recoveredItems().get()).isZero();
        intake.status(0, StreamStates.OPEN, DataStates.OK);

        assertThat(counts.suspectItems().get()).isEqualTo(1);
        assertThat(counts.recoveredItems().get()).isEqualTo(1);
    }

    @Test
    void shouldCountNothingButPostsAfterTheSteadyState() {
        image(0, 0);
        final long nowNs = context.clock().nanoTime();
        intake.beginSteadyState();
        intake.update(0, 1, nowNs, nowNs, Fields.OWN_HOST);
        intake.generic(0, 1, nowNs, nowNs, Fields.OWN_HOST);
        intake.endSteadyState();
        intake.update(0, 9, nowNs, nowNs, Fields.OWN_HOST);
        intake.generic(0, 9, nowNs, nowNs, Fields.OWN_HOST);
        image(1, 0);
        intake.status(0, StreamStates.OPEN, DataStates.SUSPECT);
        intake.post(0, OWN, 1, nowNs, nowNs);
        intake.settle();

        assertThat(counts.updates().get()).isEqualTo(1);
        assertThat(counts.genericsReceived().get()).isEqualTo(1);
        assertThat(counts.refreshes().get()).isEqualTo(1);
        assertThat(counts.statuses().get() + counts.lost().get()).isZero();
        assertThat(counts.postsBack().get()).isEqualTo(1);
        assertThat(loop.steady().updateLatency().count()).isEqualTo(1);
        assertThat(loop.steady().genericLatency().count()).isEqualTo(1);
        assertThat(loop.steady().postLatency().count()).isEqualTo(1);
    }

    /** Machines that were started minutes apart gave times of minutes. */
    @Test
    void shouldTimeNothingButPostsWhereMessagesSayTheirTimesAreOfAnotherClock() {
        times(intake, Fields.OWN_HOST + 1);
        assertThat(intake.hasOtherClock()).isTrue();
        assertThat(loop.live().updateLatency().count() + loop.live().genericLatency().count())
                .isZero();
        assertThat(loop.live().postLatency().count()).isEqualTo(1);
        assertThat(context.recording().endStep().latencies())
                .containsOnlyKeys("postResponseNs", "postServiceNs");
        assertThat(counts.updates().get() + counts.genericsReceived().get()).isEqualTo(2);
    }

    /** A stock provider, or one of version 0.1.0. */
    @Test
    void shouldGoByTheAddressWhereMessagesDoNotSayWhoseClockItIs() {
        times(intake, 0);
        assertThat(intake.hasOtherClock()).isFalse();
        assertThat(loop.live().updateLatency().count()).isEqualTo(1);
        assertThat(loop.live().genericLatency().count()).isEqualTo(1);

        final ItemIntake elsewhere = intake(ELSEWHERE);
        times(elsewhere, 0);
        assertThat(elsewhere.hasOtherClock()).isTrue();
        assertThat(loop.live().updateLatency().count()).isEqualTo(1);
        assertThat(loop.live().genericLatency().count()).isEqualTo(1);
    }

    /** In a container, or by a name that another machine has, too. */
    @Test
    void shouldBelieveAMessageThatItsTimesAreOfThisClockWhateverTheAddress() {
        final ItemIntake elsewhere = intake(ELSEWHERE);
        times(elsewhere, Fields.OWN_HOST);
        assertThat(elsewhere.hasOtherClock()).isFalse();
        assertThat(loop.live().updateLatency().count()).isEqualTo(1);
    }

    private void times(final ItemIntake of, final long host) {
        final long stamp = context.clock().nanoTime() - 1_000;
        of.update(0, 0, stamp, stamp, host);
        of.generic(0, 0, stamp, stamp, host);
        of.post(0, OWN, 0, stamp, stamp);
    }

    /** One that is missing and one that came twice are not even. */
    @Test
    void shouldDistinguishAPostReceivedTwiceFromOneReceivedOnce() {
        intake.post(0, OWN, 1, 0, 0);
        intake.post(0, OWN, 1, 0, 0);
        intake.post(1, OWN, 1, 0, 0);
        intake.post(0, OWN + 1, 1, 0, 0);
        intake.post(0, OWN, 0, 0, 0); // of a peer whose dictionary has no numbers
        intake.settle();

        assertThat(counts.postsBack().get()).isEqualTo(3);
        assertThat(counts.duplicated().get()).isEqualTo(1);
    }
}

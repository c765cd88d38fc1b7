package io.tickmark.workloads.market.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import com.refinitiv.eta.codec.DataStates;
import com.refinitiv.eta.codec.StreamStates;
import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.kernel.loop.LoopGroup;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.workloads.market.LocalContext;
import io.tickmark.workloads.market.MarketEndpoints;
import io.tickmark.workloads.market.Peer;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.Item;
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.data.MessageKind;
import io.tickmark.workloads.market.measure.CpuCost;
import io.tickmark.workloads.market.measure.LatencyMeter.LatencyListener;
import io.tickmark.workloads.market.measure.OtherClock;
import io.tickmark.workloads.market.measure.TickBursts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ConsumerResultTest {
    private static final int POSTS_PER_SECOND = 1000;

    private final LocalContext context = new LocalContext(Optional.empty(), 0, List.of());
    private final ConsumerSettings settings =
            Settings.read(
                    ConsumerSettings.class,
                    Map.of("itemCount", 2, "postingRate", POSTS_PER_SECOND),
                    key -> key);
    private final ConsumerShared shared =
            new ConsumerShared(
                    settings,
                    context,
                    new Peer("127.0.0.1", 1),
                    FieldDictionary.own(),
                    new OtherClock(false));
    private final WatchedItems items =
            new WatchedItems(
                    List.of(
                            new Item(6, "A", true, true, false),
                            new Item(6, "B", true, true, false)));
    private final LoopCounts<ConsumerCounts> counts =
            new LoopCounts<>(ConsumerCounts.COLUMNS, 1, context.recording());
    private final ItemIntake intake = inSteadyState();

    private ItemIntake inSteadyState() {
        context.recording().beginStep(0, LoopGroup.STARTUP);
        final ItemIntake made =
                new ItemIntake(
                        shared, new ItemIntake.Parts(items, counts, LatencyListener.NONE, 42));
        for (int index = 0; index < items.size(); index++) {
            made.refresh(index, StreamStates.OPEN, DataStates.OK, true, 0);
        }
        shared.beginSteady();
        made.beginSteadyState();
        return made;
    }

    private RoleResult result() {
        return result(OtherClock.of(context));
    }

    private RoleResult result(final OtherClock otherClock) {
        intake.settle();
        final ItemMessages posts =
                new ItemMessages(
                        new ItemMessages.Content(
                                MessageKind.POST,
                                MessageFile.own(FieldDictionary.own()),
                                ConsumerSettings.POSTING_RATE),
                        items,
                        new TickBursts(POSTS_PER_SECOND, 0, 100, 1),
                        context.clock());
        final ConsumerConnection.Findings findings =
                new ConsumerConnection.Findings(
                        counts,
                        new ConsumerConnection.Findings.Times(1, 2, 3, 3 + 1_000_000_000L),
                        intake,
                        items,
                        posts,
                        null,
                        CpuCost.NONE);
        return new MarketConsumer.ConsumerResult(shared, otherClock, List.of(findings))
                .of(context.recording().endStep(), List.of());
    }

    @Test
    void shouldFailWhereTheSourceOfItemsIsGoneAtTheEnd() {
        items.suspect(0, context.clock().nanoTime() - 2 * WatchedItems.GONE_NS);
        intake.endSteadyState();

        assertThat(result().failure())
                .startsWith(
                        "1 item was suspect at the end: its source behind 127.0.0.1:1 had been gone for more than 3 s");
        assertThat(result().metrics()).containsEntry("goneItems", 1L);
    }

    @Test
    void shouldReportItemsThatWereClosedInTheSteadyState() {
        intake.closed(1, "no such item any more");
        intake.endSteadyState();
        intake.closed(0, "the provider ends");
        final RoleResult result = result();
        assertThat(result.metrics()).containsEntry("closedItems", 1L);
        assertThat(result.warnings())
                .contains(
                        "1 item was closed by the provider, the last one B: no such item any more; nothing was received "
                                + "for it from then on.");
    }

    @Test
    void shouldSayNothingOfClosedItemsWhereNoneWas() {
        final RoleResult result = result();
        assertThat(result.metrics()).doesNotContainKey("closedItems");
        assertThat(result.warnings()).noneMatch(each -> each.contains("closed"));
    }

    /** A stock provider on another machine: no stamp is of this machine's clock. */
    @Test
    void shouldNotCountTimesOfAnotherMachinesClockWhenStartedByHand() {
        context.byHand();
        context.recording().latency("postServiceNs").record(1_000); // on its own clock
        context.recording().latency(Latencies.SERVICE_NS).record(-1);
        final RoleResult result = result();
        assertThat(result.steps().get(1).counts().keySet()).noneMatch(Counts::isNotTimed);
        assertThat(result.warnings()).containsOnlyOnce(OtherClock.WARNING);
    }

    @Test
    void shouldStillCountPostsThatAreTooShortForTheClockBesideThoseOfAnotherMachine() {
        context.byHand();
        context.recording().latency("postServiceNs").record(0);
        context.recording().latency(Latencies.SERVICE_NS).record(-1);
        assertThat(result().steps().get(1).counts())
                .containsEntry(Counts.NOT_POSITIVE, 1L)
                .containsEntry("postServiceNs." + Counts.NOT_POSITIVE, 1L)
                .doesNotContainKey("serviceNs." + Counts.NOT_POSITIVE);
    }

    /** Its row was void, however many messages it had received. */
    @Test
    void shouldNotCountTimesOfAnotherMachinesClockWhereThePlanHasNoProvider() {
        context.recording().latency(Latencies.SERVICE_NS).record(-1);
        final RoleResult result =
                result(OtherClock.of(context, Endpoints.NONE, MarketEndpoints.STAMPED));
        assertThat(result.steps().get(1).counts().keySet()).noneMatch(Counts::isNotTimed);
        assertThat(result.warnings()).containsOnlyOnce(OtherClock.WARNING);
    }

    @Test
    void shouldCountTimesThatAreNoneOfAProviderWhoseClockIsAligned() {
        context.recording().latency(Latencies.SERVICE_NS).record(-1);
        final RoleResult result =
                result(
                        OtherClock.of(
                                context,
                                Endpoints.of(Map.of(MarketEndpoints.STAMPED, "10")),
                                MarketEndpoints.STAMPED));
        assertThat(result.steps().get(1).counts()).containsEntry(Counts.NOT_POSITIVE, 1L);
        assertThat(result.warnings()).doesNotContain(OtherClock.WARNING);
    }

    @Test
    void shouldCountWhatIsTooShortForTheClocks() {
        context.byHand();
        context.recording().latency(Latencies.SERVICE_NS).record(-1);
        context.recording().latency(Latencies.SERVICE_NS).record(1_000);
        final RoleResult result = result();
        assertThat(result.steps().get(1).counts()).containsEntry(Counts.NOT_POSITIVE, 1L);
        assertThat(result.warnings()).doesNotContain(OtherClock.WARNING);
    }

    @Test
    void shouldNotBlameTheProvidersReadingForPostsThatNoItemTakes() {
        intake.closed(0, "gone");
        assertThat(result().steps().get(1).reasons())
                .singleElement()
                .asString()
                .contains("or the provider reads too slowly");

        context.recording().beginStep(1, LoopGroup.STEADY);
        intake.closed(1, "gone");
        assertThat(result().steps().get(1).reasons())
                .containsExactly(
                        "The consumer sent 0 posts/s of the requested 1000/s: the provider has closed the items "
                                + "that take them.");
    }
}

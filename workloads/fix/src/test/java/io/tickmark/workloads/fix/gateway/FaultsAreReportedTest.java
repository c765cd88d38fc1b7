package io.tickmark.workloads.fix.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.loop.Column;
import io.tickmark.workloads.fix.trial.RawClient;
import io.tickmark.workloads.fix.trial.Trial;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Everything that a gateway drops, refuses or disconnects is counted and in its result. */
@Timeout(120)
class FaultsAreReportedTest {
    /** Counts of normal events. */
    private static final Set<String> HARMLESS =
            Set.of(
                    "gatewayIn",
                    "refusedByEngine",
                    "unmarked",
                    "gatewayOut",
                    "askedAgain",
                    "keptForAbsent");

    /** Each has one name, from the component to JSON. */
    private static List<String> names() {
        return Arrays.stream(GatewayCounts.class.getRecordComponents())
                .filter(each -> !each.getAnnotation(Column.class).count().isEmpty())
                .peek(each ->
                        assertThat(each.getName())
                                .isEqualTo(each.getAnnotation(Column.class).count()))
                .map(RecordComponent::getName)
                .toList();
    }

    @Test
    void shouldSayEachCountThatIsNoGoodSign() {
        assertThat(names()).hasSizeGreaterThan(HARMLESS.size()).containsAll(HARMLESS);
        for (final String name : names()) {
            final List<String> one = GatewayCounts.warnings(Map.of(name, 1L), true, false);
            final List<String> more = GatewayCounts.warnings(Map.of(name, 7L), true, false);
            if (HARMLESS.contains(name)) {
                assertThat(one).as(name).isEmpty();
            } else {
                assertThat(one).as(name).singleElement().asString().contains("1 ");
                assertThat(more).as(name).singleElement().asString().contains("7 ");
            }
        }
    }

    /** For foreign consumers only the gateway can report it. */
    @Test
    void shouldReportEachFaultThatAClientBrings() throws Exception {
        try (Trial trial =
                        new Trial(Map.of("fanOut", "all", "workers", 2))
                                .gateway(Map.of("exitAtEnd", false))
                                .start();
                RawClient consumer = new RawClient(trial.port("fixConsumers"), "CONSUMER1");
                RawClient producer = new RawClient(trial.port("fixProducers"), "PRODUCER1")) {
            producer.raw("8=FIX.4.4|9=5|35=0|10=999|"); // the checksum is another
            producer.say("W", "55=A|55=A|268=0|"); // a field twice
            assertThat(producer.hear()).startsWith("3|");
            consumer.say("W", "55=A|268=0|"); // nothing is accepted from a consumer
            assertThat(consumer.hear()).startsWith("j|");
            producer.say("W", "55=A|58=whole|268=0|");
            assertThat(consumer.hear()).contains("58=whole");
            try (Socket stranger =
                    new Socket(InetAddress.getLoopbackAddress(), trial.port("fixConsumers"))) {
                stranger.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes());
                assertThat(stranger.getInputStream().read()).isEqualTo(-1);
            }
            leaveWithoutAWord(trial);
            logOut(producer);
            logOut(consumer);
            trial.stop("gateway");
            assertThat(trial.result("gateway").failure()).isEmpty();
            assertThat(trial.result("gateway").warnings())
                    .containsExactlyInAnyOrder(
                            "2 messages were garbled and skipped.", // the stranger's is one
                            "2 messages were rejected and reached no consumer.",
                            "1 session ended without a Logout: the last messages sent to it may not have arrived.",
                            "1 connection ended before it was logged on.");
        }
    }

    private static void logOut(final RawClient client) throws IOException {
        client.say("5", "");
        assertThat(client.hear()).startsWith("5|");
    }

    private static void leaveWithoutAWord(final Trial trial)
            throws IOException, InterruptedException {
        final GatewayEngine engine = ((Gateway) trial.role("gateway")).engine();
        try (RawClient rude = new RawClient(trial.port("fixConsumers"), "CONSUMER2")) {
            rude.settle();
        }
        while (engine.counts().get("endedWithoutLogout") == 0) {
            Thread.sleep(1);
        }
    }
}

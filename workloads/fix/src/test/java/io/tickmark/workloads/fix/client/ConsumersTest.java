package io.tickmark.workloads.fix.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.host.HostId;
import io.tickmark.workloads.fix.trial.RawClient;
import io.tickmark.workloads.fix.trial.Trial;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConsumersTest {
    private static final int WARM_UP = 0;
    private static final int MEASURED = 1;
    private static final int END = 2;

    @Test
    void shouldAddUpTheRunsOfAProducerThatIsStartedAgain() throws Exception {
        try (Trial trial = new Trial(Map.of()).gateway(Map.of()).consumers(Map.of()).start()) {
            try (RawClient producer = new RawClient(trial.port("fixProducers"), "PRODUCER1")) {
                for (final int messages : new int[] {3, 2}) {
                    send(producer, 1, WARM_UP, 0);
                    for (int number = 0; number < messages; number++) {
                        send(producer, 1, MEASURED, number);
                    }
                    send(producer, 1, END, messages);
                    producer.settle();
                }
            }
            assertThat(trial.count("consumers", "received")).isEqualTo(5);
            assertThat(trial.count("consumers", "expected")).isEqualTo(5);
            assertThat(trial.count("consumers", "duplicated")).isZero();
        }
    }

    private static void send(
            final RawClient producer, final int producerNumber, final int phase, final int number)
            throws IOException {
        final long nowNs = System.nanoTime();
        producer.say(
                "W",
                "9700=Y|9701=%019d|9702=%019d|9703=%05d%d%012d|9704=%012d|9705=%s|55=X|268=0|"
                        .formatted(
                                nowNs,
                                nowNs,
                                producerNumber,
                                phase,
                                number,
                                number,
                                HostId.text()));
    }

    @Test
    void shouldTimeMeasuredMessagesOnlyWhereAProducerStillWarmsUp() throws Exception {
        try (Trial trial = new Trial(Map.of()).gateway(Map.of()).consumers(Map.of()).start()) {
            try (RawClient early = new RawClient(trial.port("fixProducers"), "PRODUCER1");
                    RawClient late = new RawClient(trial.port("fixProducers"), "PRODUCER2")) {
                send(late, 2, WARM_UP, 0);
                late.settle();
                send(early, 1, MEASURED, 0);
                early.settle();
                send(late, 2, WARM_UP, 1);
                late.settle();
                send(late, 2, MEASURED, 0);
                late.settle();
                send(early, 1, END, 1);
                early.settle();
                send(late, 2, END, 1);
                late.settle();
            }
            assertThat(trial.count("consumers", "received")).isEqualTo(2);
            assertThat(trial.count("consumers", "expected")).isEqualTo(2);
            assertThat(trial.result("consumers").metrics()).containsEntry("warmUpReceived", 2L);
            trial.result("consumers")
                    .steps()
                    .getFirst()
                    .latencies()
                    .forEach((name, latency) ->
                            assertThat(latency.getTotalCount()).as(name).isEqualTo(2));
        }
    }
}

package io.tickmark.workloads.messaging.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tickmark.kernel.record.Deliveries.AfterFault;
import io.tickmark.kernel.record.Deliveries.FirstMessages;
import io.tickmark.kernel.record.RoleFiles;
import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.role.TestContext;
import io.tickmark.kernel.stall.MessageLog;
import io.tickmark.kernel.stall.StallRecording;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.kernel.time.VirtualClock;
import io.tickmark.workloads.messaging.stream.StreamSubscriber.OneWayTimes;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class OneWayTimesTest {
    /** Numbers of a message in a file of messages with the kernel's times. */
    private static final int STAMPED_TIMES = 7;

    private static final long START_NS = 1_000_000;

    private final VirtualClock clock = new VirtualClock(START_NS);
    private final TestContext context = new TestContext(1, 1, clock);
    private final OneWayTimes times = new OneWayTimes(context, false);
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);

    private void collect(final long intendedNs, final long sentNs, final int length) {
        Stamp.write(message, 0, intendedNs, 0, 0, 0, 1);
        Stamp.writeSentNs(message, 0, sentNs);
        times.collect(message, 0, length);
    }

    private static Histogram of(final StepRecording recorded, final String latency) {
        return recorded.latencies().get(latency);
    }

    @Test
    void shouldGiveMessagesOfOnePollTheTimeOfTheLast() {
        context.recording().beginStep(0, "");
        collect(START_NS - 100, START_NS - 50, 64);
        collect(START_NS - 100, START_NS - 50, 64);
        collect(START_NS - 60, START_NS - 10, 64);

        times.settle(START_NS + 5);

        final StepRecording recorded = context.recording().endStep();
        assertThat(of(recorded, Latencies.RESPONSE_NS).getCountAtValue(105)).isEqualTo(2);
        assertThat(of(recorded, Latencies.RESPONSE_NS).getCountAtValue(65)).isEqualTo(1);
        assertThat(of(recorded, Latencies.SERVICE_NS).getCountAtValue(55)).isEqualTo(2);
        assertThat(of(recorded, Latencies.SERVICE_NS).getCountAtValue(15)).isEqualTo(1);
        assertThat(of(recorded, Latencies.SERVICE_NS).getTotalCount()).isEqualTo(3);
    }

    /** The topic that came through at once had hidden the others. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTellTheTopicsApartWhereFaultsArePlanned(final boolean isFirstOfPoll) {
        context.recording().watchFaults(START_NS);
        times.ofTopics(2);
        context.recording().beginStep(0, "");
        for (int topic = 1; topic <= 2; topic++) {
            Stamp.write(message, 0, START_NS, 0, 0, 0, topic);
            Stamp.writeSentNs(message, 0, START_NS);
            if (isFirstOfPoll) {
                times.record(message, 0, 64, START_NS + topic);
            } else {
                times.collect(message, 0, 64);
            }
        }
        times.settle(START_NS + 2);

        assertThat(context.recording().deliveries())
                .containsOnly(
                        Map.entry(
                                Latencies.RESPONSE_NS,
                                List.of(
                                        new AfterFault(
                                                0,
                                                2,
                                                0,
                                                List.of(
                                                        new FirstMessages(
                                                                START_NS,
                                                                START_NS,
                                                                START_NS + 2,
                                                                2))))));
    }

    /** Over 100 topics, of which each has a hundredth of the sequences. */
    @Test
    void shouldKeepWindowsOfTheWholeStepOfManyTopics(@TempDir final Path folder) throws Exception {
        final int topics = 100;
        final int rounds = 4 * MessageLog.MOST / topics;
        try (StallRecording recording =
                new StallRecording(Optional.of(folder), 1, () -> START_NS)) {
            recording.watch("subscriber", StallWatch.Part.RECEIVE, "it waits on purpose (block)");
            times.keep(
                    recording.messages(0, (long) topics * rounds, MessageLog.Kind.STAMPED),
                    () -> START_NS,
                    topics);
            context.recording().beginStep(0, "");
            for (int round = 0; round < rounds; round++) {
                for (int topic = 1; topic <= topics; topic++) {
                    final long sentNs = START_NS + round;
                    Stamp.write(message, 0, sentNs, round, 0, 0, topic);
                    Stamp.writeSentNs(message, 0, sentNs);
                    times.record(message, 0, 64, sentNs);
                }
            }
        }

        final int[] keptByQuarter = new int[4];
        try (DataInputStream in =
                new DataInputStream(
                        new GZIPInputStream(
                                Files.newInputStream(folder.resolve(RoleFiles.MESSAGES))))) {
            in.skipNBytes(4 + 4 + 4 + 8);
            in.skipNBytes(4L * in.readInt() + 1);
            long intended = 0;
            for (int left = in.readInt(); left > 0; left--) {
                intended += number(in);
                for (int other = 1; other < STAMPED_TIMES; other++) {
                    number(in);
                }
                keptByQuarter[(int) ((intended - START_NS) * 4 / rounds)]++;
            }
        }
        for (final int kept : keptByQuarter) {
            assertThat((double) kept)
                    .as(Arrays.toString(keptByQuarter))
                    .isCloseTo(MessageLog.MOST / 4.0, within(MessageLog.MOST / 8.0));
        }
    }

    /** Seven bits a byte, the lowest first; the sign is the lowest bit of all. */
    private static long number(final DataInputStream in) throws IOException {
        long bits = 0;
        for (int shift = 0; ; shift += 7) {
            final int next = in.readUnsignedByte();
            bits |= (long) (next & 0x7F) << shift;
            if ((next & 0x80) == 0) {
                return bits >>> 1 ^ -(bits & 1);
            }
        }
    }

    @Test
    void shouldRecordNoServiceTimeOfShortMessages() {
        context.recording().beginStep(0, "");
        collect(START_NS - 100, 0, Stamp.SHORT_LENGTH);

        times.settle(START_NS);

        final StepRecording recorded = context.recording().endStep();
        assertThat(of(recorded, Latencies.RESPONSE_NS).getTotalCount()).isEqualTo(1);
        assertThat(recorded.latencies()).doesNotContainKey(Latencies.SERVICE_NS);
    }

    @Test
    void shouldRecordAllHoweverManyDifferentTimesAPollHas() {
        context.recording().beginStep(0, "");
        for (int i = 1; i <= 1000; i++) {
            collect(START_NS - i, START_NS - i, 64);
            clock.advance(1);
        }

        times.settle(clock.nanoTime());
        times.settle(clock.nanoTime());

        final StepRecording recorded = context.recording().endStep();
        assertThat(of(recorded, Latencies.RESPONSE_NS).getTotalCount()).isEqualTo(1000);
        assertThat(of(recorded, Latencies.SERVICE_NS).getTotalCount()).isEqualTo(1000);
    }
}

package io.tickmark.lab.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.tickmark.kernel.result.TailSummary;
import io.tickmark.kernel.result.TailSummary.Stages;
import io.tickmark.lab.tail.Attribution.Delayed;
import io.tickmark.lab.tail.Attribution.Message;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BandsTest {
    /** Sent 1 late, 2 to the device, the more on the way the later, 4 in the socket. */
    private static Message message(final int number) {
        final long intendedNs = 1_000_000L * (number + 1);
        final long sentNs = intendedNs + 1;
        final long departedNs = sentNs + 2;
        final long arrivedNs = departedNs + number;
        return new Message(
                intendedNs,
                sentNs,
                arrivedNs + 4,
                sentNs + 1,
                departedNs,
                arrivedNs,
                0,
                Attribution.AtEcho.UNKNOWN);
    }

    private static List<Stages> stages(final List<Message> messages) {
        final Delayed[] delayed = Attribution.of(messages, List.of(), List.of(), List.of());
        return new Bands(delayed).stages();
    }

    @Test
    void shouldSumUpTheStagesOfEachBand() {
        final List<Message> messages = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            messages.add(message(i));
        }

        final List<Stages> stages = stages(messages);

        assertThat(stages)
                .containsExactly(
                        new Stages(
                                0,
                                50,
                                500,
                                0,
                                0,
                                0,
                                500,
                                1000,
                                499 * 500 / 2,
                                2000,
                                TailSummary.AtEcho.UNKNOWN,
                                new TailSummary.Part(500, 500),
                                TailSummary.Part.UNKNOWN),
                        new Stages(
                                50,
                                90,
                                400,
                                0,
                                0,
                                0,
                                400,
                                800,
                                400 * (500 + 899) / 2,
                                1600,
                                TailSummary.AtEcho.UNKNOWN,
                                new TailSummary.Part(400, 400),
                                TailSummary.Part.UNKNOWN),
                        new Stages(
                                90,
                                99,
                                90,
                                0,
                                0,
                                0,
                                90,
                                180,
                                90 * (900 + 989) / 2,
                                360,
                                TailSummary.AtEcho.UNKNOWN,
                                new TailSummary.Part(90, 90),
                                TailSummary.Part.UNKNOWN),
                        new Stages(
                                99,
                                100,
                                10,
                                0,
                                0,
                                0,
                                10,
                                20,
                                10 * (990 + 999) / 2,
                                40,
                                TailSummary.AtEcho.UNKNOWN,
                                new TailSummary.Part(10, 10),
                                TailSummary.Part.UNKNOWN));
    }

    /** Fewer than ten are above 99.9 %. */
    @Test
    void shouldNotLeaveOutTheSlowestOfFewMessages() {
        final long everyNs = 1_000_000;
        final int first = 5_994;
        final Stall stall =
                Stall.of(first * everyNs, first * everyNs + 15_000_000, Cause.CORE_TAKEN);
        final List<Message> messages = new ArrayList<>();
        for (int i = 0; i < 6_000; i++) {
            final long sentNs = i < first ? i * everyNs : stall.endNs() + i;
            messages.add(new Message(i * everyNs, sentNs, sentNs + 100));
        }

        final List<TailSummary.Band> bands =
                new Bands(Attribution.of(messages, List.of(stall), List.of(), List.of())).bands();

        assertThat(bands.stream().mapToLong(TailSummary.Band::messages).sum()).isEqualTo(3_000);
        assertThat(bands)
                .extracting(TailSummary.Band::fromPercentile, TailSummary.Band::toPercentile)
                .containsExactly(tuple(50.0, 90.0), tuple(90.0, 99.0), tuple(99.0, 100.0));
        assertThat(bands.getLast().machineDisturbed()).isTrue();
    }

    @Test
    void shouldCountMessagesWithoutTimesOrWithSomeThatCannotBeRight() {
        final List<Message> messages = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            messages.add(message(i));
        }
        final Message first = messages.getFirst();
        messages.set(0, new Message(first.intendedNs(), first.sentNs(), first.receivedNs()));
        messages.set(
                1,
                new Message(
                        messages.get(1).intendedNs(),
                        messages.get(1).sentNs(),
                        messages.get(1).receivedNs(),
                        0,
                        messages.get(1).sentNs() - 1, // of the one before
                        messages.get(1).arrivedNs(),
                        0,
                        Attribution.AtEcho.UNKNOWN));

        final Message third = messages.get(2);
        messages.set(
                2,
                new Message(
                        third.intendedNs(),
                        third.sentNs(),
                        third.receivedNs(),
                        third.departedNs() + 1, // queued after it had departed
                        third.departedNs(),
                        third.arrivedNs(),
                        0,
                        Attribution.AtEcho.UNKNOWN));

        final Stages fastest = stages(messages).getFirst();

        assertThat(fastest.messages()).isEqualTo(48);
        assertThat(fastest.unknown()).isEqualTo(2);
        assertThat(fastest.queued()).isEqualTo(new TailSummary.Part(47, 47));
    }

    /** By a clock that began elsewhere; of one message it says that it was out for too long. */
    @Test
    void shouldTellTheTimeInTheCardFromThatOnTheNetwork() {
        final List<Message> messages = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            final Message each = message(i + 100);
            messages.add(
                    new Message(
                            each.intendedNs(),
                            each.sentNs(),
                            each.receivedNs(),
                            each.queuedNs(),
                            each.departedNs(),
                            each.arrivedNs(),
                            i == 3 ? 1_000_000 : each.arrivedNs() - each.departedNs() - 30,
                            Attribution.AtEcho.UNKNOWN));
        }

        assertThat(stages(messages).getFirst().card()).isEqualTo(new TailSummary.Part(49, 49 * 30));
    }
}

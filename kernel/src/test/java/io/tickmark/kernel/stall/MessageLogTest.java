package io.tickmark.kernel.stall;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.record.RoleFiles;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageLogTest {
    private static void add(final MessageLog log, final long number) {
        log.addNumbered(number, number, number, number);
    }

    /** Every other window is kept; of the first one a hundred messages were lost. */
    @Test
    void shouldKeepSingleMessagesOfADenseLoad() {
        final MessageLog log =
                new MessageLog(0, 3L * MessageLog.MOST, MessageLog.Kind.RECEIVED, true);
        for (long number = 0; number < 10; number++) {
            log.add(number, number, number);
        }
        assertThat(log.seen()).isEqualTo(10);
        assertThat(log.kept()).isEqualTo(4);
        assertThat(log.time(3, 0)).isEqualTo(9);
        assertThat(log.windows()).isZero();
    }

    @Test
    void shouldSayWhereWindowsBeginWhateverWasLost() {
        final MessageLog log = new MessageLog(0, 2L * MessageLog.MOST, MessageLog.Kind.RECEIVED);
        for (long number = 100; number < 5L * MessageLog.WINDOW; number++) {
            add(log, number);
        }

        assertThat(log.windows()).isEqualTo(3);
        assertThat(log.window(0)).isZero();
        assertThat(log.window(1)).isEqualTo(MessageLog.WINDOW - 100);
        assertThat(log.time(log.window(1), 0)).isEqualTo(2L * MessageLog.WINDOW);
        assertThat(log.time(log.window(2), 0)).isEqualTo(4L * MessageLog.WINDOW);
        assertThat(log.kept()).isEqualTo(3 * MessageLog.WINDOW - 100);
    }

    @Test
    void shouldKeepMessagesOfAWarmUpWithoutEndWhereNobodyReadsThem() {
        final MessageLog log = new MessageLog(0, 100, MessageLog.Kind.RECEIVED).unread();
        for (long number = 0; number < 3 * 106; number++) {
            final int before = log.kept();
            add(log, number);
            assertThat(log.kept()).isEqualTo(before == 106 ? 1 : before + 1);
        }
        assertThat(MessageLog.off().unread()).isSameAs(MessageLog.off());
    }

    /** What is written in a measurement is compiled by then, and the warm-up leaves no message. */
    @Test
    void shouldWriteNothingWhileItRehearses(@TempDir final Path folder) {
        try (StallRecording recording = new StallRecording(Optional.of(folder), 1, () -> 0)) {
            add(recording.unreadMessages(10, MessageLog.Kind.RECEIVED), 1);
            recording.rehearse();
            recording.write();
            assertThat(folder.resolve(RoleFiles.MESSAGES)).doesNotExist();
        }
    }

    @Test
    void shouldNoteNothingWhereItIsSwitchedOff(@TempDir final Path folder) {
        System.setProperty(StallRecording.NOTING_PROPERTY, "false");
        try (StallRecording recording = new StallRecording(Optional.of(folder), 1, () -> 0)) {
            assertThat(recording.watch("thread", StallWatch.Part.SEND, ""))
                    .isSameAs(StallWatch.off());
            assertThat(recording.messages(0, 10)).isSameAs(MessageLog.off());
        } finally {
            System.clearProperty(StallRecording.NOTING_PROPERTY);
        }
        assertThat(folder).isEmptyDirectory();
    }

    /** What it runs is the test's own, though nothing else of it is known. */
    @Test
    void shouldNoteTheProcessOfARoleThatWatchesAndLogsNothing(@TempDir final Path folder)
            throws Exception {
        try (StallRecording recording = new StallRecording(Optional.of(folder), 3, () -> 0)) {
            recording.write();
        }

        assertThat(folder.resolve(RoleFiles.STALLS))
                .hasContent("server,3," + ProcessHandle.current().pid());
        assertThat(folder.resolve(RoleFiles.MESSAGES)).doesNotExist();
    }

    /**
     * A closed loop of 8 s, of which 200,000 pings a second are expected: whatever its speed is,
     * and however it changes, what is kept is spread over all of it.
     */
    @ParameterizedTest
    @CsvSource({
        "520, 520, 0.9",
        "1900, 520, 0.9",
        "520, 1900, 0.9",
        "5000, 5000, 0.8",
        "40000, 40000, 0.1"
    })
    void shouldSpreadWhatItKeepsOfAClosedLoopOverAllItsTime(
            final long eachNs, final long laterEachNs, final double leastFull) {
        final long lastsNs = 8_000_000_000L;
        final MessageLog log =
                new MessageLog(0, lastsNs / 5_000, MessageLog.Kind.RECEIVED, lastsNs);
        final long beginNs = -5_000_000_000L;
        long number = 0;
        for (long ns = 0; ns < lastsNs; ns += ns < lastsNs / 2 ? eachNs : laterEachNs) {
            log.addNumbered(number, beginNs + ns, beginNs + ns, beginNs + ns + eachNs);
            number++;
        }

        assertThat(log.seen()).isEqualTo(number);
        assertThat(log.firstNs()).isEqualTo(beginNs);
        assertThat(log.lastNs()).isGreaterThan(beginNs + lastsNs - laterEachNs);
        assertThat((double) log.kept() / MessageLog.MOST).isBetween(leastFull, 1.0);
        final long[] begins =
                LongStream.concat(
                                IntStream.range(0, log.windows())
                                        .mapToLong(i -> log.time(log.window(i), 0)),
                                LongStream.of(beginNs + lastsNs))
                        .toArray();
        for (int i = 1; i < begins.length; i++) {
            // windows are taken by their numbers as well, and some begin late
            assertThat(begins[i] - begins[i - 1])
                    .isLessThan(
                            lastsNs / 16 + 8 * MessageLog.WINDOW * Math.max(eachNs, laterEachNs));
        }
        int missing = 0;
        for (int i = 1; i < log.kept(); i++) {
            final long gapNs = log.time(i, 0) - log.time(i - 1, 0);
            missing += gapNs > Math.max(eachNs, laterEachNs) ? 1 : 0;
        }
        assertThat(missing).as("gaps that no window tells of").isLessThan(log.windows());
        final long fullNs = log.fullNs() == 0 ? log.lastNs() : log.fullNs();
        assertThat(fullNs).isGreaterThan(beginNs + lastsNs * 9 / 10);
    }

    @Test
    void shouldSayFromWhenOnItHadNoRoom() {
        final MessageLog log = new MessageLog(0, 100, MessageLog.Kind.RECEIVED);
        for (long number = 0; number < 1_000; number++) {
            add(log, number);
        }

        assertThat(log.fullNs()).isEqualTo(106);
        assertThat(log.lastNs()).isEqualTo(999);
    }

    @Test
    void shouldHaveNoWindowsWhereAllIsKept() {
        final MessageLog log = new MessageLog(0, 3L * MessageLog.WINDOW, MessageLog.Kind.RECEIVED);
        for (long number = 0; number < 3L * MessageLog.WINDOW; number++) {
            add(log, number);
        }

        assertThat(log.windows()).isZero();
        assertThat(log.kept()).isEqualTo(3 * MessageLog.WINDOW);
    }

    /**
     * Of every second window nothing is kept but the slowest, whichever order they come in; in the
     * windows that are kept nothing is kept twice.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, -1})
    void shouldKeepTheSlowestOfThoseThatItDoesNotKeep(final long step) {
        final MessageLog log = new MessageLog(0, 2L * MessageLog.MOST, MessageLog.Kind.RECEIVED);
        final long count = 20L * MessageLog.WINDOW;
        for (long number = 0; number < count; number++) {
            final long ns = step > 0 ? number : count - number;
            log.addNumbered(number, 1_000_000 * number, 0, 1_000_000 * number + ns);
        }

        final List<Long> expected =
                LongStream.range(0, count)
                        .filter(number -> number / MessageLog.WINDOW % 2 == 1)
                        .map(number -> step > 0 ? number : count - number)
                        .boxed()
                        .sorted(Comparator.reverseOrder())
                        .limit(MessageLog.MOST_SLOWEST)
                        .toList();
        assertThat(
                        IntStream.range(0, log.slowest())
                                .mapToObj(i -> log.slowTime(i, 2) - log.slowTime(i, 0)))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    /** Whole windows are passed over at once where none of their messages is kept. */
    @ParameterizedTest
    @CsvSource({"1, false", "3, false", "3, true"})
    void shouldKeepOfSeveralAddedTogetherWhatItKeepsOfSingleOnes(
            final long times, final boolean isSample) {
        final MessageLog single = log(times, isSample);
        final MessageLog together = log(times, isSample);
        final Random random = new Random(7);
        long nowNs = 1_000_000;
        for (long added = 0; added < 30L * MessageLog.WINDOW; ) {
            final int count = random.nextInt(1, random.nextBoolean() ? 64 : 6_000);
            nowNs += 1_000;
            final long intendedNs = nowNs - random.nextInt(100_000);
            for (int i = 0; i < count; i++) {
                single.add(intendedNs, intendedNs + 1, nowNs);
            }
            together.add(intendedNs, intendedNs + 1, nowNs, count);
            added += count;
        }

        assertThat(kept(together)).isEqualTo(kept(single));
    }

    private static MessageLog log(final long times, final boolean isSample) {
        return new MessageLog(0, times * MessageLog.MOST, MessageLog.Kind.RECEIVED, isSample);
    }

    private static List<List<Long>> kept(final MessageLog log) {
        return List.of(
                List.of(log.seen(), log.firstNs(), log.lastNs(), log.busyNs(), log.spanNs()),
                IntStream.range(0, log.windows()).mapToObj(i -> (long) log.window(i)).toList(),
                IntStream.range(0, log.kept())
                        .mapToObj(i -> log.time(i, 2) - log.time(i, 0))
                        .toList(),
                IntStream.range(0, log.slowest())
                        .mapToObj(i -> log.slowTime(i, 2) - log.slowTime(i, 0))
                        .toList());
    }
}

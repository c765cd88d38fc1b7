package io.tickmark.kernel.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.result.Counts;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ColumnsTest {
    private static final long SECOND_NS = 1_000_000_000L;

    private final Columns<Sample> columns = Columns.of(Sample.class);

    record Sample(
            @Column(csv = "Latencies", console = "Latency", summary = "Latency") Timings latency,
            @Column(
                            csv = "Sent",
                            csvPerSecond = "Sent (msg/sec)",
                            consolePerSecond = "Rate: %5d",
                            summary = "Messages sent",
                            metric = "sent",
                            metricPerSecond = "sentPerSecond")
                    Counter sent,
            @Column(
                            console = "Posts: %3d",
                            summary = "Posts",
                            metric = "posts",
                            count = "posts",
                            group = "posts")
                    Counter posts,
            @Column(summary = "Post Latency", group = "posts") Timings postLatency,
            @Column(
                            metric = "refused",
                            count = "refusals",
                            warning = "%d message{|s} {was|were} refused.",
                            isSparse = true)
                    Counter refused,
            @Column(metric = "longestNs", isLargest = true) Counter longestNs,
            @Column(metric = "suspects", isSparse = true, group = "suspects") Counter suspects,
            @Column(metric = "recovered", isSparse = true, group = "suspects") Counter recovered,
            @Column(warning = "%d item{|s} closed, the last one %s.") Counter closed,
            @Column(failure = "%d message{|s} could not be read.") Counter unreadable,
            @Column Counter hidden) {}

    private Sample sample(final long sent, final long longestNs) {
        final Sample sample = columns.zero();
        sample.sent().set(sent);
        sample.longestNs().set(longestNs);
        return sample;
    }

    @Test
    void shouldWriteTheColumnsOfTheStatisticsFileInTheOrderOfTheComponents() {
        assertThat(columns.headings())
                .containsExactly(
                        "Latencies",
                        "Latency avg (usec)",
                        "Latency std dev (usec)",
                        "Latency max (usec)",
                        "Latency min (usec)",
                        "Sent",
                        "Sent (msg/sec)");
        final Sample sample = sample(1500, 0);
        sample.latency().add(1000);
        sample.latency().add(3000);
        assertThat(columns.cells(sample, SECOND_NS / 2))
                .containsExactly("2, 2.0, 1.0, 3.0, 1.0", "1500", "3000");
    }

    @Test
    void shouldPutRatesBehindCountsOnTheConsole() {
        final Sample sample = sample(1500, 0);
        sample.posts().set(7);
        assertThat(columns.consoleCounts(sample, 2 * SECOND_NS))
                .containsExactly("Posts:   7", "Rate:   750");
        assertThat(columns.consoleLatencies(sample)).isEmpty();
        sample.latency().add(2000);
        assertThat(columns.consoleLatencies(sample))
                .containsExactly(
                        "  Latency(usec): Avg:    2.0 StdDev:    0.0 Max:     2 Min:     2, Msgs: 1");
    }

    @Test
    void shouldShowAGroupInTheSummaryWhereItIsAskedForOrCounted() {
        final Sample sample = sample(3, 0);
        assertThat(columns.countLines(sample, Set.of())).isEqualTo("  Messages sent: 3\n");
        assertThat(columns.countLines(sample, Set.of("posts")))
                .isEqualTo("  Messages sent: 3\n  Posts: 0\n");
        assertThat(columns.latencyLines(sample, Set.of())).isEmpty();
        sample.posts().set(1);
        assertThat(columns.countLines(sample, Set.of())).endsWith("  Posts: 1\n");
        assertThat(columns.latencyLines(sample, Set.of()))
                .isEqualTo("  No Post latency information was received.\n");
        sample.latency().add(1000);
        assertThat(columns.latencyLines(sample, Set.of()))
                .startsWith("  Latency avg (usec): 1.0\n  Latency std dev (usec): 0.0\n");
    }

    @Test
    void shouldAddLoopsUpButTakeTheLargestWhereThatIsDeclared() {
        final Sample one = sample(3, 90);
        final Sample other = sample(4, 50);
        one.latency().add(1000);
        other.latency().add(5000);
        final Sample sum = columns.sum(List.of(one, other));
        assertThat(sum.sent().get()).isEqualTo(7);
        assertThat(sum.longestNs().get()).isEqualTo(90);
        assertThat(sum.latency().maxUs()).isEqualTo(5);
        assertThat(one.sent().get()).isEqualTo(3);
        assertThat(columns.minus(sum, one).sent().get()).isEqualTo(4);
        assertThat(columns.minus(sum, one).longestNs().get()).isEqualTo(90);
    }

    @Test
    void shouldLeaveSparseMetricsOutAndPutTheRolesOwnBehindTheirs() {
        final Sample all = sample(30, 5);
        final Sample steady = sample(25, 5);
        final Map<String, Map<String, Object>> own =
                Map.of(
                        "",
                        Map.of("loops", 2),
                        "sent",
                        Map.of("cost", 9),
                        "refused",
                        Map.of("a", 1));
        assertThat(columns.metrics(all, steady, 2 * SECOND_NS, Set.of(), own))
                .containsExactly(
                        entry("loops", 2),
                        entry("sent", 30L),
                        entry("sentPerSecond", 12.5),
                        entry("cost", 9),
                        entry("posts", 0L),
                        entry("a", 1),
                        entry("longestNs", 5L));
        all.refused().set(1);
        all.suspects().set(2);
        assertThat(columns.metrics(all, steady, 0, Set.of(), Map.of()))
                .containsEntry("refused", 1L)
                .containsEntry("suspects", 2L)
                .containsEntry("recovered", 0L)
                .containsEntry("sentPerSecond", 0.0);
        assertThat(columns.metrics(steady, steady, 0, Set.of("suspects"), Map.of()))
                .containsEntry("suspects", 0L)
                .doesNotContainKey("refused");
    }

    @Test
    void shouldCountAGroupInAStepWhereItIsAskedForOrCounted() {
        final Sample sample = sample(3, 0);
        assertThat(columns.counts(sample, Set.of())).containsExactly(entry("refusals", 0L));
        assertThat(columns.counts(sample, Set.of("posts")))
                .containsExactly(entry("posts", 0L), entry("refusals", 0L));
        sample.posts().set(2);
        assertThat(columns.counts(sample, Set.of())).containsEntry("posts", 2L);
    }

    @Test
    void shouldWarnOfWhatWasCountedAlone() {
        final Sample sample = sample(3, 0);
        assertThat(columns.warnings(sample)).isEmpty();
        sample.refused().set(2);
        sample.unreadable().set(2);
        assertThat(columns.warnings(sample)).containsExactly("2 messages were refused.");
        assertThat(columns.failures(sample, Map.of()))
                .containsExactly("2 messages could not be read.");
    }

    @Test
    void shouldSpeakOfOneInTheSingular() {
        final Sample sample = sample(3, 0);
        sample.refused().set(1);
        sample.unreadable().set(1);
        assertThat(columns.warnings(sample)).containsExactly("1 message was refused.");
        assertThat(columns.failures(sample, Map.of()))
                .containsExactly("1 message could not be read.");
    }

    @Test
    void shouldSayWhatARoleKnowsBesideTheCount() {
        final Sample sample = sample(3, 0);
        sample.closed().set(1);
        assertThat(columns.warnings(sample, Map.of(sample.closed(), List.of("A {1|2} of 9 %"))))
                .containsExactly("1 item closed, the last one A {1|2} of 9 %.");
    }

    @Test
    void shouldReadCountsByTheirNames() {
        final Sample sample = columns.read(Map.of("refusals", 5L, "another", 7L));
        assertThat(sample.refused().get()).isEqualTo(5);
        assertThat(sample.posts().get()).isZero();
    }

    record Undeclared(Counter sent) {}

    record OfAnotherType(@Column long sent) {}

    @Test
    void shouldRefuseComponentsThatItCannotShow() {
        assertThatThrownBy(() -> Columns.of(Undeclared.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has no @Column");
        assertThatThrownBy(() -> Columns.of(OfAnotherType.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("neither a Counter nor Timings");
    }

    record SummedMaximum(@Column(count = Counts.MAX_LAG_NS) Counter lagNs) {}

    record LargestSum(@Column(count = Counts.SENT, isLargest = true) Counter sent) {}

    @Test
    void shouldRefuseToMergeLoopsOtherwiseThanRoles() {
        assertThatThrownBy(() -> Columns.of(SummedMaximum.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("merged otherwise than 'maxLagNs' of roles");
        assertThatThrownBy(() -> Columns.of(LargestSum.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("merged otherwise than 'sent' of roles");
    }
}

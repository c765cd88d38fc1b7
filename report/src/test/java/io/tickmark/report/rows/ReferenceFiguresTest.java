package io.tickmark.report.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.SearchSummary;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.report.Trials;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReferenceFiguresTest {
    private static final String STORED = "archive:?members=3&deletion=acknowledged";
    private static final Map<String, Object> PROMISES =
            Map.of(
                    "durability",
                    "D3 quorum in page cache",
                    "members",
                    3,
                    "deletion",
                    "acknowledged",
                    "acknowledgedBy",
                    "recorded by 2 of 3 archives",
                    "synced",
                    "never",
                    "batching",
                    "blocks as they come",
                    "compression",
                    "lz4");

    private static SearchSummary search(
            final String test, final String channel, final double held, final double reference) {
        return new SearchSummary(
                test,
                channel,
                held,
                0,
                0.9,
                0,
                0,
                0,
                0,
                0,
                0.1,
                0,
                0,
                0.5,
                0,
                List.of(),
                reference,
                "what it is",
                "near",
                2,
                Verdict.PASS,
                List.of());
    }

    private static Trials stored() {
        return Trials.stream()
                .test("stored")
                .channel(STORED)
                .count(Counts.ACKNOWLEDGED, 1_500)
                .roles(
                        new RoleSummary("store", 1, PROMISES, List.of()),
                        new RoleSummary("store", 2, PROMISES, List.of()),
                        new RoleSummary("stream-pub", 1, PROMISES, List.of()));
    }

    private static RunResult run(final SearchSummary... searches) {
        final RunResult run =
                Trials.run(
                        Trials.stream().test("plain").channel("aeron:udp?endpoint=x:1").row(),
                        Trials.stream().test("memory").channel("aeron:ipc").row(),
                        stored().row());
        return new RunResult(
                run.schema(),
                run.tickmark(),
                run.startedAt(),
                run.plan(),
                run.verdict(),
                run.reasons(),
                run.trials(),
                run.aggregates(),
                List.of(searches),
                run.noise(),
                run.environment(),
                null);
    }

    @Test
    void shouldSetAnswersBesideReferencesWithWhatStoodIn() {
        final SideTable table =
                ReferenceFigures.of(
                                run(
                                        search("plain", "aeron:udp?endpoint=x:1", 200_000, 1e6),
                                        search("other", "shm:", 1, 0),
                                        search("stored", STORED, 50_000, 740_000),
                                        search("memory", "aeron:ipc", 400_000, 1e6)))
                        .orElseThrow();

        assertThat(table.columns())
                .containsExactly(
                        "test",
                        "engine",
                        "path",
                        "deletion",
                        "class",
                        "reference",
                        "how faithful",
                        "stores",
                        "held/s",
                        "streaming there/s",
                        "to streaming",
                        "reference/s",
                        "to first");
        assertThat(table.rows())
                .containsExactly(
                        List.of(
                                "plain",
                                "aeron:udp",
                                "UDP",
                                "none",
                                "none",
                                "what it is",
                                "near",
                                "0",
                                "400,000",
                                "400,000",
                                "1.00",
                                "1,000,000",
                                "1.00"),
                        List.of(
                                "stored",
                                "archive",
                                "shared memory",
                                "acknowledged",
                                "D3",
                                "what it is",
                                "near",
                                "2 x 3",
                                "100,000",
                                "800,000",
                                "0.13",
                                "740,000",
                                "0.74"),
                        List.of(
                                "memory",
                                "aeron:ipc",
                                "shared memory",
                                "none",
                                "none",
                                "what it is",
                                "near",
                                "0",
                                "800,000",
                                "800,000",
                                "1.00",
                                "1,000,000",
                                "1.00"));
    }

    @Test
    void shouldCompareAStoreWithNothingWhereItsPathWasNotStreamedOn() {
        final SideTable table =
                ReferenceFigures.of(
                                run(
                                        search("plain", "aeron:udp?endpoint=x:1", 200_000, 1e6),
                                        search("stored", STORED, 50_000, 740_000)))
                        .orElseThrow();

        assertThat(table.rows().getLast().subList(8, 11)).containsExactly("100,000", "n/a", "n/a");
    }

    @Test
    void shouldSayNothingWithoutReferences() {
        assertThat(ReferenceFigures.of(run(search("other", "shm:", 1, 0)))).isEmpty();
    }

    @Test
    void shouldShowWhatStoresPromiseAndKeep() {
        final List<SideTable> tables = SideTable.of(Block.of(Trials.run(stored().row())));

        assertThat(tables.getFirst().title()).isEqualTo("What the stores promise");
        assertThat(tables.getFirst().rows().getFirst())
                .startsWith(
                        STORED,
                        "D3 quorum in page cache",
                        "recorded by 2 of 3 archives",
                        "never",
                        "blocks as they come",
                        "lz4");
        assertThat(tables.get(1).rows().getFirst()).startsWith(STORED, "1,500");
        assertThat(SideTable.of(Block.of(Trials.run(Trials.stream().row())))).isEmpty();
    }

    /** The store's role knows only the channel of a server that somebody else set up. */
    @Test
    void shouldShowWhatAPublisherLearntFromAServerBeforeWhatItsChannelPromises() {
        final Trials given =
                stored().roles(
                                new RoleSummary("store", 1, PROMISES, List.of()),
                                new RoleSummary(
                                        "stream-pub",
                                        1,
                                        Map.of("durability", "D0 memory"),
                                        List.of()));

        final List<SideTable> tables = SideTable.of(Block.of(Trials.run(given.row())));

        assertThat(tables.getFirst().rows().getFirst())
                .startsWith(STORED, "D0 memory", "recorded by 2 of 3 archives");
    }
}

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
        return with(
                Trials.run(
                        Trials.stream().test("plain").channel("aeron:udp?endpoint=x:1").row(),
                        Trials.stream().test("memory").channel("aeron:ipc").row(),
                        stored().row()),
                searches);
    }

    private static RunResult with(final RunResult run, final SearchSummary... searches) {
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

    private static RoleSummary on(final String host, final String role) {
        return new RoleSummary(
                role, 1, host.isEmpty() ? Map.of() : Map.of(RoleSummary.HOST, host), List.of());
    }

    /** Rows of a test without a store and one with, each with the hosts of its roles. */
    private static List<List<String>> placed(
            final List<RoleSummary> plain, final List<RoleSummary> stored) {
        final SideTable table =
                ReferenceFigures.of(
                                with(
                                        Trials.run(
                                                Trials.stream()
                                                        .test("plain")
                                                        .channel("nats:")
                                                        .roles(plain.toArray(RoleSummary[]::new))
                                                        .row(),
                                                Trials.stream()
                                                        .test("stored")
                                                        .channel("jetstream:")
                                                        .roles(stored.toArray(RoleSummary[]::new))
                                                        .row()),
                                        search("plain", "nats:", 200_000, 1e6),
                                        search("stored", "jetstream:", 50_000, 740_000)))
                        .orElseThrow();
        return table.rows().stream()
                .map(row -> List.of(row.get(2), row.get(9), row.get(10)))
                .toList();
    }

    @Test
    void shouldNotCompareAStoreOnOneHostWithStreamingAcrossHosts() {
        assertThat(
                        placed(
                                List.of(on("h2", "stream-pub"), on("h3", "stream-sub")),
                                List.of(
                                        on("h2", "store"),
                                        on("h2", "stream-pub"),
                                        on("h2", "stream-sub"))))
                .containsExactly(
                        List.of("TCP, a server, across hosts", "400,000", "1.00"),
                        List.of("TCP, a server, on one host", "n/a", "n/a"));
    }

    @Test
    void shouldCompareAStoreWithStreamingBetweenTheSameHostsOnly() {
        final List<RoleSummary> plain = List.of(on("h2", "stream-pub"), on("h3", "stream-sub"));

        assertThat(
                        placed(
                                        plain,
                                        List.of(
                                                on("h2", "store"),
                                                on("h2", "stream-pub"),
                                                on("h3", "stream-sub")))
                                .getLast())
                .containsExactly("TCP, a server, across hosts", "400,000", "0.25");
        assertThat(
                        placed(
                                        plain,
                                        List.of(
                                                on("h1", "store"),
                                                on("h2", "stream-pub"),
                                                on("h3", "stream-sub")))
                                .getLast())
                .as("a store elsewhere takes one more cable")
                .containsExactly("TCP, a server, across hosts", "n/a", "n/a");
        assertThat(
                        placed(
                                        plain,
                                        List.of(
                                                on("", "store"),
                                                on("", "stream-pub"),
                                                on("h3", "stream-sub")))
                                .getLast())
                .as("the controller's machine is a host, too")
                .containsExactly("TCP, a server, across hosts", "n/a", "n/a");
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

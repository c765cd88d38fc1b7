package io.tickmark.report.page;

import io.tickmark.kernel.host.HostChecks;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.lab.result.RoleFolders;
import io.tickmark.report.rows.Block;
import io.tickmark.report.rows.MergedRow;
import io.tickmark.report.rows.OneWayFigures;
import io.tickmark.report.rows.ReferenceFigures;
import io.tickmark.report.rows.RoleFigures;
import io.tickmark.report.rows.RunCsv;
import io.tickmark.report.rows.SideTable;
import io.tickmark.report.series.BlockSeries;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Printable;
import io.tickmark.report.words.Cautions;
import io.tickmark.report.words.Circumstances;
import io.tickmark.report.words.KeyFigures;
import io.tickmark.report.words.Story;
import io.tickmark.report.words.VerdictWords;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Puts together what the page shows. One use, single thread. */
public final class PageBuilder {
    private static final Figures FIGURES = Figures.TYPOGRAPHIC;

    private final RunResult run;
    private final RoleFolders folders;
    private final PlanText plan;
    private final List<String> missing;

    /**
     * A builder for one page.
     *
     * @param run the result
     * @param folders of its roles
     * @param plan as it was run
     * @param missing what is known to be missing already, sentences
     */
    public PageBuilder(
            final RunResult run,
            final RoleFolders folders,
            final PlanText plan,
            final List<String> missing) {
        this.run = run;
        this.folders = folders;
        this.plan = plan;
        this.missing = new ArrayList<>(missing);
    }

    /**
     * Reads the roles' files and puts all together.
     *
     * @return the page's data
     */
    public PageData build() {
        final List<PageData.Test> tests = tests();
        final VerdictWords words = VerdictWords.of(run);
        return new PageData(
                Printable.of(run.plan()),
                plan.description(),
                Printable.of(run.startedAt()),
                Printable.of(run.tickmark()),
                EnvironmentGroups.line(run.environment()),
                new PageData.Words(
                        lower(words.verdict()), words.word(), words.sentence(), words.reasons()),
                Story.of(run, FIGURES),
                KeyFigures.of(run, FIGURES),
                Cautions.of(run, FIGURES),
                missing,
                tests,
                run.searches(),
                ReferenceFigures.of(run).orElse(null),
                run.noise(),
                HostChecks.of(run.environment()).stream()
                        .map(check -> new PageData.Check(lower(check.severity()), check.sentence()))
                        .toList(),
                EnvironmentGroups.of(run.environment()),
                plan.text(),
                new PageData.Table(RunCsv.columns(run), RunCsv.rows(run)));
    }

    private List<PageData.Test> tests() {
        final Map<String, List<Block>> byTest = new LinkedHashMap<>();
        for (final Block block : Block.of(run)) {
            byTest.computeIfAbsent(block.test(), test -> new ArrayList<>()).add(block);
        }
        final List<PageData.Test> tests = new ArrayList<>();
        byTest.forEach((name, blocks) ->
                tests.add(
                        new PageData.Test(
                                Printable.of(name),
                                loop(blocks),
                                Circumstances.of(blocks, FIGURES) + ".",
                                SideTable.of(blocks),
                                blocks.stream().map(this::block).toList())));
        return tests;
    }

    private static String loop(final List<Block> blocks) {
        if (blocks.getFirst().isStream()) {
            return "stream";
        }
        if (blocks.getFirst().isGeneral()) {
            return "general";
        }
        return blocks.stream().allMatch(Block::isClosedLoop) ? "closed" : "open";
    }

    private PageData.Block block(final Block block) {
        final BlockSeries series = BlockSeries.read(block, folders);
        series.missing().map(Printable::of).ifPresent(missing::add);
        return new PageData.Block(
                Printable.of(block.channel()),
                block.noiseMaxNs(),
                block.rows().stream().map(row -> row(block, row, series)).toList(),
                TimeLines.of(block, series, FIGURES),
                block.isGeneral()
                        ? RoleFigures.of(block).stream().map(PageBuilder::role).toList()
                        : List.of(),
                OneWayFigures.of(run, block).stream()
                        .map(each -> new PageData.OneWay(each.title(), each.steps()))
                        .toList());
    }

    private static PageData.RoleFigure role(final RoleFigures figures) {
        return new PageData.RoleFigure(
                Printable.of(figures.role()),
                Printable.of(figures.metric()),
                figures.isNumber() ? "" : Printable.of(figures.text()),
                figures.isNumber() ? figures.spread() : null);
    }

    private static PageData.Row row(
            final Block block, final MergedRow row, final BlockSeries series) {
        final Map<String, LatencySummary> latencies = new LinkedHashMap<>();
        for (final String name : row.latencies()) {
            row.latency(name).ifPresent(latency -> latencies.put(name, latency));
        }
        return new PageData.Row(
                row.any().step(),
                block.stepName(row, FIGURES),
                row.any().payloadBytes(),
                lower(row.verdict()),
                row.labels().stream().map(Printable::of).toList(),
                row.isNoisy(),
                counts(row),
                row.median(TrialResult::offeredRatePerSecond),
                row.median(TrialResult::achievedRatePerSecond),
                latencies,
                series.curves(row.any().step()));
    }

    private static Map<String, Long> counts(final MergedRow row) {
        final Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("sent", row.sum(TrialResult::sent));
        counts.put("expected", row.sum(TrialResult::expected));
        counts.put("received", row.sum(TrialResult::received));
        counts.put("lost", row.sum(TrialResult::lost));
        counts.put("duplicated", row.sum(TrialResult::duplicated));
        counts.put("reordered", row.sum(TrialResult::reordered));
        counts.put("maxTightSends", row.max(TrialResult::maxTightSends));
        counts.put("hotThreads", row.max(TrialResult::hotThreads));
        counts.put("cores", row.max(TrialResult::cores));
        return counts;
    }

    private static String lower(final Enum<?> word) {
        return word.name().toLowerCase(Locale.ROOT);
    }
}

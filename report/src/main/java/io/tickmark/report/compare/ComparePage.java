package io.tickmark.report.compare;

import io.tickmark.lab.compare.Comparison;
import io.tickmark.lab.compare.Gate;
import io.tickmark.lab.compare.Outcome;
import io.tickmark.lab.compare.Side;
import io.tickmark.lab.json.Json;
import io.tickmark.lab.result.RoleFolders;
import io.tickmark.lab.tail.TailReader;
import io.tickmark.report.page.HtmlFile;
import io.tickmark.report.page.PageBuilder;
import io.tickmark.report.page.PageData;
import io.tickmark.report.page.PlanText;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Printable;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A comparison as one HTML file without network access: the picture of the intervals, all figures,
 * and what each run measured, side by side.
 */
public final class ComparePage {
    private static final int WIDTH = 120;

    private ComparePage() {}

    /**
     * What the page shows, as its script declares it.
     *
     * @param kind tells the script which page it is
     * @param title what is compared
     * @param resolution what the machine could have detected, a sentence; empty where no build
     *     waits for it
     * @param conclusion sentence
     * @param verdict {@code pass}, {@code fail} (something is worse) or {@code void} (all too
     *     noisy, undecided, or nothing to compare)
     * @param word verdict in a word or three
     * @param meaning sentence
     * @param places name of each row, in the order of the rows
     * @param runs in the order of the sides
     * @param comparison all of it
     */
    private record Data(
            String kind,
            String title,
            String resolution,
            String conclusion,
            String verdict,
            String word,
            String meaning,
            List<String> places,
            List<Run> runs,
            Comparison comparison) {}

    /**
     * What a run measured, as its own report shows it.
     *
     * @param name of the run
     * @param tests in the order of its plan
     * @param missing sentences about what could not be read
     */
    private record Run(String name, List<PageData.Test> tests, List<String> missing) {
        /** Reads the files of the run's roles. */
        static Run of(final Side side, final TailReader tails) {
            final String name = Printable.of(side.name());
            final PageData page =
                    new PageBuilder(
                                    side.result(),
                                    new RoleFolders(side.folder().orElse(side.path())),
                                    tails,
                                    new PlanText("", ""),
                                    List.of())
                            .build();
            return new Run(
                    name,
                    page.tests(),
                    side.folder().isPresent()
                            ? page.missing().stream()
                                    .map(sentence -> name + ": " + sentence)
                                    .toList()
                            : List.of(
                                    name
                                            + " is a result.json alone: its curves and time lines are"
                                            + " in the folder that it came from."));
        }
    }

    /**
     * Composes the file.
     *
     * @param comparison to show
     * @param sides the runs compared, in the order of the comparison's sides; their roles' files
     *     are read
     * @return HTML
     */
    public static String of(final Comparison comparison, final List<Side> sides) {
        return of(comparison, sides, sides.stream().map(_ -> new TailReader()).toList());
    }

    /**
     * Composes the file of runs that have just ended.
     *
     * @param comparison to show
     * @param sides the runs compared, in the order of the comparison's sides; their roles' files
     *     are read
     * @param tails of each run: has read what its roles noted of stalls
     * @return HTML
     */
    public static String of(
            final Comparison comparison, final List<Side> sides, final List<TailReader> tails) {
        final Gate gate = comparison.gate();
        final String title = CompareWords.title(comparison);
        final String verdict = verdict(comparison);
        final Data data =
                new Data(
                        "comparison",
                        title,
                        gate == null
                                ? ""
                                : CompareWords.resolution(comparison, gate, Figures.TYPOGRAPHIC),
                        gate == null
                                ? CompareWords.conclusion(comparison)
                                : CompareWords.judgement(comparison, gate),
                        verdict,
                        word(verdict, comparison),
                        CompareWords.meaning(comparison),
                        comparison.rows().stream()
                                .map(row -> CompareWords.place(row, Figures.TYPOGRAPHIC))
                                .toList(),
                        IntStream.range(0, sides.size())
                                .mapToObj(at -> Run.of(sides.get(at), tails.get(at)))
                                .toList(),
                        comparison);
        return HtmlFile.of(
                title + " - tickmark",
                Json.line().writeValueAsString(data),
                new CompareTables(WIDTH, false).render(comparison));
    }

    private static String word(final String verdict, final Comparison comparison) {
        return switch (verdict) {
            case "pass" ->
                    CompareWords.withinItself(comparison) > 0 ? "Gate passed" : "Nothing is worse";
            case "fail" -> "Worse";
            default ->
                    comparison.gate() != null
                            ? "Undecided"
                            : comparison.comparesNothing()
                                    ? "Nothing compared"
                                    : told(comparison) > 0 ? "Mostly too noisy" : "Too noisy";
        };
    }

    /** Figures that are known to be better, or as good. */
    private static long told(final Comparison comparison) {
        return comparison.count(Outcome.BETTER) + comparison.count(Outcome.NO_DIFFERENCE);
    }

    private static String verdict(final Comparison comparison) {
        final Gate gate = comparison.gate();
        if (gate != null) {
            return switch (gate.verdict()) {
                case PASSED -> "pass";
                case WORSE -> "fail";
                case UNDECIDED -> "void";
            };
        }
        if (comparison.count(Outcome.WORSE) > 0) {
            return "fail";
        }
        // green is for what is known, not for what could not be told
        return told(comparison) > comparison.count(Outcome.TOO_NOISY) ? "pass" : "void";
    }
}

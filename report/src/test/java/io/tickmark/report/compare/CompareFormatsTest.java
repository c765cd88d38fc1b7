package io.tickmark.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.lab.compare.Comparison;
import io.tickmark.lab.compare.Outcome;
import io.tickmark.lab.compare.Side;
import io.tickmark.report.RunTables;
import io.tickmark.report.Trials;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** Formats stay valid whatever the names in a result are. */
class CompareFormatsTest {
    private static final String HOSTILE =
            "<img src=x onerror=\"a('b')\">&amp; | `code` ~~no~~ *b* [l](x) \\| ]]> \\ \u001b[31m\u0000\u202e, a\r\nb";

    static Stream<String> names() {
        return Stream.of(
                "plain", "", HOSTILE, "\ud800 half a sign, and \ud83d\ude00", "long".repeat(60));
    }

    private static Element xml(final Comparison comparison)
            throws ParserConfigurationException, SAXException, IOException {
        return DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(CompareJunit.of(comparison))))
                .getDocumentElement();
    }

    private static List<String> attributes(
            final Element suite, final String element, final String attribute) {
        final NodeList found = suite.getElementsByTagName(element);
        final List<String> values = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            values.add(((Element) found.item(i)).getAttribute(attribute));
        }
        return values;
    }

    private static String inXml(final String name) {
        return name.replaceAll("[\\x00-\\x1f\\x{D800}]", "?");
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldCountInXmlWhatStandsInIt(final String name) throws Exception {
        final Element suite = xml(ComparedRuns.of(name));

        assertThat(attributes(suite, "testcase", "name"))
                .containsExactly(
                        "criteria",
                        "responseNs.p50",
                        "responseNs.p99",
                        inXml(name) + ".p999",
                        "responseNs.mean",
                        "ratePerSecond")
                .hasSize(Integer.parseInt(suite.getAttribute("tests")));
        assertThat(attributes(suite, "failure", "message"))
                .hasSize(Integer.parseInt(suite.getAttribute("failures")))
                .containsExactly(
                        "Lost 1 of 2 on " + inXml(name) + ".",
                        "10.5 us against 10.0 us: +5.0 % (+4.0 % .. +6.0 %)");
        assertThat(attributes(suite, "skipped", "message"))
                .hasSize(Integer.parseInt(suite.getAttribute("skipped")))
                .hasSize(2);
        assertThat(attributes(suite, "testcase", "classname"))
                .allSatisfy(place -> assertThat(place).startsWith(inXml(name) + ": "));
    }

    /** Cells between bars that no backslash makes a sign. */
    private static int cells(final String line) {
        int bars = 0;
        for (int i = 0; i < line.length(); i++) {
            if (line.charAt(i) == '\\') {
                i++;
            } else if (line.charAt(i) == '|') {
                bars++;
            }
        }
        return bars - 1;
    }

    private static List<String> rows(final String markdown) {
        return markdown.lines().filter(line -> line.startsWith("|")).toList();
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldKeepTheRowsOfMarkdownAndLetNoMarkupIn(final String name) {
        final String markdown = CompareMarkdown.of(ComparedRuns.of(name));

        assertThat(rows(markdown))
                .as("two heads of two lines, and the figures with the criterion")
                .hasSize(2 * 2 + ComparedRuns.FIGURES + 1)
                .allSatisfy(row -> {
                    assertThat(cells(row)).as(row).isEqualTo(6);
                    assertThat(row).endsWith("|");
                });
        assertThat(
                        markdown.replaceFirst("<details><summary>[^<>]*</summary>", "")
                                .replaceFirst("</details>", ""))
                .doesNotContain("<", ">")
                .doesNotContainPattern("(?<!\\\\)[`~]")
                .doesNotContainPattern("[\\p{Cntrl}\\p{Cf}&&[^\\n]]");
    }

    @Test
    void shouldPutFirstInMarkdownWhatIsDifferent() {
        final String markdown = CompareMarkdown.of(ComparedRuns.of("B"));
        final int folded = markdown.indexOf("<details>");

        assertThat(markdown)
                .startsWith("### tickmark: B against A: 1 better, 2 worse, 1 no difference");
        assertThat(rows(markdown.substring(0, folded)))
                .filteredOn(row -> row.contains("**"))
                .extracting(row -> row.split("\\*\\*")[1])
                .containsExactly("worse", "worse", "better");
        assertThat(rows(markdown.substring(folded)))
                .filteredOn(row -> row.matches(".*(no difference|too noisy) \\|"))
                .hasSize(3);
    }

    /** Its row had none of the figures, and so the table of all had none. */
    @Test
    void shouldShowTheOthersBesideARunThatWasNotMeasured() {
        final String text = new CompareTables(120, false).render(ComparedRuns.withOneVoid());

        assertThat(text)
                .contains(
                        "t, t: response time",
                        "- B, t, t: worse: Every repeat is void: it was lost.")
                .containsPattern("(?m)^C .* 1\\.05, ");
    }

    /** It was "too noisy" with an interval that says no difference, and no word of the clocks. */
    @Test
    void shouldSayWhyAFigureIsTooNoisyThatTheClocksOfHostsMayHaveMade() {
        final Comparison comparison =
                ComparedRuns.with(ComparedRuns.byClocks("responseNs.p50", 0.25));

        for (final String text :
                List.of(
                        new CompareTables(1_000, false).render(comparison),
                        new CompareTables(1_000, false).screen(comparison))) {
            assertThat(text)
                    .contains(
                            "- Response time 50 %: The clocks of the hosts are known to 3.0 us and 2.0 us.",
                            "more than that, or the machine or the clocks of hosts may explain it. Each");
        }
        final Comparison many = ComparedRuns.withRows(comparison, 10);
        assertThat(new CompareTables(1_000, false).screen(many))
                .containsOnlyOnce("Response time 50 %: The clocks of the hosts are known to");
        final Comparison certain =
                ComparedRuns.with(ComparedRuns.figure("responseNs.p50", 0, Outcome.NO_DIFFERENCE));
        assertThat(new CompareTables(1_000, false).render(certain)).doesNotContain("clocks");
    }

    /** More repeats were to decide what no number of repeats can. */
    @Test
    void shouldSayThatOnlyBetterClocksDecideWhatTheyHide() {
        final Comparison change =
                ComparedRuns.with(
                        ComparedRuns.byClocks("responseNs.p50", 0.25),
                        ComparedRuns.figure("responseNs.p99", 0, Outcome.NO_DIFFERENCE));
        final Comparison judged = change.judged(change, 0.1, 45_000_000_000L, true);

        assertThat(new CompareTables(1_000, false).conclusion(judged))
                .contains(
                        "Gate undecided",
                        "may be up to 26.0 % worse",
                        "only better ones could decide it.")
                .doesNotContain("More repeats");
    }

    /** Where the rule below a heading has a gap, every line of the table has one. */
    private static void assertAligned(final List<String> lines) {
        for (int i = 1; i < lines.size(); i++) {
            if (lines.get(i).matches("-+(  -+)*")) {
                int end = i + 1;
                while (end < lines.size()
                        && !lines.get(end).matches("(- .*)?")
                        && !isHead(lines, end)) {
                    end++;
                }
                assertThat(end).as("rows below %s", lines.get(i)).isGreaterThan(i + 1);
                for (final String line : lines.subList(i - 1, end)) {
                    assertThat(gaps(line, lines.get(i))).as("%s%n%s", lines.get(i), line).isBlank();
                }
            }
        }
    }

    private static boolean isHead(final List<String> lines, final int at) {
        return at + 1 < lines.size() && lines.get(at + 1).matches("-+(  -+)*");
    }

    private static String gaps(final String line, final String rule) {
        final StringBuilder signs = new StringBuilder();
        for (int i = 0; i < line.length(); i++) {
            if (i >= rule.length() || rule.charAt(i) == ' ') {
                signs.append(line.charAt(i));
            }
        }
        return signs.toString();
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldKeepTablesAlignedAndWithinTheLine(final String name) {
        for (final Comparison comparison :
                List.of(ComparedRuns.of(name), ComparedRuns.ofThree(name))) {
            for (final int width : new int[] {60, 80, 100, 137}) {
                final String text = new CompareTables(width, false).render(comparison);

                assertThat(text).doesNotContainPattern("[\\p{Cntrl}\\p{Cf}&&[^\\n]]");
                assertThat(text.lines())
                        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(width));
                assertAligned(text.lines().toList());
            }
        }
    }

    /** It had eight lines for each of them. */
    @ParameterizedTest
    @MethodSource("names")
    void shouldCompareManyRowsOnOneScreen(final String name) {
        final Comparison changed = ComparedRuns.many(name, 30);

        for (final int width : new int[] {60, 80, 100, 137}) {
            final String text = new CompareTables(width, false).screen(changed);
            assertThat(text).doesNotContainPattern("[\\p{Cntrl}\\p{Cf}&&[^\\n]]");
            assertThat(text.lines())
                    .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(width));
            assertAligned(text.lines().toList());
            assertThat(
                            new CompareTables(width, false)
                                    .screen(ComparedRuns.many("t", 30))
                                    .lines()
                                    .count())
                    .isLessThanOrEqualTo(RunTables.SCREEN_LINES);
        }
        final String text = new CompareTables(100, false).screen(ComparedRuns.many("t", 30));
        assertThat(text)
                .contains(
                        "16 of 90 headline figures, of which 60 changed; all figures with --verbose.")
                .contains("- and 28 more, with --verbose.", "and 27 more, in the page.")
                .containsPattern("(?m)^t on t .* +50 % +10.0 us +10.5 us +[+]5.0 % +worse$")
                .containsPattern("(?m)^ +99 % +10.0 us +9.50 us +-5.0 % +better$")
                .doesNotContainPattern("(?m) (Rate|99.9 %|mean) +1");
        assertThat(new CompareTables(100, false).render(changed).lines().count())
                .isGreaterThan(250);
    }

    /** A matrix of 22 channels was 69 lines, without a word on what each engine promises. */
    @ParameterizedTest
    @ValueSource(ints = {60, 80, 100, 137})
    void shouldCompareManyRunsOnOneScreen(final int width) {
        final Comparison matrix = ComparedRuns.matrix(22);
        final String text = new CompareTables(width, false).screen(matrix);

        assertThat(text.lines().count()).isLessThanOrEqualTo(RunTables.SCREEN_LINES);
        assertThat(text.lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(width));
        assertAligned(text.lines().toList());
        assertThat(text)
                .contains(
                        "engine-0:",
                        "engine-21:",
                        "21 runs against engine-0:: ",
                        "with --verbose.");
        if (width >= 80) {
            assertThat(text).contains("by engine-21:");
        }
        assertThat(new CompareTables(width, false).render(matrix))
                .contains("What is compared", "kept of each publisher");
    }

    /** Each part had a limit of its own, and together they were more than a screen. */
    @ParameterizedTest
    @ValueSource(ints = {60, 80, 100, 137})
    void shouldShareOneScreenAmongAllThatIsToBeSaid(final int width) {
        final Comparison many = ComparedRuns.many("t", 30);
        final Comparison all =
                new Comparison(
                        many.schema(),
                        many.tickmark(),
                        many.minEffect(),
                        many.errorRate(),
                        many.errorProbability(),
                        many.sides(),
                        many.rows(),
                        many.missing(),
                        many.settings(),
                        many.differences(),
                        List.of("A note of some length. ".repeat(8), "Another one.", "A third."),
                        null);
        final Comparison judged = all.judged(all, 0.1, 45_000_000_000L, true);

        final String text = new CompareTables(width, false).screen(judged);

        assertThat(text.lines().count()).as(text).isLessThanOrEqualTo(RunTables.SCREEN_LINES);
        assertThat(text)
                .contains("worse: Lost 1 of 2", " of 90 headline", "Not the same", "Gate ")
                .containsPattern("(?m)^- ([0-9]+ (more remark|difference)|and [0-9]+ more)");
        assertAligned(text.lines().toList());
    }

    /** A sweep of nine sizes on three channels was more than sixty lines. */
    @ParameterizedTest
    @ValueSource(ints = {60, 80, 100, 137})
    void shouldCompareASweepOfManyStepsOnOneScreen(final int width) {
        for (final int runs : new int[] {3, 22}) {
            final Comparison sweep = ComparedRuns.sweep(runs, 9);
            final String text = new CompareTables(width, false).screen(sweep);

            assertThat(text.lines().count()).isLessThanOrEqualTo(RunTables.SCREEN_LINES);
            assertThat(text.lines())
                    .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(width));
            assertAligned(text.lines().toList());
            assertThat(text)
                    .as("what changed is shown before what did not")
                    .contains("t, step 8: response time")
                    .doesNotContain("t, step 7: response time")
                    .containsPattern("(?m)^and [0-9] more tests or steps, with --verbose[.]$");
            assertThat(new CompareTables(width, false).render(sweep))
                    .contains("t, step 7: response time");
        }
    }

    @Test
    void shouldSayThatNoneOfManyFiguresChanged() {
        final String text = new CompareTables(100, false).screen(ComparedRuns.unchanged(30));

        assertThat(text)
                .contains("None of 60 headline figures changed; all figures with --verbose.")
                .doesNotContain("where");
    }

    /** Without a test case a build server shows that nothing failed. */
    @Test
    void shouldSayInEachFormatThatNothingCouldBeCompared() throws Exception {
        final Comparison nothing = ComparedRuns.nothing("t has no result in A.", "Nor in B.");

        final Element suite = xml(nothing);
        assertThat(suite.getAttribute("tests")).isEqualTo("1");
        assertThat(suite.getAttribute("errors")).isEqualTo("1");
        assertThat(suite.getAttribute("failures")).isEqualTo("0");
        assertThat(suite.getAttribute("skipped")).isEqualTo("0");
        assertThat(attributes(suite, "error", "message"))
                .containsExactly(
                        "B against A: nothing could be compared. t has no result in A. Nor in B.");
        assertThat(CompareMarkdown.of(nothing))
                .startsWith("### tickmark: B against A: nothing could be compared.\n")
                .contains("- t has no result in A.\n", "- Nor in B.\n");
        assertThat(ComparePage.of(nothing, List.of()))
                .contains("\"verdict\":\"void\"", "Nothing compared", "t has no result in A.");
    }

    @Test
    void shouldSayEachOutcomeAndTheBrokenCriterion() {
        final String text = new CompareTables(100, false).render(ComparedRuns.of("B"));

        assertThat(text.lines().map(line -> line.replaceAll(" {2,}", "  ")))
                .contains(
                        "Response time 50 %  10.0 us  10.5 us  +5.0 %  +4.0 % .. +6.0 %  worse",
                        "Response time 99 %  10.0 us  9.50 us  -5.0 %  -6.0 % .. -4.0 %  better",
                        "Rate  10,000/s  10,000/s  0.0 %  -1.0 % .. +1.0 %  no difference",
                        "- worse: Lost 1 of 2 on B.")
                .anyMatch(line -> line.endsWith("over x 100 .. over x 100  too noisy"))
                .last()
                .isEqualTo("B against A: 1 better, 2 worse, 1 no difference, 2 too noisy.");
    }

    @Test
    void shouldShowAFigureThatOneOfSeveralRunsLacks() {
        final String text = new CompareTables(137, false).render(ComparedRuns.ofThree("B"));

        assertThat(text.lines().map(line -> line.replaceAll(" {2,}", "  ")))
                .contains("B, B: response time")
                .anyMatch(line -> line.startsWith("B  10.5 us  1.05, 1.04 .. 1.06  9.50 us"))
                .anyMatch(line -> line.startsWith("C  n/a  9.50 us  0.950"));
    }

    /** On a narrow terminal the table is parted between figures, not before a ratio. */
    @ParameterizedTest
    @ValueSource(ints = {60, 80, 100, 120})
    void shouldKeepAFigureBesideItsRatio(final int width) {
        final String text = new CompareTables(width, false).render(ComparedRuns.ofThree("B"));

        assertThat(text.lines().filter(line -> line.startsWith("run ") && line.contains("ratio")))
                .isNotEmpty()
                .allSatisfy(
                        line -> assertThat(line).matches("run( +(\\S+ %|Rate) +ratio, interval)+"));
    }

    @Test
    void shouldLetNoMarkupIntoThePage() {
        final Comparison comparison = ComparedRuns.of("</script><script>alert(1)</script>");

        assertThat(comparison.count(Outcome.WORSE)).isEqualTo(2);
        assertThat(ComparePage.of(comparison, List.of()))
                .doesNotContain("alert(1)</", "<script>alert");
    }

    @Test
    void shouldShowNoIntervalBesideTheRatioOfASingleRound() {
        final String text = new CompareTables(137, false).render(ComparedRuns.ofSingleRounds());

        assertThat(text).contains("none: one repeat").doesNotContain(" .. ");
    }

    /** Cells from below 0.001 to above 100,000 filled a screen with what says nothing. */
    @Test
    void shouldShowNoIntervalThatIsTooWideToSayAnything() {
        final Comparison wide =
                ComparedRuns.ofThree(
                        ComparedRuns.figure("responseNs.p50", 0.5, -0.9, 1_500, Outcome.TOO_NOISY),
                        ComparedRuns.figure("responseNs.p99", 0.5, -0.4, 4, Outcome.TOO_NOISY));

        assertThat(new CompareTables(200, false).render(wide))
                .containsPattern("1\\.50, \\? +")
                .contains("1.50, 0.600 .. 5.00 ?", "--repeats narrows them")
                .doesNotContain("0.100 ..");
        assertThat(
                        new CompareTables(200, false)
                                .render(
                                        ComparedRuns.ofThree(
                                                ComparedRuns.figure(
                                                        "responseNs.p99",
                                                        0.5,
                                                        -0.4,
                                                        4,
                                                        Outcome.TOO_NOISY))))
                .contains("A question mark: too noisy to tell a difference.")
                .doesNotContain("--repeats narrows them");
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldBeginWithWhatTheMachineShowsWhereABuildWaits(final String name) {
        final Comparison change = ComparedRuns.of(name);
        final Comparison judged = change.judged(change, 0.1, 90_000_000_000L, true);

        final String markdown = CompareMarkdown.of(judged);
        assertThat(markdown)
                .startsWith("In 90.0 s this machine cannot detect a change below ")
                .contains("\n\n### tickmark: Gate ", "bar [5.00, -5.00, 0.00]", "line [5.00, ")
                .doesNotContain("<img");
        final int picture = markdown.indexOf("```mermaid");
        assertThat(markdown.substring(picture + 3, markdown.indexOf("```", picture + 3)))
                .doesNotContain("`")
                .matches("(?s)mermaid\nxychart-beta\n  title \"[^\"]*\"\n  x-axis [^\n]*\n.*");
        assertThat(new CompareTables(100, false).conclusion(judged))
                .startsWith("In 90.0 s this machine cannot detect")
                .contains("Gate ");
        assertThat(new CompareTables(100, false).render(judged))
                .startsWith("In 90.0 s this machine cannot detect")
                .containsOnlyOnce("this machine cannot detect");
        assertThat(ComparePage.of(judged, List.of()))
                .contains("\"resolution\":\"In 90.0\u00a0s this machine", "Gate ");
    }

    @Test
    void shouldSayHowManyFiguresThePictureOfAGateHasNoBarFor() {
        final Comparison change = ComparedRuns.many("t", 10);

        assertThat(CompareMarkdown.of(change.judged(change, 0.1, 90_000_000_000L, true)))
                .contains(", the first 24 of 30 figures\"\n");
        final Comparison small = ComparedRuns.many("t", 8);
        assertThat(CompareMarkdown.of(small.judged(small, 0.1, 90_000_000_000L, true)))
                .doesNotContain(", the first ");
    }

    private static Comparison noisy() {
        final Comparison change =
                ComparedRuns.with(
                        ComparedRuns.figure("responseNs.p50", 0, -0.9, 1_500, Outcome.TOO_NOISY),
                        ComparedRuns.figure("responseNs.p99", 50, 40, 60, Outcome.WORSE),
                        ComparedRuns.figure(
                                "ratePerSecond", 0, -0.001, 0.001, Outcome.NO_DIFFERENCE));
        final Comparison itself =
                ComparedRuns.with(
                        ComparedRuns.figure("responseNs.p50", 0, -0.9, 1_500, Outcome.TOO_NOISY),
                        ComparedRuns.figure("responseNs.p99", 70, 60, 80, Outcome.WORSE),
                        ComparedRuns.figure(
                                "ratePerSecond", 0, -0.001, 0.001, Outcome.NO_DIFFERENCE));
        return change.judged(itself, 0.1, 45_000_000_000L, true);
    }

    /** A gate that had judged no latency said that it would have seen any change. */
    @Test
    void shouldSayWhichLatencyWasNotJudgedAndWhy() {
        final Comparison change =
                ComparedRuns.withoutLatency(
                        ComparedRuns.figure(
                                "achievedRatePerSecond", 0, -0.001, 0.001, Outcome.NO_DIFFERENCE));

        final String text =
                new CompareTables(1_000, false)
                        .conclusion(change.judged(change, 0.9, 45_000_000_000L, true));

        assertThat(text)
                .contains(
                        "; and not any change of Response time 50 %, Response time 99 %, because B has none.",
                        "Gate undecided: nothing is shown to be worse, but Response time 50 % of t on shm:, 64 bytes at"
                                + " 1,000/s is not known (because B has none), Response time 99 % of ");
    }

    /** It said that there were no figures to judge by. */
    @Test
    void shouldSayWhichCriterionLeftABuildUndecided() {
        final Comparison change =
                ComparedRuns.losing(
                        12,
                        ComparedRuns.figure(
                                "achievedRatePerSecond", 0, -0.001, 0.001, Outcome.NO_DIFFERENCE));

        assertThat(
                        new CompareTables(1_000, false)
                                .conclusion(change.judged(change, 0.9, 45_000_000_000L, true)))
                .contains(
                        "Gate undecided: nothing is shown to be worse, but A breaks the same criterion when it is measured"
                                + " again: Lost 12 of 1,000.");
    }

    /** More repeats bring no row that the other run does not have. */
    @Test
    void shouldNameAMissingRowBeforeFiguresThatMoreRepeatsCouldDecide() {
        final Comparison change =
                ComparedRuns.missing(
                        ComparedRuns.withoutLatency(
                                ComparedRuns.figure(
                                        "ratePerSecond", 0, -0.001, 0.001, Outcome.NO_DIFFERENCE)),
                        "u on udp: is in A alone; B has no such row.",
                        "v on udp: is in A alone; B has no such row.");
        final Comparison judged = change.judged(change, 0.9, 45_000_000_000L, true);

        assertThat(new CompareTables(1_000, false).conclusion(judged))
                .contains(
                        "but u on udp: is in A alone; B has no such row. Rows that are missing: 2. Also"
                                + " undecided: Response time 50 % of")
                .doesNotContain("More repeats");
    }

    /** It passed, although intervals do not cover what this machine changes by itself. */
    @Test
    void shouldBeUndecidedWhereAIsShownToDifferFromItselfByMore() {
        final Comparison change =
                ComparedRuns.with(
                        ComparedRuns.figure(
                                "achievedRatePerSecond", 0, -0.1, 0.1, Outcome.TOO_NOISY));
        final Comparison itself =
                ComparedRuns.with(
                        ComparedRuns.figure("achievedRatePerSecond", 3, 2.5, 3.3, Outcome.BETTER));

        assertThat(
                        new CompareTables(1_000, false)
                                .conclusion(change.judged(itself, 0.5, 45_000_000_000L, true)))
                .contains(
                        "cannot detect a change below 330 % of Rate: two measurements of ",
                        "Gate undecided: nothing is shown to be worse, but Rate of t on shm:, 64 bytes at 1,000/s may be up"
                                + " to 74.3 % worse;");
    }

    /** "Nothing is worse" stood beside "1 worse". */
    @Test
    void shouldSayOfAWorseFigureThatADiffersFromItselfByAsMuch() {
        final Comparison change =
                ComparedRuns.with(
                        ComparedRuns.figure("responseNs.p50", 0.05, Outcome.WORSE),
                        ComparedRuns.figure("responseNs.p99", 0, Outcome.NO_DIFFERENCE));
        final Comparison itself =
                ComparedRuns.with(
                        ComparedRuns.figure("responseNs.p50", 0.02, -0.02, 0.06, Outcome.TOO_NOISY),
                        ComparedRuns.figure("responseNs.p99", 0, Outcome.NO_DIFFERENCE));
        final Comparison judged = change.judged(itself, 0.1, 45_000_000_000L, true);

        final String sentence =
                "Gate passed: nothing is worse by more than two measurements of A may differ, and a change of 10.0 % for"
                        + " the worse would not have passed.";
        final CompareTables tables = new CompareTables(1_000, false);
        assertThat(tables.conclusion(judged))
                .contains("B against A: 1 worse within the noise of A, 1 no difference.", sentence);
        for (final String text : List.of(tables.render(judged), CompareMarkdown.of(judged))) {
            assertThat(text)
                    .contains("worse, within the noise of A", sentence)
                    .doesNotContain("**worse");
        }
        assertThat(ComparePage.of(judged, List.of()))
                .contains(
                        "\"word\":\"Gate passed\"",
                        "\"withinItself\":[{\"row\":0,\"name\":\"responseNs.p50\"}]");
        final Comparison same = itself.judged(itself, 0.1, 45_000_000_000L, true);
        assertThat(tables.conclusion(same)).contains("Gate passed: nothing is worse, and");
        assertThat(ComparePage.of(same, List.of())).contains("\"word\":\"Nothing is worse\"");
    }

    /** It said "from 248,879 %", and "up to 335,244 % worse". */
    @Test
    void shouldNotCountTheDigitsOfWhatIsFarOut() {
        final String text = new CompareTables(1_000, false).conclusion(noisy());

        assertThat(text.lines())
                .first()
                .isEqualTo(
                        "In 45.0 s this machine cannot detect a change below 0.100 % of Rate, below a factor of 10 of"
                                + " Response time 50 %, Response time 99 %: two measurements of A may differ by as much.");
        assertThat(text)
                .contains(
                        "Response time 50 % of t on shm:, 64 bytes at 1,000/s may be worse by more than a factor of 10");
    }

    @Test
    void shouldCutBarsThatWouldFlattenTheOthers() {
        final String markdown = CompareMarkdown.of(noisy());

        assertThat(markdown).contains("(longer bars end at 100)\"", "bar [0.00, 100.00, 0.00]");
    }

    @Test
    void shouldNotFoldWhatLeftABuildUndecided() {
        final String markdown = CompareMarkdown.of(noisy());
        final int noisy = markdown.indexOf("Too noisy to tell, and so undecided:");

        assertThat(markdown).contains("### tickmark: Gate undecided");
        assertThat(markdown.substring(noisy, markdown.indexOf("<details>")))
                .contains("| Response time 50 % |")
                .doesNotContain("| Rate |");
        assertThat(markdown.substring(markdown.indexOf("<details>"))).contains("| Rate |");
        assertThat(ComparePage.of(noisy(), List.of())).contains("\"word\":\"Undecided\"");
    }

    @Test
    void shouldNameThePageByWhatIsCompared() {
        assertThat(CompareWords.title(ComparedRuns.of("head"))).isEqualTo("head2 against head");
        assertThat(CompareWords.title(noisy())).isEqualTo("runs/b against runs/a");
    }

    @Test
    void shouldShowOnThePageWhatEachRunMeasured() {
        final List<Side> sides =
                Stream.of("A", "B")
                        .map(name ->
                                new Side(
                                        name,
                                        Path.of(name, "result.json"),
                                        Trials.run(Trials.closedLoop().test("of " + name).row()),
                                        Optional.empty()))
                        .toList();

        assertThat(ComparePage.of(ComparedRuns.of("B"), sides))
                .containsPattern("\"runs\":\\[\\{\"name\":\"A\",\"tests\":\\[\\{\"name\":\"of A\"")
                .containsPattern("\\{\"name\":\"B\",\"tests\":\\[\\{\"name\":\"of B\"")
                .contains("B is a result.json alone: its curves and time lines are in the folder");
    }

    @Test
    void shouldCountTheLibrariesOfTwoBuildsOnTheTerminal() {
        final String text =
                new CompareTables(100, false)
                        .render(
                                ComparedRuns.differing(
                                        "kernel.release",
                                        "libraries.a",
                                        "libraries.b",
                                        "libraries.c",
                                        "libraries.d"));

        assertThat(text)
                .contains("kernel.release", "4 libraries differ, in the page.")
                .doesNotContain("libraries.a");
    }
}

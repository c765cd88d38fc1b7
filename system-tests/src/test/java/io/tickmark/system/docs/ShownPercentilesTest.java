package io.tickmark.system.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Percentiles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Pages show no percentile with fewer than ten values above it, as no command prints one: an output
 * that does was made by an old build, and is made again as CONTRIBUTING.md says.
 */
class ShownPercentilesTest {
    @Test
    void shouldHaveTenValuesAboveThem() {
        final List<String> outputs = new ArrayList<>();
        final List<String> tooFew = new ArrayList<>();
        Repository.pages()
                .forEach(page ->
                        Output.of(Repository.read(page))
                                .forEach(output -> {
                                    outputs.add(output.command());
                                    output.tooFew()
                                            .forEach(each ->
                                                    tooFew.add(
                                                            "%s, %s: %s"
                                                                    .formatted(
                                                                            Repository.name(page),
                                                                            output.command(),
                                                                            each)));
                                }));

        assertThat(outputs).isNotEmpty();
        assertThat(tooFew).isEmpty();
    }

    private static List<String> tooFew(final String page) {
        return Output.of(page).stream().flatMap(output -> output.tooFew().stream()).toList();
    }

    @Test
    void shouldBeFoundWhereATableHasTheCountAndTheNextThePercentiles() {
        final String page =
                """
                <!-- output: run demo -->
                ```text
                step          seconds  received  lost
                ------------  -------  --------  ----
                startup             0    92,818     0
                steady state     15.9   200,032     0

                Response time
                step          99% us   99.99% us
                ------------  -------  ---------
                startup       6967.75  715128.83
                steady state  4358.14    9543.68
                step             max us
                ------------  ---------
                startup       715128.83
                steady state    9904.13
                ```
                <!-- end -->
                """;

        assertThat(tooFew(page)).containsExactly("99.99 % of 92818 at most (startup)");
        assertThat(tooFew(page.replace("715128.83", "n/a"))).isEmpty();
        assertThat(tooFew(page.replace(" 92,818", "100,000"))).isEmpty();
        assertThat(tooFew(page.replace("92,818", "   n/a"))).as("not known").isEmpty();
    }

    @Test
    void shouldBeFoundWhereTheCommandSaysHowManyThereAre() {
        final String page =
                """
                ```sh
                ./tickmark latency --sizes 64 %s
                ```

                ```text
                step       rate   99 %%  99.9 %%
                -------  ------  -----  ------
                latency  2000/s  13 us   22 us
                ```
                """;

        assertThat(tooFew(page.formatted("--samples 9999")))
                .containsExactly("99.9 % of 9999 at most (latency)");
        assertThat(tooFew(page.formatted("--samples 5000 --subscribers 2"))).isEmpty();
        assertThat(tooFew(page.formatted("--rate 2k --duration 3s")))
                .containsExactly("99.9 % of 6000 at most (latency)");
        assertThat(tooFew(page.formatted("--rate 2k --duration 5s"))).isEmpty();
        assertThat(
                        tooFew(
                                """
                                <!-- output: latency -numIter 900 -->
                                ```text
                                latency: median 5 us, 99 %
                                within 12 us, and the 99.9th percentile there is at
                                most 37 us.
                                ```
                                """))
                .containsExactly(
                        "99.0 % of 900 at most (in a sentence)",
                        "99.9 % of 900 at most (in a sentence)");
    }

    @Test
    void shouldBeFoundWhereAllRowsTogetherHaveTooFew() {
        final String page =
                """
                ```text
                bytes  99% us
                -----  ------
                   64    7.64
                 1024    9.11

                Nothing was lost, duplicated or reordered in 1,900
                messages.
                ```
                """;

        assertThat(tooFew(page)).containsExactly("99.0 % of 1900 in 2 rows");
        assertThat(tooFew(page.replace("1,900", "2,000"))).isEmpty();
    }

    @Test
    void shouldBeFoundInTheFiguresOfACapture() {
        final String page =
                """
                ```text
                90.00 percentile: 3440.6 (us)
                99.00 percentile: 13877.2 (us)
                99.90 percentile: n/a (too few messages)

                Wire first copy
                bytes  90% us  99% us
                -----  ------  ------
                  588    1.23    4.56

                role  figure        value
                ----  ------------  -----
                wire  inWithCopies     99
                wire  outMatched      990
                ```
                """;

        assertThat(tooFew(page))
                .containsExactly(
                        "99.0 % of 990 at most (percentiles)",
                        "90.0 % of 99 at most (588)", "99.0 % of 99 at most (588)");
    }

    /**
     * What a command printed.
     *
     * @param command or several, one on a line
     * @param text its lines
     */
    private record Output(String command, String text) {
        private static final Pattern BLOCK =
                Pattern.compile(
                        "(?:<!-- output: ([^\n]+?) -->\n|```sh\n([^`]*)```\n\n)?```text\n(.*?)\n```",
                        Pattern.DOTALL);
        private static final Pattern RULE = Pattern.compile("-+(?: +-+)+");
        private static final Pattern COLUMN = Pattern.compile("-+");
        private static final Pattern PERCENT = Pattern.compile("(?:.* )?([0-9.]+) ?%(?: us)?");
        private static final Pattern PERCENT_LINE =
                Pattern.compile("([0-9.]+) percentile: [0-9].*");
        private static final Pattern SENTENCE =
                Pattern.compile(
                        "([0-9.]+)(?:th\\spercentile\\sthere\\sis\\sat\\smost|\\s%\\swithin)\\s[0-9]");
        private static final Pattern COUNT = Pattern.compile("[0-9][0-9,]*");
        private static final Pattern TOTAL =
                Pattern.compile(
                        "Nothing was lost, duplicated or reordered in ([0-9,]+) messages"
                                .replace(" ", "\\s"));
        private static final Pattern SAMPLES =
                Pattern.compile("--?(?:samples|numIter) ([0-9]+)\\b");
        private static final Pattern SUBSCRIBERS = Pattern.compile("--?subscribers ([0-9]+)\\b");
        private static final Pattern RATE = Pattern.compile("(?:--rate|-r) ([0-9]+)(k?)\\b");
        private static final Pattern DURATION = Pattern.compile("--duration ([0-9]+)s\\b");

        /** What a row is of, the same in all tables of an output. */
        private static final List<String> PLACES = List.of("channel", "step", "bytes");

        /** Each message with a latency is one of these. */
        private static final List<String> COUNTS = List.of("received", "acknowledged");

        /** Of tables with other counts than those of their row. */
        private static final Map<String, String> COUNT_OF_TABLE =
                Map.of(
                        "Wire", "outMatched",
                        "Wire first copy", "inWithCopies",
                        "Wire last copy", "inWithCopies");

        static List<Output> of(final String page) {
            return BLOCK.matcher(page)
                    .results()
                    .map(block ->
                            new Output(
                                    Stream.of(block.group(1), block.group(2))
                                            .filter(command -> command != null)
                                            .findFirst()
                                            .orElse("")
                                            .strip(),
                                    block.group(3)))
                    .toList();
        }

        /** Percentiles with too few values above them. */
        List<String> tooFew() {
            final List<String> found = new ArrayList<>();
            PERCENT_LINE
                    .matcher(text)
                    .results()
                    .forEach(line ->
                            judge(
                                    Double.parseDouble(line.group(1)),
                                    figure("outMatched").stream(),
                                    "percentiles",
                                    found));
            SENTENCE.matcher(text)
                    .results()
                    .forEach(sentence ->
                            judge(
                                    Double.parseDouble(sentence.group(1)),
                                    asked().stream(),
                                    "in a sentence",
                                    found));
            final Map<String, Long> counts = new HashMap<>();
            final Map<String, List<Double>> shown = new LinkedHashMap<>();
            for (final Table table : Table.of(text.lines().toList())) {
                for (final Map<String, String> row : table.rows()) {
                    count(row, counts);
                    row.forEach((column, value) -> {
                        final Matcher percent = PERCENT.matcher(column);
                        if (percent.matches() && value.matches("[0-9].*")) {
                            final double part = Double.parseDouble(percent.group(1));
                            shown.computeIfAbsent(table.title(), _ -> new ArrayList<>()).add(part);
                            judge(part, most(table, row, counts), placeOrFirst(row), found);
                        }
                    });
                }
            }
            total().ifPresent(all -> shown.values().forEach(parts -> inAllRows(all, parts, found)));
            return found;
        }

        private static void judge(
                final double percent,
                final LongStream most,
                final String place,
                final List<String> found) {
            most.min().stream()
                    .filter(count -> !Percentiles.isReportable(count, percent))
                    .forEach(count ->
                            found.add("%s %% of %d at most (%s)".formatted(percent, count, place)));
        }

        /** One of the rows has no more than its share. */
        private static void inAllRows(
                final long all, final List<Double> parts, final List<String> found) {
            parts.stream()
                    .distinct()
                    .forEach(percent -> {
                        final long rows = parts.stream().filter(percent::equals).count();
                        if (!Percentiles.isReportable(all / rows, percent)) {
                            found.add("%s %% of %d in %d rows".formatted(percent, all, rows));
                        }
                    });
        }

        /** How many values there are at most, by all that tells. */
        private LongStream most(
                final Table table, final Map<String, String> row, final Map<String, Long> counts) {
            final Long count = counts.get(place(row));
            return Stream.of(
                            count == null ? OptionalLong.empty() : OptionalLong.of(count),
                            asked(),
                            Optional.ofNullable(COUNT_OF_TABLE.get(table.title()))
                                    .map(this::figure)
                                    .orElse(OptionalLong.empty()))
                    .flatMapToLong(OptionalLong::stream);
        }

        private static void count(final Map<String, String> row, final Map<String, Long> counts) {
            COUNTS.stream()
                    .filter(row::containsKey)
                    .findFirst()
                    .map(row::get)
                    .ifPresent(count -> {
                        if (COUNT.matcher(count).matches()) {
                            counts.put(place(row), number(count));
                        } else {
                            counts.remove(place(row));
                        }
                    });
        }

        private static String place(final Map<String, String> row) {
            return String.join(
                    " ",
                    PLACES.stream()
                            .filter(row::containsKey)
                            .map(column ->
                                    row.get(column).replaceFirst(" bytes?$", "").replace(",", ""))
                            .toList());
        }

        private static String placeOrFirst(final Map<String, String> row) {
            final String place = place(row);
            return place.isEmpty() ? row.values().iterator().next() : place;
        }

        /** A figure of a role, by its name. */
        private OptionalLong figure(final String name) {
            return first(Pattern.compile("\\b" + name + " +([0-9,]+)"), text);
        }

        private OptionalLong total() {
            return first(TOTAL, text);
        }

        /** How many latencies a step of the command has. */
        private OptionalLong asked() {
            final long subscribers = first(SUBSCRIBERS, command).orElse(1);
            final OptionalLong samples = first(SAMPLES, command);
            if (samples.isPresent()) {
                return OptionalLong.of(subscribers * samples.getAsLong());
            }
            final Optional<MatchResult> rate = RATE.matcher(command).results().findFirst();
            final OptionalLong seconds = first(DURATION, command);
            return rate.isEmpty() || seconds.isEmpty()
                    ? OptionalLong.empty()
                    : OptionalLong.of(
                            subscribers
                                    * number(rate.get().group(1))
                                    * (rate.get().group(2).isEmpty() ? 1 : 1_000)
                                    * seconds.getAsLong());
        }

        private static OptionalLong first(final Pattern pattern, final String text) {
            return pattern.matcher(text)
                    .results()
                    .mapToLong(found -> number(found.group(1)))
                    .findFirst();
        }

        private static long number(final String text) {
            return Long.parseLong(text.replace(",", ""));
        }

        /**
         * A table, or a part of one that is wider than a line.
         *
         * @param title the line above it; of a part that of the first
         * @param rows by the names of their columns
         */
        private record Table(String title, List<Map<String, String>> rows) {
            static List<Table> of(final List<String> lines) {
                final List<Table> tables = new ArrayList<>();
                String title = "";
                int end = -1;
                for (int rule = 1; rule < lines.size(); rule++) {
                    if (!RULE.matcher(lines.get(rule)).matches()) {
                        continue;
                    }
                    if (end != rule - 1) {
                        title = rule > 1 ? lines.get(rule - 2) : "";
                    }
                    end = rule + 1;
                    while (end < lines.size() && isRow(lines, end)) {
                        end++;
                    }
                    tables.add(new Table(title, rows(lines, rule, end)));
                }
                return tables;
            }

            private static boolean isRow(final List<String> lines, final int at) {
                return !lines.get(at).isBlank()
                        && !lines.get(at).startsWith("* ")
                        && (at + 1 == lines.size() || !RULE.matcher(lines.get(at + 1)).matches());
            }

            private static List<Map<String, String>> rows(
                    final List<String> lines, final int rule, final int end) {
                final List<Map<String, String>> rows = new ArrayList<>();
                for (int line = rule + 1; line < end; line++) {
                    final String row = lines.get(line);
                    final Map<String, String> cells = new LinkedHashMap<>();
                    COLUMN.matcher(lines.get(rule))
                            .results()
                            .forEach(column ->
                                    cells.put(
                                            cell(lines.get(rule - 1), column), cell(row, column)));
                    rows.add(cells);
                }
                return rows;
            }

            private static String cell(final String line, final MatchResult column) {
                return line.substring(
                                Math.min(column.start(), line.length()),
                                Math.min(column.end(), line.length()))
                        .strip();
            }
        }
    }
}

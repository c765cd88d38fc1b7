package io.tickmark.system.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.report.RunTables;
import io.tickmark.system.docs.DocumentedRuns.ShownOutput;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What pages show of a command is one screen, as it is in a terminal: an output that is longer or
 * wider was made by an old build, and is made again as CONTRIBUTING.md says.
 */
class ShownOutputsTest {
    /** Of what is printed where there is no terminal. */
    private static final int MOST_COLUMNS = 100;

    /** Files, and the hint to quick below them, which are not counted. */
    private static final Pattern FOOTER =
            Pattern.compile("(?:Report|Tables|Comparison|What this machine can resolve): .*|\\s*");

    /** A line in the words of another tool, which programs read. */
    private static final Pattern OF_ANOTHER_TOOL =
            Pattern.compile("[a-z_]+=\\S+(?:, [a-z_]+=\\S+)*");

    /** Asked for more, or roles by hand, which leave no file behind that could have the rest. */
    private static final Pattern ALL = Pattern.compile(" --(?:all|verbose)\\b| & (?!echo )");

    /** Outputs of old builds; an output that is made again is taken off this list. */
    private static final List<String> TO_BE_MADE_AGAIN = List.of();

    @Test
    void shouldBeOneScreen() {
        final List<String> commands = new ArrayList<>();
        final List<String> tooLarge = new ArrayList<>();
        Repository.pages()
                .forEach(page ->
                        DocumentedRuns.shown(Repository.read(page))
                                .forEach(output -> {
                                    commands.add(output.command());
                                    if (!isOneScreen(output)) {
                                        tooLarge.add(
                                                Repository.name(page)
                                                        + ": "
                                                        + words(output.command()));
                                    }
                                }));

        assertThat(commands).hasSizeGreaterThan(TO_BE_MADE_AGAIN.size());
        assertThat(tooLarge).containsExactlyInAnyOrderElementsOf(TO_BE_MADE_AGAIN);
    }

    @Test
    void shouldCountEverythingAboveTheFilesAndMeasureEveryLineOfOurOwn() {
        final String most = "a line\n".repeat(RunTables.SCREEN_LINES);

        assertThat(isOneScreen(shown("latency", most + "\nReport: report.html"))).isTrue();
        assertThat(isOneScreen(shown("latency", most + "one more"))).isFalse();
        assertThat(isOneScreen(shown("doctor --all", most + "one more"))).isTrue();
        final String wide = "x".repeat(MOST_COLUMNS);
        assertThat(isOneScreen(shown("latency", wide))).isTrue();
        assertThat(isOneScreen(shown("latency", wide + "x"))).isFalse();
        assertThat(isOneScreen(shown("latency", "actual_sends=1, result_rate=2" + wide))).isTrue();
    }

    /** Where all outputs were made again, the rest of such a page was taken for one of them. */
    @Test
    void shouldNotTakeForAnOutputWhatAPageSaysOfOutputs() {
        final String page =
                """
                The text between `<!-- output: COMMAND -->` and `<!-- end -->` is what it printed.

                <!-- generated: table -->
                | made from the code |
                <!-- end -->
                """;

        assertThat(DocumentedRuns.shown(page)).isEmpty();
    }

    private static ShownOutput shown(final String command, final String text) {
        final String page =
                "<!-- output: " + command + " -->\n```text\n" + text + "\n```\n<!-- end -->\n";
        final List<ShownOutput> shown = DocumentedRuns.shown(page);
        assertThat(shown).hasSize(1);
        return shown.getFirst();
    }

    private static boolean isOneScreen(final ShownOutput output) {
        if (ALL.matcher(output.command()).find()) {
            return true;
        }
        final List<String> lines = output.lines();
        int end = lines.size();
        while (end > 0 && FOOTER.matcher(lines.get(end - 1)).matches()) {
            end--;
        }
        return end <= RunTables.SCREEN_LINES
                && lines.subList(0, end).stream()
                        .filter(line -> !OF_ANOTHER_TOOL.matcher(line).matches())
                        .allMatch(line -> line.length() <= MOST_COLUMNS);
    }

    /** The command without its options. */
    private static String words(final String command) {
        return Stream.of(command.split(" "))
                .takeWhile(word -> !word.startsWith("-"))
                .collect(Collectors.joining(" "));
    }
}

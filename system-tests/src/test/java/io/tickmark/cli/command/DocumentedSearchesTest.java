package io.tickmark.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.lab.plan.RoleResolver;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.search.SearchGoal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Searches that the documentation recommends: they take minutes, but are refused at once. */
class DocumentedSearchesTest {
    private static final Pattern SEARCH = Pattern.compile("\\./tickmark (search [a-z][^`\n]*)");
    private static final RoleCatalog ROLES = RoleCatalog.load();

    private static List<String> searches() throws IOException {
        try (Stream<Path> pages =
                Files.walk(Path.of(System.getProperty("tickmark.root"), "docs"))) {
            return pages.filter(page -> page.toString().endsWith(".md"))
                    .flatMap(page -> SEARCH.matcher(read(page)).results())
                    .map(found -> found.group(1))
                    .toList();
        }
    }

    private static String read(final Path page) {
        try {
            return Files.readString(page);
        } catch (final IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void shouldBeAcceptedWithTheRatesThatTheyBeginAt() throws IOException {
        assertThat(searches())
                .hasSizeGreaterThan(1)
                .allSatisfy(line ->
                        assertThatCode(() -> accept(line)).as(line).doesNotThrowAnyException());
    }

    private static void accept(final String line) {
        final SearchCommand command = new SearchCommand();
        final List<String> words = List.of(line.split(" "));
        final CommandLine.ParseResult arguments =
                new CommandLine(command.spec())
                        .parseArgs(words.subList(1, words.size()).toArray(String[]::new));
        for (final TestPlan test : command.searched(arguments).tests()) {
            final SearchGoal goal = test.search();
            new RoleResolver(ROLES).checkSearch(test);
            for (final double rate : List.of(goal.seedRate(), goal.minRate())) {
                new RoleResolver(ROLES)
                        .resolve(
                                test.withSettings(
                                        Map.of(
                                                goal.rateKey(),
                                                Math.round(rate),
                                                goal.durationKey(),
                                                goal.initialTrial())),
                                test.channels() == null || test.channels().isEmpty()
                                        ? ""
                                        : test.channels().getFirst());
            }
        }
    }
}

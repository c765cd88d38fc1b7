package io.tickmark.system.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.cli.InProcess;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.lab.plan.PlanLibrary;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transport;
import io.tickmark.transport.Transports;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is there is documented, and what is documented is there. */
class DocsMentionsTest {
    /** Options of ours, and of the JVM and other tools that pages speak of. */
    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z0-9-]*");

    private static final Set<String> OPTIONS_OF_OTHERS =
            Set.of(
                    "--cap-add",
                    "--config",
                    "--cpuset-cpus",
                    "--ignore-missing",
                    "--import",
                    "--ipc",
                    "--show-keys",
                    "--with-fingerprint",
                    "--network",
                    "--rm",
                    "--add-exports",
                    "--enable-native-access",
                    "--nonblocked",
                    "--now",
                    "--only",
                    "--rounds",
                    "--sort",
                    "--summary-mode");

    /** A heading, then a question, an offer or what the reader already knows. */
    private static final Pattern OPENING =
            Pattern.compile(
                    "# [^\n]+\n\n(?:(?:Add|Begin|Copy|Find|Look|Make|Measure|Read|Run|See|Send|Take|Watch|Write|You"
                            + "|Two questions)\\b|[^.#`]*[?]|What you did there)");

    private static final Pattern NAME_OF_PAGE = Pattern.compile("'([^']+\\.md)'");

    /** Their runs are on the pages of commands. */
    private static final Set<String> BUILT_IN = Set.of("udp", "mcast", "tcp", "ws", "shm");

    /** Speaks of the options of bench/run and of other tools. */
    private static final String PAGE_OF_BENCH = "docs/performance.md";

    private static final String DOCS =
            Repository.docs().stream()
                    .filter(page -> !Repository.name(page).equals(PAGE_OF_BENCH))
                    .map(Repository::read)
                    .collect(Collectors.joining("\n"));

    /** Figures without one cannot be made again. */
    @Test
    void shouldNameTheCommitOfEveryTableThatComparesWithOthers() {
        final Pattern table = Pattern.compile("<!-- side by side (\\S+) begin -->\n\n([^\n]+)\n");
        final String page =
                Repository.docs().stream()
                        .filter(file -> Repository.name(file).equals(PAGE_OF_BENCH))
                        .map(Repository::read)
                        .collect(Collectors.joining());

        assertThat(table.matcher(page).results().map(MatchResult::group))
                .hasSizeGreaterThan(20)
                .allMatch(line ->
                        line.matches("(?s).*(; commit|these figures came with) [0-9a-f]{12}\\b.*"));
    }

    @Test
    void shouldMentionEveryShippedPlan() {
        final List<String> names = new PlanLibrary(RoleCatalog.load()).names();

        assertThat(names).isNotEmpty().filteredOn(name -> !isCode(name)).isEmpty();
    }

    @Test
    void shouldMentionEveryRole() {
        final List<String> names =
                RoleCatalog.load().all().stream().map(RoleFactory::name).toList();

        assertThat(names).isNotEmpty().filteredOn(name -> !isCode(name)).isEmpty();
    }

    @Test
    void shouldMentionEveryTransportWithItsParameters() {
        final Set<String> schemes = new Transports().all().keySet();

        assertThat(schemes)
                .isNotEmpty()
                .filteredOn(scheme -> !DOCS.contains("<!-- generated: parameters " + scheme + " "))
                .isEmpty();
    }

    /** The output is made again, on a quiet machine, as CONTRIBUTING.md says. */
    @Test
    void shouldShowARunOfEveryEngineThatIsComparedWithOthers() {
        assertThat(new Transports().kinds())
                .filteredOn(Transport.Kind::isCompared)
                .extracting(kind -> ChannelUri.parse(kind.channel()).scheme())
                .filteredOn(scheme -> !BUILT_IN.contains(scheme))
                .as(
                        "a run on each engine between <!-- output: COMMAND --> and <!-- end -->, which DocsTablesTest fills in"
                                + " with -Dtickmark.docs.write=true -Dtickmark.docs.run=REGEX")
                .isNotEmpty()
                .allMatch(scheme ->
                        Pattern.compile(
                                        "<!-- output: [^\n]*[ \"]"
                                                + scheme
                                                + ":[^\n]*-->\n+```text\n[^`\n]")
                                .matcher(DOCS)
                                .find());
    }

    /** Where nothing is shown, the command was never run; CONTRIBUTING.md says how. */
    @Test
    void shouldShowWhatEachCommandPrinted() {
        assertThat(
                        Pattern.compile("<!-- output: ([^\n]+) -->\n(?!```text\n[^`\n])")
                                .matcher(DOCS)
                                .results()
                                .map(block -> block.group(1)))
                .isEmpty();
    }

    @Test
    void shouldExplainEveryCountOfARole() {
        assertThat(ColumnTables.sources().keySet())
                .isNotEmpty()
                .filteredOn(name -> !DOCS.contains("<!-- generated: columns " + name + " -->"))
                .isEmpty();
    }

    @Test
    void shouldMentionEveryCommand() {
        assertThat(Commands.names())
                .isNotEmpty()
                .filteredOn(name -> !DOCS.contains("./tickmark " + name))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hosts", "kubernetes"})
    void shouldNameEveryCommandThatMeasuresOnThisMachineOnly(final String page) {
        final String option = "--" + page;
        final Matcher sentence =
                Pattern.compile("Every command that measures takes `" + option + "`([^.]*)\\.")
                        .matcher(Repository.read(Repository.DOCS.resolve(page + ".md")));

        assertThat(sentence.find()).isTrue();
        assertThat(Commands.names("Measure"))
                .contains("run", "console")
                .filteredOn(name -> !InProcess.text(name, "--help").contains(option))
                .isNotEmpty()
                .allMatch(name -> sentence.group(1).contains("`" + name + "`"));
    }

    @Test
    void shouldSpeakOfOptionsThatAreThereOnly() {
        final Set<String> known = new HashSet<>(OPTIONS_OF_OTHERS);
        RoleCatalog.load()
                .all()
                .forEach(role ->
                        SettingDescriptor.of(role.settings()).stream()
                                .map(SettingDescriptor::option)
                                .forEach(known::add));
        known.addAll(optionsIn(InProcess.text("--help")));
        Commands.names()
                .forEach(name ->
                        known.addAll(optionsIn(InProcess.text((name + " --help").split(" ")))));

        final Set<String> unknown = new TreeSet<>(optionsIn(DOCS));
        unknown.removeAll(known);
        assertThat(unknown).isEmpty();
    }

    /** Who opens a page wants to know first what it is good for. */
    @Test
    void shouldOpenWithWhatTheReaderCanDo() {
        final List<Path> others =
                NAME_OF_PAGE
                        .matcher(sourcesOfTheSite())
                        .results()
                        .map(name -> Repository.ROOT.resolve(name.group(1)))
                        .toList();

        assertThat(others).contains(Repository.ROOT.resolve("README.md"));
        assertThat(Stream.concat(others.stream(), Repository.docs().stream()))
                .filteredOn(page -> !OPENING.matcher(Repository.read(page)).lookingAt())
                .isEmpty();
    }

    /** The list of its pages; those of docs are not named one by one. */
    private static String sourcesOfTheSite() {
        final String script = Repository.read(Repository.ROOT.resolve("site/stage.mjs"));
        final int from = script.indexOf("const sources = [");
        assertThat(from).isNotNegative();
        return script.substring(from, script.indexOf(']', from));
    }

    private static boolean isCode(final String name) {
        return DOCS.contains("`" + name + "`");
    }

    private static List<String> optionsIn(final String text) {
        return OPTION.matcher(text).results().map(MatchResult::group).distinct().toList();
    }
}

package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Comparisons through the front door, on a channel whose delay is programmed. */
class CompareTest {
    private static final String PLAN =
            """
            schema: tickmark.plan/1
            name: delayed
            noise: 0s
            %s
            tests:
              - name: ping
                workload: latency
                channels: ["null:?delay=20ms"]
                settings: {sizes: [64], rate: 200, samples: 100, warmUp: 10ms}
                roles: [{role: latency-pub, process: both}, {role: latency-sub, process: both}]
                criteria: {minRateHeldPart: 0, maxLostPart: 1, maxTimedOut: 1000}
            """;

    /** Twenty times as long as the plan's. */
    private static final String SLOW = "null:?delay=400ms";

    /**
     * A machine that stalls for most of a repeat makes its median any multiple of the delay, and
     * three such repeats prove nothing. Up to this multiple on either side they do prove the
     * difference.
     */
    private static final double CALM = 2.5;

    private static final String WORKED =
            "compare samples/worked-comparison/before samples/worked-comparison/after";

    /** Of their messages, what the two sides may leave out more than the other. */
    private static final double MOST_APART = 0.05;

    @TempDir private Path folder;

    private Launch.Outcome tickmark(final String line) {
        return Launch.here(folder, line);
    }

    /** Two sides of a run that is there. */
    private Launch.Outcome compare(final String one, final String other) {
        final Path there = folder.resolve("there");
        return Launch.here("compare %s/%s %s/%s".formatted(there, one, there, other));
    }

    private static List<String> outcomes(final JsonNode comparison, final String figure) {
        return comparison
                .path("rows")
                .valueStream()
                .flatMap(row -> row.path("figures").valueStream())
                .filter(each -> each.path("name").asString().equals(figure))
                .map(each -> each.path("outcome").asString())
                .toList();
    }

    @Test
    void shouldTakeTurnsWithAnotherChannelAndReportThatItIsWorse() throws IOException {
        Files.writeString(folder.resolve("plan.yaml"), PLAN.formatted(""));

        final Launch.Outcome run =
                tickmark("run plan.yaml --vs " + SLOW + " --repeats 3 --out there --json");

        final JsonNode comparison = new JsonMapper().readTree(run.out());
        final List<String> median = outcomes(comparison, "responseNs.p50");
        if (isCalm("a", 20) && isCalm("b", 400)) {
            assertThat(median).as(run.out()).containsExactly("worse");
            assertThat(run.exitCode()).as(run.err()).isEqualTo(1);
        } else {
            assertThat(median).as(run.out()).isSubsetOf("worse", "too_noisy");
        }
        assertThat(comparison.at("/rows/0/otherChannel").asString()).isEqualTo(SLOW);
        assertThat(comparison.at("/settings/1/values/durability").asString())
                .isEqualTo("D0 memory");
        assertThat(folder.resolve("there/comparison.html")).content().contains("comparison");
        assertThat(folder.resolve("there/a/plan.yaml")).content().contains("freshProcesses: true");
        assertThat(folder.resolve("there/b/report.html")).exists();
        try (Stream<Path> files = Files.walk(folder.resolve("there/a/roles"))) {
            assertThat(
                            files.filter(Files::isRegularFile)
                                    .map(file -> file.getFileName().toString()))
                    .as(
                            "each process has a log of its JVM's pauses, which the next does not begin anew")
                    .contains("pauses.log", "pauses-2.log", "pauses-3.log");
        }

        final Launch.Outcome again = compare("a", "b --json");
        assertThat(outcomes(new JsonMapper().readTree(again.out()), "responseNs.p50"))
                .isEqualTo(median);
        assertThat(again.exitCode()).isEqualTo(run.exitCode());
        shouldCallNoRunWorseThanItself();
        shouldReadPackedRunsLikeTheirFolders(again);
    }

    /** As one who is sent the files does, and cannot ask by which seed the run went. */
    private void shouldReadPackedRunsLikeTheirFolders(final Launch.Outcome ofFolders)
            throws IOException {
        Files.createSymbolicLink(folder.resolve("there/a/latest"), folder.resolve("there/b"));
        final Launch.Outcome packed =
                Launch.here("report %1$s/there/a --zip %1$s/a.zip".formatted(folder));
        assertThat(packed.exitCode()).as(packed.err()).isZero();
        assertThat(packed.out()).contains(folder + "/a.zip\nSHA-256: ");
        assertThat(packed.err()).contains("1 link (or other special file) was left out of");
        assertThat(Launch.here("report %1$s/there/b --zip %1$s/b.zip".formatted(folder)).err())
                .isEmpty();

        final Launch.Outcome compared =
                Launch.here(
                        "compare %1$s/a.zip %1$s/b.zip --json --html %1$s/packed.html"
                                .formatted(folder));

        assertThat(compared.exitCode()).as(compared.err()).isEqualTo(ofFolders.exitCode());
        assertThat(rows(compared)).isEqualTo(rows(ofFolders));
        assertThat(folder.resolve("packed.html"))
                .content()
                .contains("comparison")
                .doesNotContain("is a result.json alone");
        assertThat(settings(folder.resolve("a.zip")))
                .as("the plan names no seed")
                .containsPattern("(?m)^ +seed +1$");
        assertThat(Launch.here("report " + folder.resolve("a.zip")))
                .satisfies(refused -> {
                    assertThat(refused.exitCode()).isEqualTo(2);
                    assertThat(refused.err()).contains("was packed and stays as it is");
                });
    }

    private static String rows(final Launch.Outcome compared) {
        return new JsonMapper().readTree(compared.out()).path("rows").toString();
    }

    /** What the roles of a packed run wrote for a reader. */
    private static String settings(final Path zip) throws IOException {
        final StringBuilder text = new StringBuilder();
        try (FileSystem packed = FileSystems.newFileSystem(zip);
                Stream<Path> files = Files.walk(packed.getPath("/roles"))) {
            for (final Path file : files.filter(file -> file.endsWith("summary.txt")).toList()) {
                text.append(Files.readString(file));
            }
        }
        return text.toString();
    }

    /** Whether no repeat's median is a multiple of the delay that was programmed. */
    private boolean isCalm(final String side, final int delayMs) throws IOException {
        final List<JsonNode> repeats =
                ResultDocument.read(folder.resolve("there/" + side + "/result.json")).trials();
        assertThat(repeats)
                .hasSize(3)
                .allSatisfy(repeat ->
                        assertThat(repeat.at("/responseNs/p50").asLong())
                                .as("never sooner than programmed")
                                .isGreaterThanOrEqualTo(delayMs * 999_000L));
        return repeats.stream()
                .allMatch(repeat ->
                        repeat.at("/responseNs/p50").asLong() < CALM * delayMs * 1_000_000L);
    }

    @Test
    void shouldWriteTheVerdictForPagesCommentsAndBuildServers() {
        final Launch.Outcome again =
                Launch.here(
                        WORKED.replace("samples/", Launch.ROOT + "/samples/")
                                + " --min-effect 5%% --html %1$s/c.html --markdown %1$s/c.md --junit %1$s/c.xml"
                                        .formatted(folder));

        assertThat(again.exitCode()).as(again.err()).isEqualTo(1);
        assertThat(again.out()).contains("B against A:", "worse");
        assertThat(folder.resolve("c.md")).content().contains("**worse**");
        assertThat(folder.resolve("c.xml")).content().contains("<failure message=");
        assertThat(folder.resolve("c.html")).content().contains("Content-Security-Policy");
    }

    /** A build server that finds no file says that, and not why. */
    @Test
    void shouldWriteWhyNothingCouldBeCompared() throws IOException {
        for (final String side : List.of("a", "b")) {
            Files.writeString(
                    Files.createDirectory(folder.resolve(side)).resolve("result.json"),
                    Files.readString(
                                    Launch.ROOT.resolve(
                                            "samples/worked-comparison/before/result.json"))
                            .replace(
                                    "\"verdict\" : \"pass\", \"reasons\" : []",
                                    "\"verdict\" : \"void\", \"reasons\" : [\"Role latency-sub-1 was lost.\"]"));
        }

        final Launch.Outcome compared =
                Launch.here(
                        "compare %1$s/a %1$s/b --json --html %1$s/c.html --markdown %1$s/c.md --junit %1$s/c.xml"
                                .formatted(folder));

        assertThat(compared.exitCode()).as(compared.err()).isEqualTo(2);
        assertThat(compared.err()).contains("no row that can be compared", "every repeat is void");
        final JsonNode comparison = new JsonMapper().readTree(compared.out());
        assertThat(comparison.path("rows").isEmpty()).isTrue();
        assertThat(comparison.path("notes").toString()).contains("Role latency-sub-1 was lost.");
        for (final String file : List.of("c.html", "c.md", "c.xml")) {
            assertThat(folder.resolve(file))
                    .content()
                    .contains("nothing could be compared", "Role latency-sub-1 was lost.");
        }
        assertThat(Launch.here("compare %1$s/a %1$s/b".formatted(folder)).out()).isEmpty();
    }

    private void shouldCallNoRunWorseThanItself() {
        final Launch.Outcome same = compare("a", "a/result.json --quiet");

        assertThat(same.exitCode()).as(same.err()).isZero();
        assertThat(same.out()).startsWith("B against A:").doesNotContain("worse");
    }

    @Test
    void shouldPrintTheWorkedExampleAsThePageShowsIt() throws IOException {
        final Launch.Outcome compared = Launch.tickmark(Launch.ROOT, WORKED).run();

        assertThat(compared.exitCode()).as(compared.err()).isEqualTo(1);
        assertThat(Launch.ROOT.resolve("docs/comparing.md"))
                .content()
                .contains(
                        "<!-- output: "
                                + WORKED
                                + " -->\n```text\n"
                                + compared.out().stripTrailing());
    }

    @Test
    void shouldTakeTurnsWithAnotherBuild() throws IOException {
        Files.writeString(folder.resolve("plan.yaml"), PLAN.formatted(""));

        final Launch.Outcome run =
                Launch.here(
                        folder,
                        "run plan.yaml --repeats 2 --quiet --out there --vs "
                                + Launch.ROOT.resolve("cli/target/dist"));

        assertThat(run.out()).as(run.err()).startsWith("B against A:");
        assertThat(run.exitCode()).as(run.out() + run.err()).isIn(0, 1);
        for (final String side : List.of("a", "b")) {
            assertThat(
                            ResultDocument.read(folder.resolve("there/" + side + "/result.json"))
                                    .trials())
                    .as(side)
                    .hasSize(2)
                    .allSatisfy(trial -> {
                        assertThat(trial.path("received").asLong()).isPositive();
                        assertThat(trial.at("/responseNs/p50").asLong())
                                .isGreaterThanOrEqualTo(20 * 999_000L);
                    });
        }
    }

    /**
     * Both commands judge by the figures that they are asked for. On a machine that disturbs too
     * much of a run there are none, and the note says why.
     */
    @Test
    void shouldJudgeByUndisturbedFiguresWhereItIsAskedTo() throws IOException {
        Files.writeString(
                folder.resolve("plan.yaml"),
                """
                schema: tickmark.plan/1
                name: undisturbed
                noise: 0s
                tests:
                  - name: ping
                    workload: latency
                    channels: ["shm:"]
                    settings: {sizes: [64], rate: 5000, duration: 500ms, warmUp: 10ms}
                    roles: [{role: latency-pub, process: both}, {role: latency-sub, process: both}]
                    criteria: {minRateHeldPart: 0, maxLostPart: 1, maxTimedOut: 1000}
                """);

        final Launch.Outcome run =
                tickmark(
                        "run plan.yaml --vs udp://127.0.0.1:0 --repeats 3 --undisturbed --out there --json");
        final Launch.Outcome again = compare("a", "b --undisturbed --json");
        final Launch.Outcome measured = compare("a", "b --json");

        final String whyNot = whyNotUndisturbed();
        for (final Launch.Outcome outcome : List.of(run, again)) {
            final JsonNode comparison = new JsonMapper().readTree(outcome.out());
            assertThat(names(comparison))
                    .as(outcome.out() + outcome.err())
                    .noneMatch(name -> name.startsWith("responseNs"));
            if (whyNot.isEmpty()) {
                assertThat(names(comparison)).as(outcome.out()).contains("undisturbedNs.p50");
                assertThat(comparison.path("notes").toString()).doesNotContain("not judged");
            } else {
                assertThat(names(comparison))
                        .as(whyNot + outcome.out())
                        .noneMatch(name -> name.startsWith("undisturbedNs"));
                assertThat(comparison.path("notes").toString())
                        .containsPattern("are not judged; " + whyNot);
            }
        }
        assertThat(names(new JsonMapper().readTree(measured.out())))
                .contains("responseNs.p50")
                .noneMatch(name -> name.startsWith("undisturbedNs"));
    }

    /**
     * How the reason begins, a pattern, for which the two sides' results allow no undisturbed
     * figures; empty where they do.
     */
    private String whyNotUndisturbed() throws IOException {
        final List<Double> leftOut = new ArrayList<>();
        for (final String side : List.of("a", "b")) {
            final List<JsonNode> repeats =
                    ResultDocument.read(folder.resolve("there/" + side + "/result.json")).trials();
            assertThat(repeats).hasSize(3);
            for (final JsonNode repeat : repeats) {
                final JsonNode undisturbed = repeat.at("/tail/undisturbed");
                if (undisturbed.isMissingNode()) {
                    return "[AB] has no undisturbed figures: no role recorded";
                }
                if (!undisturbed.path("refused").asString().isEmpty()) {
                    return "[AB] has no undisturbed figures: ";
                }
            }
            leftOut.add(
                    repeats.stream()
                            .mapToDouble(
                                    each -> each.at("/tail/undisturbed/leftOutPart").asDouble())
                            .average()
                            .orElseThrow());
        }
        return Math.abs(leftOut.getFirst() - leftOut.getLast()) > MOST_APART
                ? "A leaves out [0-9.]+ % of its messages, B "
                : "";
    }

    private static List<String> names(final JsonNode comparison) {
        return comparison
                .path("rows")
                .valueStream()
                .flatMap(row -> row.path("figures").valueStream())
                .map(figure -> figure.path("name").asString())
                .toList();
    }

    @Test
    void shouldMeasureAMatrixAsRatios() throws IOException {
        Files.writeString(
                folder.resolve("plan.yaml"),
                PLAN.formatted(
                        "matrix: {channel: [\"null:\", \"" + SLOW + "\"], rate: [100, 200]}"));

        final Launch.Outcome run = tickmark("run plan.yaml --repeats 2 --out there");

        assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
        assertThat(run.out())
                .contains("null:, rate=100", SLOW + ", rate=200", "ratio", "Not the same");
        assertThat(folder.resolve("there/comparison.json")).exists();
        assertThat(folder.resolve("there/1-null-rate-100/result.json")).exists();
    }

    @Test
    void shouldRefuseABuildThatLacksWhatThePlanNeedsBeforeAnythingStarts() throws IOException {
        final Path dist = Launch.ROOT.resolve("cli/target/dist");
        final Path other = Files.createDirectory(folder.resolve("other"));
        Files.createSymbolicLink(other.resolve("lib"), dist.resolve("lib"));
        final Path lists = Files.createDirectory(other.resolve("classpaths"));
        for (final String module : List.of("lab", "transport", "workload-messaging")) {
            final String name = "tickmark-" + module + ".txt";
            Files.copy(dist.resolve("classpaths").resolve(name), lists.resolve(name));
        }
        Files.writeString(folder.resolve("plan.yaml"), PLAN.formatted(""));

        final Launch.Outcome absent =
                tickmark("run plan.yaml --channel aeron:ipc --vs other --out there");

        assertThat(absent.exitCode()).isEqualTo(3);
        assertThat(absent.err())
                .contains("The build in", "other has no tickmark-engine-aeron; leave out")
                .doesNotContain("repeat 1");
        assertThat(folder.resolve("there")).doesNotExist();
    }

    @Test
    void shouldSayWhatCannotBeCompared() throws IOException {
        final Path plan = folder.resolve("plan.yaml");
        Files.writeString(plan, PLAN.formatted("matrix: {rate: 100}"));

        assertThat(Launch.here("compare there").err()).contains("name 2 to ");
        assertThat(Launch.here("compare there here").err()).contains("there does not exist");
        assertThat(Launch.here("compare a b --min-effect few").err())
                .contains("--min-effect is \"few\"");
        assertThat(Launch.here("run latency-sweep --vs nothing").err())
                .contains("--vs nothing is not a folder of another build");
        assertThat(Launch.here("run latency-sweep --vs " + folder).err())
                .contains("holds no build of tickmark");
        assertThat(Launch.here("run latency-sweep --vs nosuch=1").err())
                .contains("no role of plan latency-sweep has this setting");
        assertThat(Launch.here("run latency-sweep --vs idle=foo").err())
                .contains("--vs idle is \"foo\"");
        assertThat(Launch.here("run latency-sweep --set idle=foo").err())
                .contains("--set idle is \"foo\"");
        assertThat(Launch.here("run latency-sweep --set rate").err())
                .contains("type a setting as key=value");
        final Launch.Outcome matrix = Launch.here("run " + plan);
        assertThat(matrix.exitCode()).isEqualTo(2);
        assertThat(matrix.err()).contains("matrix.rate must be a list of values");
    }
}

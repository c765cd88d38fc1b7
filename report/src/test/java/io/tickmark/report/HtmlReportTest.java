package io.tickmark.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.record.RoleFiles;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.json.Json;
import io.tickmark.lab.result.ResultJson;
import io.tickmark.lab.result.RoleFolders;
import io.tickmark.lab.tail.TailReader;
import io.tickmark.report.rows.LatencyColumn;
import io.tickmark.report.rows.OverviewColumn;
import io.tickmark.report.rows.SlowestMessages;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class HtmlReportTest {
    private static final String HOSTILE = "</script><!--<script>alert(1)</script>\u2028]]>\"'&";

    @TempDir Path folder;

    private static JsonNode data(final String html) {
        return Json.line()
                .readTree(inside(html, "<script type=\"application/json\" id=\"report-data\">"));
    }

    private static String inside(final String html, final String tag) {
        final int start = html.indexOf(tag) + tag.length();
        return html.substring(start, html.indexOf("</", start));
    }

    private String written() throws IOException {
        return Files.readString(ReportFiles.rewrite(folder));
    }

    private void result(final RunResult run) throws IOException {
        Files.writeString(folder.resolve("result.json"), ResultJson.write(run));
    }

    @Test
    void shouldShowADefaultRunInLessThanAMegabyte() throws IOException {
        final RunResult run = SampleRun.in(folder, 2_000);
        final Path file = ReportFiles.write(folder, run);
        final JsonNode data = data(Files.readString(file));

        assertThat(file).hasFileName("report.html");
        assertThat(Files.size(file)).isLessThan(1_000_000);
        assertThat(data.path("missing")).isEmpty();
        assertThat(data.path("description").asString()).startsWith("Latency and streaming");
        assertThat(data.path("verdict").path("kind").asString()).isEqualTo("fail");
        assertThat(data.path("tests").size()).isEqualTo(4);
        assertThat(data.path("raw").path("rows").size()).isEqualTo(run.trials().size());
        final JsonNode latency = data.path("tests").path(0).path("blocks").path(0);
        assertThat(latency.path("rows").size()).isEqualTo(10);
        final JsonNode curve = latency.path("rows").path(0).path("curves").path("roundTripNs");
        assertThat(curve.path("count").asLong()).as("three repeats").isEqualTo(6_000);
        // As far as ten values are left: 99.83 % of 6,000.
        assertThat(curve.path("ns").size()).isBetween(50, 200);
        assertThat(latency.path("timeLines").size()).isEqualTo(3);
    }

    /** Every figure of the table of all tests has its place among those of a row. */
    @Test
    void shouldTellThePageTheColumnsOfAllTestsAndWhereTheirFiguresAre() throws IOException {
        final RunResult run = SampleRun.in(folder, 2_000);
        final JsonNode test =
                data(Files.readString(ReportFiles.write(folder, run))).path("tests").path(0);
        final JsonNode row = test.path("blocks").path(0).path("rows").path(0);
        final List<String> times = LatencyColumn.ALL.stream().map(LatencyColumn::key).toList();

        assertThat(test.path("overviewColumns").valueStream())
                .extracting(column -> column.path("title").asString())
                .containsExactlyElementsOf(
                        OverviewColumn.ALL.stream().map(OverviewColumn::title).toList());
        assertThat(test.path("overviewColumns").valueStream())
                .allSatisfy(column -> {
                    final String key = column.path("key").asString();
                    switch (column.path("kind").asString()) {
                        case "rate" -> assertThat(row.path(key).isNumber()).as(key).isTrue();
                        case "time" -> assertThat(times).contains(key);
                        default ->
                                assertThat(row.path("counts").path(key).isNumber())
                                        .as(key)
                                        .isTrue();
                    }
                });
    }

    private JsonNode slowest(final RunResult run) throws IOException {
        return data(Files.readString(ReportFiles.write(folder, run)))
                .path("tests")
                .path(0)
                .path("slowest");
    }

    private static List<String> texts(final JsonNode array) {
        return array.valueStream().map(JsonNode::asString).toList();
    }

    @Test
    void shouldListTheSlowestMessagesOfFewStepsAsWhyDoes() throws IOException {
        final List<TrialResult> rows = new ArrayList<>();
        for (int channel = 0; channel < 7; channel++) {
            final String shm = "shm:" + channel;
            NotedMessages.in(folder, shm);
            rows.add(NotedMessages.row(shm));
        }

        final JsonNode slowest = slowest(Trials.run(rows, List.of()));

        assertThat(texts(slowest.path("columns"))).isEqualTo(SlowestMessages.COLUMNS);
        assertThat(slowest.path("lists").size()).isEqualTo(5);
        final JsonNode list = slowest.path("lists").path(0);
        assertThat(list.path("title").asString()).startsWith("latency on shm:0, 64 bytes: median");
        assertThat(list.path("rows").size()).isEqualTo(SlowestMessages.ROWS);
        assertThat(texts(list.path("rows").path(0)).getLast()).contains("was stalled for 4.00 ms");
        assertThat(texts(slowest.path("notes")))
                .containsExactly(
                        "These are the 5 of 7 steps and channels with the longest latencies; ./tickmark why"
                                + " lists the others.");
        assertThat(slowest.toString().length()).as("weight").isLessThan(20_000);
    }

    @Test
    void shouldListTheSlowestMessagesByWhatHasBeenReadOfTheirRun() throws IOException {
        final Path role = NotedMessages.in(folder, "shm:");
        final TrialResult row = NotedMessages.row("shm:");
        final TailReader tails = new TailReader();
        tails.summary(
                TailReader.roles(row, new RoleFolders(folder)),
                row,
                warning -> {
                    throw new AssertionError(warning);
                });
        Files.delete(role.resolve(RoleFiles.STALLS));

        final Path page = ReportFiles.write(folder, Trials.run(row), tails);

        assertThat(data(Files.readString(page)).at("/tests/0/slowest/lists")).hasSize(1);
    }

    @Test
    void shouldSayInOneSentenceThatNoMessageHasWhatDelayedIt() throws IOException {
        final JsonNode slowest = slowest(Trials.run(Trials.openLoop().row()));

        assertThat(slowest.path("lists")).isEmpty();
        assertThat(texts(slowest.path("notes"))).containsExactly(SlowestMessages.none("This test"));
    }

    @Test
    void shouldSayThatWhatRolesNotedCannotBeRead() throws IOException {
        final Path role = NotedMessages.in(folder, "shm:");
        Files.writeString(role.resolve("stalls.csv"), "stall,1,7,nonsense\n");
        result(Trials.run(NotedMessages.row("shm:")));

        final JsonNode data = data(written());

        assertThat(texts(data.path("tests").path(0).path("slowest").path("notes")))
                .singleElement()
                .asString()
                .startsWith("What the roles of latency on shm: noted of repeat 1 is incomplete");
        assertThat(texts(data.path("missing")))
                .containsAll(texts(data.path("tests").path(0).path("slowest").path("notes")));
    }

    private JsonNode timeLineOfOpenLoop() throws IOException {
        return data(written())
                .path("tests")
                .path(1)
                .path("blocks")
                .path(0)
                .path("timeLines")
                .path(0);
    }

    @Test
    void shouldShowWhenAnOpenLoopStalled() throws IOException {
        SampleRun.in(folder, 2_000);
        final JsonNode line = timeLineOfOpenLoop();

        assertThat(line.path("latencies").propertyNames())
                .containsExactly("responseNs", "serviceNs");
        final JsonNode response = line.path("latencies").path("responseNs");
        assertThat(response.path("maxNs").path(5).asLong()).isGreaterThan(3_000_000);
        assertThat(response.path("maxNs").path(4).asLong()).isLessThan(1_000_000);
        assertThat(line.path("ratesPerSecond").path("sent").path("values").path(0).asDouble())
                .isEqualTo(2_000);
    }

    @Test
    void shouldShowWhatARoleTookOfTheMachine() throws IOException {
        SampleRun.in(folder, 2_000);
        final JsonNode line = timeLineOfOpenLoop();

        final JsonNode role = line.path("roles").path(0);
        assertThat(role.path("role").asString()).isEqualTo("latency-pub");
        assertThat(role.path("cpuPercent").path("values").path(0).asDouble()).isEqualTo(98.5);
        assertThat(role.path("residentMiB").path("values").path(0).asDouble()).isEqualTo(150);
        assertThat(line.path("roleCount").asInt()).isEqualTo(1);
        assertThat(line.path("latencyCount").asInt()).isEqualTo(line.path("latencies").size());
        assertThat(line.path("rateCount").asInt()).isEqualTo(line.path("ratesPerSecond").size());
        assertThat(line.path("steps").path(0).path("toSeconds").asDouble()).isEqualTo(8);
    }

    @Test
    void shouldWriteTextAndCsvBesideThePage() throws IOException {
        ReportFiles.write(folder, SampleRun.in(folder, 2_000));

        assertThat(folder.resolve("summary.txt")).content().contains("Failed. 1 of 28 trials");
        assertThat(folder.resolve("stats.csv")).content().startsWith("test,workload,channel,");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .noneMatch(name -> name.endsWith(".part"));
        }
    }

    @Test
    void shouldLetRunOnlyItsOwnScript() throws Exception {
        result(Trials.run(Trials.closedLoop().row()));
        final String html = written();

        final Matcher policy =
                Pattern.compile("content=\"default-src 'none'; script-src 'sha256-([^']+)';")
                        .matcher(html);
        assertThat(policy.find()).isTrue();
        final String script = inside(html, "<script>");
        final byte[] hash =
                MessageDigest.getInstance("SHA-256")
                        .digest(script.getBytes(StandardCharsets.UTF_8));
        assertThat(policy.group(1)).isEqualTo(Base64.getEncoder().encodeToString(hash));
        assertThat(html).doesNotContain("unsafe-", "innerHTML=");
    }

    @Test
    void shouldLoadNothing() throws IOException {
        result(Trials.run(Trials.closedLoop().row()));
        final String html = written();

        assertThat(html).doesNotContain("src=\"", "@import", "url(");
        assertThat(html.replace("http://www.w3.org/2000/svg", ""))
                .doesNotContain("http:", "https:");
        assertThat(html).contains("Copyright (c) 2022 Leon Sorokin");
    }

    @Test
    void shouldKeepHostileNamesInsideTheData() throws IOException {
        Files.writeString(folder.resolve("plan.yaml"), "description: " + HOSTILE + "\n");
        final RunResult run =
                Trials.run(
                        List.of(Trials.closedLoop().test(HOSTILE).channel(HOSTILE).row()),
                        List.of(HOSTILE));
        final String html = Files.readString(ReportFiles.write(folder, run));

        assertThat(html).doesNotContain("alert(1)</script>");
        assertThat(Pattern.compile("<script").matcher(html).results().count()).isEqualTo(2);
        assertThat(Pattern.compile("</script>").matcher(html).results().count()).isEqualTo(2);
        assertThat(Pattern.compile("<!--").matcher(html).results().count())
                .as("the licence")
                .isEqualTo(1);
        final JsonNode data = data(html);
        assertThat(data.path("planText").asString()).isEqualTo("description: " + HOSTILE + "\n");
        assertThat(data.path("tests").path(0).path("name").asString()).startsWith("</script><!--");
    }

    @Test
    void shouldTellLateEchoesFromLosses() throws IOException {
        final RunResult run =
                Trials.run(
                        Trials.openLoop().count("timedOut", 5).row(),
                        Trials.openLoop().channel("tcp://127.0.0.1:0").foreignEcho(7).row());
        result(run);

        final JsonNode blocks = data(written()).path("tests").path(0).path("blocks");

        final JsonNode own = blocks.path(0).path("rows").path(0).path("counts");
        assertThat(own.path("lost").asLong(-1)).isZero();
        assertThat(own.path("notEchoed").asLong()).isEqualTo(5);
        final JsonNode foreign = blocks.path(1).path("rows").path(0).path("counts");
        assertThat(foreign.has("lost")).as("it is not known").isFalse();
        assertThat(foreign.path("notEchoed").asLong()).isEqualTo(7);
    }

    @Test
    void shouldSayWhatIsMissing() throws IOException {
        SampleRun.in(folder, 2_000);
        Files.delete(folder.resolve("plan.yaml"));
        final Path roles = folder.resolve("roles");
        Files.delete(roles.resolve("latency-shm-latency-pub-1/latency.hlog"));
        final Path torn = roles.resolve("latency-aeron-ipc-latency-pub-1/latency.hlog");
        final String log = Files.readString(torn);
        Files.writeString(torn, log.substring(0, log.length() * 2 / 3));

        final JsonNode data = data(written());

        assertThat(data.path("missing").valueStream().map(JsonNode::asString))
                .containsExactly(
                        "The plan: plan.yaml is missing.",
                        "latency on shm: latency.hlog of latency-pub 1 is missing; its curves and"
                                + " time lines lack that part.",
                        "latency on aeron:ipc: latency.hlog of latency-pub 1 is damaged after 19"
                                + " intervals; its curves and time lines lack that part.");
        assertThat(
                        data.path("tests")
                                .path(0)
                                .path("blocks")
                                .path(3)
                                .path("timeLines")
                                .valueStream()
                                .filter(line -> !line.path("latencies").isEmpty()))
                .as("what was whole is shown")
                .hasSize(2);
    }

    @Test
    void shouldReportARunThatLostItsResult() throws IOException {
        final Path run = Files.createDirectories(folder.resolve("20261120-093000_quick/roles"));

        final JsonNode data = data(Files.readString(ReportFiles.rewrite(run.getParent())));

        assertThat(data.path("plan").asString()).isEqualTo("quick");
        assertThat(data.path("startedAt").asString()).isEqualTo("2026-11-20T09:30:00");
        assertThat(data.path("verdict").path("kind").asString()).isEqualTo("void");
        assertThat(data.path("verdict").path("reasons").path(0).asString())
                .isEqualTo("result.json is missing: the run ended before it was written.");
        assertThat(data.path("missing").path(0).asString()).startsWith("All figures:");
    }

    @Test
    void shouldReportARunWithADamagedResult() throws IOException {
        Files.writeString(folder.resolve("result.json"), "{\"schema\": \"tickmark.res");

        assertThat(data(written()).path("verdict").path("reasons").path(0).asString())
                .contains("result.json: not a result of format tickmark.result/1");
    }

    @Test
    void shouldRefuseAFolderThatHoldsNoRun() {
        assertThatThrownBy(() -> ReportFiles.rewrite(folder))
                .isInstanceOfSatisfying(
                        UserError.class,
                        error -> assertThat(error.kind()).isEqualTo(UserError.Kind.USAGE))
                .hasMessageContaining("is not a result folder")
                .hasMessageContaining("results/");
        assertThatThrownBy(() -> ReportFiles.rewrite(folder.resolve("nowhere")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("nowhere is not a folder");
    }
}

package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The site that {@code deploy/site} makes, by a copy of it with two pages and a sample's run. */
class SiteTest {
    private static final Path RUN = Launch.ROOT.resolve("samples/worked-comparison/before");

    /** By it the script knows what is installed. */
    private static final String MADE_FROM = ".made-from";

    /** Where it is served the site's address. */
    private static final String BASE = "/bench/";

    @TempDir private static Path shared;

    /** The site that several tests look at; null before the first of them has made it. */
    private static Path made;

    @TempDir private Path folder;
    private Path copy;

    @BeforeEach
    void layOutPages() throws IOException {
        copy = Files.createDirectory(folder.resolve("tick mark"));
        Files.createDirectories(copy.resolve("docs"));
        Files.createDirectories(copy.resolve("samples"));
        Files.createDirectories(copy.resolve("deploy"));
        Files.copy(Launch.ROOT.resolve("deploy/site"), copy.resolve("deploy/site"));
        Files.writeString(copy.resolve("README.md"), "# Home\n\n[plans](docs/plans.md#keys)\n");
        Files.writeString(
                copy.resolve("docs/plans.md"),
                "# Plans\n\n## Keys\n\nOf {{ braces }} in [a sample](../samples/one.yaml).\n");
        Files.writeString(copy.resolve("docs/performance.md"), "# Performance\n");
        Files.writeString(copy.resolve("samples/one.yaml"), "name: one-of-the-samples\n");
        final Path run = Files.createDirectory(copy.resolve("run"));
        Files.copy(RUN.resolve("result.json"), run.resolve("result.json"));
        Files.copy(RUN.resolve("plan.yaml"), run.resolve("plan.yaml"));
        Files.writeString(run.resolve("report.html"), "<p>the report itself</p>");
        try (Stream<Path> files = Files.walk(Launch.ROOT.resolve("site"))) {
            for (final Path file : files.filter(SiteTest::isSource).toList()) {
                final Path to =
                        copy.resolve("site").resolve(Launch.ROOT.resolve("site").relativize(file));
                Files.createDirectories(to.getParent());
                Files.copy(file, to);
            }
        }
        lead("/docs/plans#keys");
        if (Files.exists(installed())) {
            Files.move(installed(), modules());
        }
    }

    /** The generator as a test has installed it, which the next one would do again. */
    private static Path installed() {
        return shared.resolve("node_modules");
    }

    private Path modules() {
        return copy.resolve("site/node_modules");
    }

    @AfterEach
    void keepTheGenerator() throws IOException {
        if (Files.exists(modules().resolve(MADE_FROM))
                && Files.exists(modules().resolve("vitepress"))) {
            Files.move(modules(), installed());
        }
    }

    /** In place of the real one, whose pages are not here. */
    private void lead(final String link) throws IOException {
        Files.writeString(
                copy.resolve("site/.vitepress/nav.mjs"),
                "export const nav = [{ text: 'Plans', link: '%s' }]\nexport const sidebar = []\n"
                        .formatted(link));
    }

    /** The bars and all pages as they are; only the generator is not asked. */
    @Test
    void shouldHaveNoDeadLinksInWhatIsHandedOut() {
        final Launch.Outcome outcome =
                Launch.of(
                                Path.of("/usr/bin/env"),
                                "node",
                                Launch.ROOT.resolve("site/stage.mjs").toString(),
                                Launch.ROOT.toString(),
                                folder.resolve("pages").toString())
                        .run();

        assertThat(outcome.errLines())
                .singleElement()
                .asString()
                .matches("site: links to other hosts are not checked; the pages have \\d+\\.");
        assertThat(outcome.exitCode()).isZero();
    }

    @Test
    void shouldNotMakeASiteWhoseBarsLeadNowhere() throws IOException {
        lead("/docs/nowhere");
        assertThat(site("run").run().err())
                .contains("'Plans' leads to /docs/nowhere, and there is no docs/nowhere.md");
        lead("/docs/plans#nothing");
        assertThat(site("run").run().err()).contains("docs/plans.md has no heading #nothing");
    }

    /**
     * The rate is that of echoes, as in the run's own table; the counts are those of all repeats.
     */
    @Test
    void shouldShowHowManyPingsHadNoEcho() throws IOException {
        final String results =
                results(
                        """
                        {"plan": "pings", "startedAt": "2026-01-02T03:04:05Z", "verdict": "pass", "tickmark": "1",
                         "answer": {"headline": "What this machine does."},
                         "environment": {"libraries": {"tickmark": "1, commit 0a1b2c3d4e5f"}},
                         "trials": [
                           {"test": "ping", "channel": "udp:", "step": 0, "verdict": "pass", "payloadBytes": 64,
                            "lost": 0, "counts": {"timedOut": 0}},
                           {"test": "ping", "channel": "udp:", "step": 0, "verdict": "fail", "payloadBytes": 64,
                            "lost": 5000, "counts": {"timedOut": 3197}},
                           {"test": "ping", "channel": "udp:", "step": 0, "verdict": "pass", "payloadBytes": 64,
                            "lost": 0, "counts": {"timedOut": 0}},
                           {"test": "ping", "channel": "udp:", "step": 0, "verdict": "void", "payloadBytes": 64,
                            "lost": 90000, "counts": {"timedOut": 90000}},
                           {"test": "ping", "channel": "udp:", "step": 1, "verdict": "pass", "payloadBytes": 128,
                            "lost": 70000, "counts": {"timedOut": 70000}}],
                         "aggregates": [{"test": "ping", "channel": "udp:", "step": 0, "payloadBytes": 64, "repeats": 3,
                           "figures": {"achievedRatePerSecond": {"median": 8526}, "echoedRatePerSecond": {"median": 6709},
                             "lost": {"median": 0}, "notEchoed": {"median": 0},
                             "responseNs.p50": {"median": 12340}, "responseNs.p99": {"median": 999900000}}}]}
                        """);

        assertThat(results)
                .contains(
                        "| ping | udp: | 64 | 6,709 | response time | 12.3 us | 1.00 s |  | 5000 | 3197 |",
                        "answer: What this machine does.",
                        "- build: tickmark 1, commit 0a1b2c3d4e5f\n")
                .doesNotContain("verdict:");
    }

    /** It had no line, and beside an answer not even the verdict was there. */
    @Test
    void shouldShowWhatIsVoidInAllRepeatsAndAVerdictThatIsNoPass() throws IOException {
        final String results =
                results(
                        """
                        {"plan": "pings", "startedAt": "2026-01-02T03:04:05Z", "verdict": "void", "tickmark": "1",
                         "answer": {"headline": "What this machine does."}, "environment": {}, "aggregates": [],
                         "trials": [
                           {"test": "ping", "channel": "tcp:", "step": 0, "verdict": "void", "payloadBytes": 64,
                            "lost": 0, "counts": {}},
                           {"test": "ping", "channel": "tcp:", "step": 0, "verdict": "void", "payloadBytes": 64,
                            "lost": 0, "counts": {}}]}
                        """);

        assertThat(results.lines().filter(line -> line.startsWith("| ping |")))
                .containsExactly("| ping | tcp: | 64 |  | void |  |  |  |  |  |");
        assertThat(results)
                .as("a link to a file that is not there")
                .contains("- plan: not kept; everything: [result.json](/runs/1-pings/result.json)")
                .doesNotContain("plan.yaml");
        assertThat(results).contains("answer: What this machine does.", "verdict: void");
    }

    /** The page of results with one run, whose report is none. */
    private String results(final String result) throws IOException {
        final Path run = Files.createDirectory(copy.resolve("pings"));
        Files.writeString(run.resolve("report.html"), "<p>the report itself</p>");
        Files.writeString(run.resolve("result.json"), result);
        final Launch.Outcome outcome = staged(run);

        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        return results();
    }

    private String results() throws IOException {
        return Files.readString(folder.resolve("pages/results.md"));
    }

    /** The pages as the generator would get them. */
    private Launch.Outcome staged(final Path run) {
        return Launch.of(
                        Path.of("/usr/bin/env"),
                        "node",
                        copy.resolve("site/stage.mjs").toString(),
                        copy.toString(),
                        folder.resolve("pages").toString(),
                        run.toString())
                .run();
    }

    /** An empty file is none to replay. */
    @Test
    void shouldSayWhereNoRunCanBeReplayed() throws IOException {
        final Path run = copy.resolve("run");
        final String none = "None of these runs has a `live.jsonl`";

        assertThat(staged(run).err()).contains("site: no run given has a live.jsonl");
        assertThat(results()).contains(none).doesNotContain("console/runs.html");
        Files.createFile(run.resolve("live.jsonl"));
        assertThat(staged(run).err()).contains("site: no run given has a live.jsonl");
        assertThat(results()).contains(none).doesNotContain("console/runs.html");
        Files.writeString(run.resolve("live.jsonl"), "{}\n");
        assertThat(staged(run).err()).isEmpty();
        assertThat(results()).contains("console/runs.html").doesNotContain(none);
    }

    /** As the pages of docs do, which another test holds. */
    @Test
    void shouldOpenPagesThatItMakesWithWhatTheReaderCanDo() throws IOException {
        Files.writeString(
                copy.resolve("docs/plans.md"),
                "# Plans\n\n## Keys\n\n[one](../samples/one.yaml) of [all](../samples/)\n");

        assertThat(staged(copy.resolve("run")).exitCode()).isZero();

        final Path pages = folder.resolve("pages");
        assertThat(pages.resolve("files/samples/one.yaml.md"))
                .content()
                .startsWith("# samples/one.yaml\n\nRead this file ");
        assertThat(pages.resolve("files/samples.md"))
                .content()
                .startsWith("# samples\n\nRead the files of this folder ");
        assertThat(results()).contains("# Results\n\nSee what a run leaves");
    }

    private static boolean isSource(final Path file) {
        final String name = file.toString();
        return Files.isRegularFile(file)
                && !name.contains("/node_modules/")
                && !name.contains("/site/target/");
    }

    private Launch site(final String... arguments) {
        return Launch.of(copy.resolve("deploy/site"), arguments).in(copy);
    }

    /** Of a sample's run, and of a real one that the console's page replays. */
    private Path made() throws IOException {
        if (made == null) {
            final Path tickmark = copy.resolve("tickmark");
            Files.writeString(
                    tickmark,
                    "#!/bin/sh\nexec '%s' \"$@\"\n".formatted(Launch.ROOT.resolve("tickmark")));
            Files.setPosixFilePermissions(tickmark, PosixFilePermissions.fromString("rwxr-xr-x"));
            Files.createSymbolicLink(
                    Files.createDirectories(copy.resolve("console")).resolve("target"),
                    Launch.ROOT.resolve("console/target"));
            Launch.tickmark(
                            copy,
                            "stream --channel shm: --messages 1500 --rate 500 --jvm-warm-up 0 --no-noise --out went")
                    .run()
                    .passedOrWasSaturated();
            final Launch.Outcome outcome = site("--base", BASE, "run", "went").run();
            assertThat(outcome.exitCode()).as(outcome.err()).isZero();
            made =
                    Files.move(
                            Path.of(outcome.out().strip()),
                            Files.createDirectories(shared.resolve("served")).resolve("bench"));
        }
        return made;
    }

    @Test
    void shouldShowPagesFilesAndRuns() throws IOException {
        final Path made = made();
        assertThat(made.resolve("index.html"))
                .content()
                .contains("/docs/plans.html#keys", "/bench/assets/");
        assertThat(made.resolve("docs/plans.html"))
                .content()
                .contains("{{ braces }}", "/files/samples/one.yaml.html");
        assertThat(made.resolve("files/samples/one.yaml.html"))
                .content()
                .contains("one-of-the-samples");
        assertThat(made.resolve("results.html"))
                .content()
                .contains(
                        "cores, Linux", "/bench/runs/1-", "verdict: pass", "0.1.0, commit unknown");
        try (Stream<Path> files = Files.walk(made.resolve("runs"))) {
            assertThat(
                            files.filter(Files::isRegularFile)
                                    .filter(file ->
                                            file.getParent()
                                                    .getFileName()
                                                    .toString()
                                                    .startsWith("1-"))
                                    .map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("report.html", "result.json", "plan.yaml");
        }
        try (Stream<Path> files = Files.walk(made.resolve("assets"))) {
            assertThat(files.map(Path::toString))
                    .as("search")
                    .anyMatch(file -> file.contains("localSearchIndex"));
        }
    }

    /** A real run, and a real browser: no console serves it any more. */
    @Test
    void shouldReplayARunWithoutAServer() throws Exception {
        final Path chromium = Path.of("/usr/bin/chromium");
        assumeTrue(Files.exists(chromium), "the package chromium is not installed");
        assertThat(made().resolve("results.html"))
                .content()
                .contains("/bench/console/runs.html", ">stream</td>", ">shm:</td>");

        final Process server =
                new ProcessBuilder("python3", "-u", "-m", "http.server", "0", "--bind", "127.0.0.1")
                        .directory(shared.resolve("served").toFile())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try {
            final String port =
                    server.inputReader().readLine().replaceAll(".* port (\\d+) .*", "$1");
            final Launch.Outcome page =
                    Launch.of(
                                    chromium,
                                    "--headless=new",
                                    "--no-sandbox",
                                    "--disable-gpu",
                                    "--user-data-dir=" + folder.resolve("chromium"),
                                    "--virtual-time-budget=10000",
                                    "--dump-dom",
                                    "http://127.0.0.1:" + port + BASE + "console/runs.html")
                            .with("TMPDIR", folder.toString())
                            .run();
            assertThat(page.out())
                    .contains("stream-pub", "The run ")
                    .doesNotContain("does not answer");
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    /** The generator is played: what it makes of where it is told to is looked at elsewhere. */
    @Test
    void shouldPutItWhereItIsToldTo() throws IOException {
        keepTheGenerator();
        final Path program =
                Files.createDirectories(modules().resolve(".bin")).resolve("vitepress");
        Files.writeString(
                program,
                "#!/bin/sh\nmkdir -p \"$SITE_OUT\" && echo \"$SITE_BASE\" >\"$SITE_OUT/index.html\"\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.copy(copy.resolve("site/package-lock.json"), modules().resolve(MADE_FROM));

        final Launch.Outcome outcome = site("--out", "made/sub", "--base", "/sub/", "run").run();

        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(outcome.out().strip()).isEqualTo(copy.resolve("made/sub").toString());
        assertThat(copy.resolve("made/sub/index.html")).hasContent("/sub/\n");
    }

    @Test
    void shouldMakeNoPicturesOfNothingOrWithoutABrowser() {
        final Path pictures = Launch.ROOT.resolve("deploy/pictures");
        final Launch.Outcome ofNothing = Launch.of(pictures, "nowhere").in(copy).run();
        assertThat(ofNothing.exitCode()).isEqualTo(2);
        assertThat(ofNothing.err()).contains("nowhere has no report.html");

        final Launch.Outcome blind =
                Launch.of(pictures).in(copy).with("CHROMIUM", "/nonexistent").run();
        assertThat(blind.exitCode()).isEqualTo(3);
        assertThat(blind.err()).contains("/nonexistent is missing: install Chromium");
    }

    @Test
    void shouldNotMakeASiteWithADeadLink() throws IOException {
        Files.writeString(
                copy.resolve("docs/plans.md"), "# Plans\n\n[gone](gone.md) [too](../away/)\n");
        final Launch.Outcome outcome = site("run").run();

        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.err().lines())
                .contains(
                        "site: docs/plans.md:3: there is no gone.md.",
                        "site: docs/plans.md:3: there is no ../away/.");
    }

    /** They were only seen by who followed them. */
    @Test
    void shouldNotMakeASiteWithALinkToNoHeadingOrInHtmlToNoPage() throws IOException {
        Files.writeString(
                copy.resolve("docs/plans.md"),
                """
                # Plans

                ## What `keys` do: all of them

                ## Again

                ## Again

                [a](#what-keys-do-all-of-them) [b](#again-1) [c](performance.md#performance) [d](#again-2)
                [e](performance.md#no-such-place) `<a href="shown.html">` <a href="performance.html">f</a>
                <a href="nopage.html">g</a> <img src="images/none.png">

                ```
                ## No heading
                [h](gone.md) <a href="gone.html">
                ```

                [i](#no-heading)

                ## Keys
                """);
        Files.writeString(copy.resolve("README.md"), "# Home\n\n[plans](docs/plans.md#again)\n");
        final Launch.Outcome outcome = site("run").run();

        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.err().lines())
                .filteredOn(line -> line.startsWith("site: "))
                .containsExactly(
                        "site: docs/plans.md:9: docs/plans.md has no heading #again-2.",
                        "site: docs/plans.md:10: docs/performance.md has no heading #no-such-place.",
                        "site: docs/plans.md:11: there is no nopage.html.",
                        "site: docs/plans.md:11: there is no images/none.png.",
                        "site: docs/plans.md:18: docs/plans.md has no heading #no-heading.");
    }

    /** Those that began with a slash, had a title or were defined elsewhere were not looked at. */
    @Test
    void shouldCheckLinksInEveryFormThatAPageMayHave() throws IOException {
        Files.writeString(
                copy.resolve("docs/plans.md"),
                """
                # Plans

                [a](/docs/performance) [b](/docs/performance.md#performance) [c](/) [d](/results) [e][one] [f][two]
                [g](/docs/nowhere) [h](/docs/performance#nothing) [i](gone.md "a title") [j](//example.com/gone)
                <a href="/docs/performance.html">k</a> <a href="//example.com/gone">l</a> [m](https://example.com/gone)

                [one]: performance.md "a title"
                [two]: <nopage.md>
                [three]: /docs/missing
                [four]: https://example.com/away

                ## Keys
                """);

        final Launch.Outcome outcome = staged(copy.resolve("run"));

        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.errLines())
                .containsExactly(
                        "site: docs/plans.md:4: /docs/nowhere: there is no docs/nowhere.md.",
                        "site: docs/plans.md:4: /docs/performance#nothing: docs/performance.md has no heading #nothing.",
                        "site: docs/plans.md:4: there is no gone.md.",
                        "site: docs/plans.md:5: /docs/performance.html is written in HTML and would miss the site's base;"
                                + " write it relative to the page.",
                        "site: docs/plans.md:8: there is no nopage.md.",
                        "site: docs/plans.md:9: /docs/missing: there is no docs/missing.md.");
    }

    /** A definition leads to the page of the file, as a link in the text does. */
    @Test
    void shouldCountLinksToOtherHostsAndLeadReferencesToPagesOfFiles() throws IOException {
        Files.writeString(
                copy.resolve("docs/plans.md"),
                """
                # Plans

                ## Keys

                [one], <https://example.com/a>, [b](https://example.com/b), again [b](https://example.com/b), `https://no.link`

                [one]: ../samples/one.yaml
                """);

        final Launch.Outcome outcome = staged(copy.resolve("run"));

        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(outcome.errLines())
                .contains("site: links to other hosts are not checked; the pages have 2.");
        assertThat(folder.resolve("pages/docs/plans.md"))
                .content()
                .contains("[one]: ../files/samples/one.yaml.md\n");
    }

    @Test
    void shouldSayWhatIsWrongBeforeAnythingIsFetched() {
        for (final List<String> line :
                List.of(
                        List.of("--base", "bench"),
                        List.of("--bas"),
                        List.of("--out"),
                        List.of("--out", "docs", "run"), // would be emptied
                        List.of("docs"))) {
            final Launch.Outcome outcome = site(line.toArray(String[]::new)).run();
            assertThat(outcome.exitCode()).as(line.toString()).isEqualTo(2);
            assertThat(outcome.errLines()).singleElement().asString().startsWith("deploy/site: ");
        }
        assertThat(copy.resolve("docs/plans.md")).exists();
    }
}

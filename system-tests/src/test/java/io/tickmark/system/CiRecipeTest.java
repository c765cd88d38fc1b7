package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.host.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * The recipes for build servers, played as a runner would: two commits of the sample service, each
 * step of the samples and of the action with its inputs, the files that a runner gives.
 */
class CiRecipeTest {
    private static final Path RECIPES = Launch.ROOT.resolve("deploy/ci");
    private static final Path SAMPLE = Launch.ROOT.resolve("samples/ci");
    private static final Path LAUNCHER = Launch.ROOT.resolve("tickmark");

    /** In the README of the sample: where the workflow is put, and the template beside it. */
    private static final Pattern PLACES =
            Pattern.compile(
                    "put it at `([.]gitlab-ci[.]yml)`, and beside it a copy of"
                            + " \\[gate[.]yml]\\([^)]*gitlab/gate[.]yml\\) named `([^`]+)`");

    /** Up to this multiple of what they do on a quiet machine, two services are told apart. */
    private static final double CALM = 1.5;

    private static final Pattern INPUT = Pattern.compile("\\$\\{\\{ inputs[.]([a-z-]+) }}");

    /** A variable in the head of the gate, and its default where it has one. */
    private static final Pattern VARIABLE =
            Pattern.compile("^#   ([A-Z_]+) +(?:.*\\(default: (.+)\\)|.+)$", Pattern.MULTILINE);

    @TempDir private Path folder;

    private int basePort;
    private int headPort;

    @BeforeEach
    void findPorts() throws IOException {
        basePort = FreePort.udp(InetAddress.getLoopbackAddress());
        do {
            headPort = FreePort.udp(InetAddress.getLoopbackAddress());
        } while (headPort == basePort);
    }

    private static JsonNode yaml(final Path file) throws IOException {
        return new YAMLMapper().readTree(Files.readString(file));
    }

    private void git(final Path where, final String... words) {
        final Launch.Outcome outcome =
                Launch.of(Path.of("/usr/bin/git"), words)
                        .in(where)
                        .with("GIT_AUTHOR_NAME", "test")
                        .with("GIT_AUTHOR_EMAIL", "test@localhost")
                        .with("GIT_COMMITTER_NAME", "test")
                        .with("GIT_COMMITTER_EMAIL", "test@localhost")
                        .run();
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    }

    /** A repository of the service with a commit after which it works thrice as long. */
    private void commits() throws IOException {
        final Path head = atFirst();
        git(head, "add", ".");
        git(head, "commit", "--quiet", "--message=Echo");
        git(head, "worktree", "add", "--quiet", "--detach", "../base");
        git(head, "apply", SAMPLE.resolve("check-each-message.patch").toString());
        git(head, "commit", "--quiet", "--all", "--message=Check each message");
    }

    /** Both versions work twenty times as long, beside which a busy machine's delays are small. */
    private void workLonger() throws IOException {
        for (final String version : List.of("base", "head")) {
            final Path service = folder.resolve(version).resolve("echo.py");
            final String text = Files.readString(service);
            assertThat(text).containsOnlyOnce("WORK_MS / 1000");
            Files.writeString(service, text.replace("WORK_MS / 1000", "20 * WORK_MS / 1000"));
        }
        final Path plan = folder.resolve("head/plan.yaml");
        final String text = Files.readString(plan);
        assertThat(text).contains("rate: 200, duration: 6s");
        Files.writeString(plan, text.replace("rate: 200, duration: 6s", "rate: 10, duration: 3s"));
    }

    /** After the change the service works so long that most of its answers are too late. */
    private void fallBehind() throws IOException {
        commits();
        final Path service = folder.resolve("head/echo.py");
        final String text = Files.readString(service);
        assertThat(text).containsOnlyOnce("WORK_MS = 3");
        Files.writeString(service, text.replace("WORK_MS = 3", "WORK_MS = 20"));
        measureForASecond();
    }

    /** A repository of the service with a commit after which it works a third as long. */
    private void commitsOfAQuickerHead() throws IOException {
        final Path head = atFirst();
        measureForASecond();
        git(head, "apply", SAMPLE.resolve("check-each-message.patch").toString());
        git(head, "add", ".");
        git(head, "commit", "--quiet", "--message=Check each message");
        git(head, "apply", "--reverse", SAMPLE.resolve("check-each-message.patch").toString());
        git(head, "commit", "--quiet", "--all", "--message=Echo");
    }

    /** So few messages have no 99th percentile. */
    private void measureForASecond() throws IOException {
        final Path plan = folder.resolve("head/plan.yaml");
        final String text = Files.readString(plan);
        assertThat(text).contains("duration: 6s");
        Files.writeString(plan, text.replace("duration: 6s", "duration: 1s"));
    }

    private Path atFirst() throws IOException {
        final Path head = Files.createDirectory(folder.resolve("head"));
        git(head, "init", "--quiet", "--initial-branch=main");
        final String service = Files.readString(SAMPLE.resolve("echo.py"));
        Files.writeString(head.resolve("echo.py"), service);
        Files.copy(SAMPLE.resolve("plan.yaml"), head.resolve("plan.yaml"));
        return head;
    }

    /** Runs the step as a runner does. */
    private Launch.Outcome step(final Map<String, String> with) throws IOException {
        return step(0, with);
    }

    private Launch.Outcome step(final int at, final Map<String, String> with) throws IOException {
        return step(RECIPES.resolve("github"), at, with);
    }

    private Launch.Outcome step(final Path github, final int at, final Map<String, String> with)
            throws IOException {
        final JsonNode action = yaml(github.resolve("action.yml"));
        final Map<String, String> inputs = new LinkedHashMap<>();
        action.path("inputs")
                .propertyStream()
                .forEach(input ->
                        inputs.put(input.getKey(), input.getValue().path("default").asString("")));
        assertThat(inputs.keySet()).containsAll(with.keySet());
        inputs.putAll(with);
        final JsonNode step = action.path("runs").path("steps").path(at);
        assertThat(step.path("shell").asString()).isEqualTo("bash");
        Launch launch =
                bash(step.path("run").asString())
                        .with("GITHUB_REPOSITORY", "lab/service")
                        .with("GITHUB_ACTION_PATH", github.toString())
                        .with("GITHUB_STEP_SUMMARY", folder.resolve("summary").toString())
                        .with("GITHUB_OUTPUT", folder.resolve("output").toString());
        for (final Map.Entry<String, JsonNode> each : step.path("env").propertyStream().toList()) {
            final Matcher input =
                    INPUT.matcher(
                            each.getValue()
                                    .asString()
                                    .replace("${{ github.event.pull_request.number }}", "17"));
            launch =
                    launch.with(
                            each.getKey(),
                            input.replaceAll(
                                    found -> Matcher.quoteReplacement(inputs.get(found.group(1)))));
        }
        return launch.run();
    }

    /** A script as both kinds of runner start it. */
    private Launch bash(final String script) {
        return Launch.of(Path.of("/bin/bash"), "-e", "-o", "pipefail", "-c", script)
                .in(folder)
                .with("JAVA_HOME", System.getProperty("java.home"))
                .with("TICKMARK_BUILD", "never")
                .with("PATH", folder + ":" + System.getenv("PATH"));
    }

    /** A text with ports that are free here in place of those of the samples. */
    private String withFreePorts(final String text) {
        return text.replace("7001", String.valueOf(basePort))
                .replace("7002", String.valueOf(headPort));
    }

    /**
     * An archive as {@code deploy/package} makes it, of which the launcher is another one.
     *
     * @return what the samples need to download it
     */
    private Map<String, String> archive(final String launcher) throws IOException {
        final Path content = Files.createDirectories(folder.resolve("made/tickmark-0"));
        final Path program = Files.writeString(content.resolve("tickmark"), launcher);
        assertThat(program.toFile().setExecutable(true)).isTrue();
        for (final String file : List.of("gate", "github/action.yml", "gitlab/gate.yml")) {
            final Path copy = content.resolve("deploy/ci").resolve(file);
            Files.createDirectories(copy.getParent());
            Files.writeString(copy, withFreePorts(Files.readString(RECIPES.resolve(file))));
        }
        final Path archive = folder.resolve("made/tickmark.tar.gz");
        final Launch.Outcome made =
                bash("tar -czf %1$s -C made tickmark-0 && sha256sum %1$s | cut -d ' ' -f 1"
                                .formatted(archive))
                        .run();
        assertThat(made.exitCode()).as(made.err()).isZero();
        return Map.of(
                "TICKMARK_ARCHIVE", archive.toUri().toString(),
                "TICKMARK_SHA256", made.out().strip());
    }

    private Map<String, String> inputs(final String base, final String head, final String... more) {
        final Map<String, String> inputs = new LinkedHashMap<>();
        inputs.put("tickmark", LAUNCHER.toString());
        inputs.put("plan", "head/plan.yaml");
        inputs.put("base-command", "cd %s && python3 echo.py %d".formatted(base, basePort));
        inputs.put("base-target", "udp://127.0.0.1:" + basePort);
        inputs.put("head-command", "python3 %s/echo.py %d".formatted(head, headPort));
        inputs.put("head-target", "udp://127.0.0.1:" + headPort);
        inputs.put("repeats", "3");
        for (int i = 0; i < more.length; i += 2) {
            inputs.put(more[i], more[i + 1]);
        }
        return inputs;
    }

    /** The whole workflow: the runner's own actions are played, everything else runs. */
    @Test
    void shouldFailABuildOnGitHubWhoseCommitMadeTheServiceSlower() throws IOException {
        commits();
        workLonger();
        final Map<String, String> variables =
                archive("#!/bin/sh\nexec '%s' \"$@\"\n".formatted(LAUNCHER));
        final JsonNode job =
                new YAMLMapper()
                        .readTree(withFreePorts(Files.readString(SAMPLE.resolve("github.yml"))))
                        .path("jobs")
                        .path("gate");
        final List<String> played = new ArrayList<>();
        for (final JsonNode step : job.path("steps")) {
            final String uses = step.path("uses").asString("run").replaceFirst("@.*", "");
            played.add(uses);
            switch (uses) {
                case "actions/checkout" ->
                        assertThat(folder.resolve(step.at("/with/path").asString())).isDirectory();
                case "actions/upload-artifact" -> {
                    assertThat(step.path("if").asString()).isEqualTo("always()");
                    assertThat(folder.resolve(step.at("/with/path").asString()))
                            .isDirectoryContaining("glob:**/comparison.html");
                }
                case "run" -> succeeds(bash(step.path("run").asString()), variables);
                default -> shouldFail(folder.resolve(uses).normalize(), step.path("with"));
            }
        }
        assertThat(played)
                .containsExactly(
                        "actions/checkout",
                        "actions/checkout",
                        "run",
                        "./tickmark/deploy/ci/github",
                        "actions/upload-artifact");
    }

    /** The second build failed in the folder that a runner had kept of the first. */
    @Test
    void shouldBuildAgainOnGitHubInAFolderThatARunnerKept() throws IOException {
        commits();
        final JsonNode job = yaml(SAMPLE.resolve("github.yml")).path("jobs").path("gate");
        for (final String round : List.of("first", "second")) {
            final Map<String, String> variables =
                    archive(
                            "#!/bin/sh\nmkdir -p \"$OUT\" && echo "
                                    + round
                                    + " >\"$OUT/comparison.md\"\n");
            for (final JsonNode step : job.path("steps")) {
                if (step.has("run")) {
                    succeeds(bash(step.path("run").asString()), variables);
                } else if (step.path("uses").asString().startsWith("./")) {
                    final Map<String, String> inputs = new LinkedHashMap<>();
                    step.path("with")
                            .propertyStream()
                            .forEach(each -> inputs.put(each.getKey(), each.getValue().asString()));
                    inputs.put("base-command", "sleep 60");
                    inputs.put("head-command", "sleep 60");
                    inputs.put("tickmark", folder.resolve(inputs.get("tickmark")).toString());
                    final Launch.Outcome outcome = step(inputs);
                    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
                }
            }
            assertThat(folder.resolve("tickmark-gate/comparison.md")).hasContent(round);
            assertThat(folder.resolve("tickmark-gate.gate.md")).hasContent(round);
        }
    }

    /** A runner removes what is not of the repository, and forgets no worktree. */
    @Test
    void shouldBuildAgainOnGitLabInAFolderThatARunnerKept() throws IOException {
        commits();
        for (final String round : List.of("first", "second")) {
            final Launch.Outcome outcome =
                    gitLab(
                            "#!/bin/sh\nmkdir -p \"$OUT\" && echo "
                                    + round
                                    + " >\"$OUT/comparison.md\"\n");
            assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isZero();
            assertThat(folder.resolve("head/tickmark-gate/comparison.md")).hasContent(round);
            git(folder.resolve("head"), "clean", "-ffdx", "--quiet");
        }
    }

    private static void succeeds(final Launch launch, final Map<String, String> variables) {
        Launch with = launch;
        for (final Map.Entry<String, String> each : variables.entrySet()) {
            with = with.with(each.getKey(), each.getValue());
        }
        final Launch.Outcome outcome = with.run();
        assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isZero();
    }

    private void shouldFail(final Path action, final JsonNode with) throws IOException {
        final Map<String, String> inputs = new LinkedHashMap<>();
        with.propertyStream()
                .forEach(each -> inputs.put(each.getKey(), each.getValue().asString()));
        inputs.put("repeats", "4");
        inputs.put("tickmark", folder.resolve(inputs.get("tickmark")).toString());

        final Launch.Outcome outcome = step(action, 0, inputs);

        // repeats of which a busy machine stood still for the most part prove nothing
        final boolean isProven = isCalm("a", 20) && isCalm("b", 60) || outcome.exitCode() == 1;
        assertThat(outcome.exitCode())
                .as(outcome.out() + outcome.err())
                .isEqualTo(isProven ? 1 : 4);
        assertThat(folder.resolve("output"))
                .hasContent(isProven ? "verdict=failed\n" : "verdict=undecided\n");
        assertThat(folder.resolve("summary"))
                .content()
                .startsWith("In ")
                .contains(
                        "this machine cannot detect a",
                        "\n\n### tickmark: Gate %s: ".formatted(isProven ? "failed" : "undecided"),
                        "```mermaid\nxychart-beta\n");
        assertThat(folder.resolve("tickmark-gate/head.log")).exists();
        // no upper bound: a service that gets less than half of a core has a queue all the time
        assertThat(shortestServiceNs("b") - shortestServiceNs("a"))
                .as("40 ms of work")
                .isGreaterThan(30e6);
    }

    /** Whether the median of each repeat is about the time that the service works. */
    private boolean isCalm(final String side, final int worksMs) throws IOException {
        return yaml(folder.resolve("tickmark-gate").resolve(side).resolve("result.json"))
                .path("trials")
                .valueStream()
                .mapToDouble(trial -> trial.at("/responseNs/p50").asDouble())
                .allMatch(ns -> ns > 0 && ns < CALM * worksMs * 1e6);
    }

    private double shortestServiceNs(final String side) throws IOException {
        return yaml(folder.resolve("tickmark-gate").resolve(side).resolve("result.json"))
                .path("trials")
                .valueStream()
                .mapToDouble(trial -> trial.at("/serviceNs/min").asDouble())
                .min()
                .orElseThrow();
    }

    /** All of its scripts, with a launcher of its own. */
    private Launch.Outcome gitLab(final String launcher, final String... more) throws IOException {
        final Map<String, String> variables = new LinkedHashMap<>(archive(launcher));
        final Path project = folder.resolve("head");
        final Matcher places = PLACES.matcher(Files.readString(SAMPLE.resolve("README.md")));
        assertThat(places.find()).as("where the README puts the files").isTrue();
        final Path workflow = project.resolve(places.group(1));
        Files.writeString(workflow, withFreePorts(Files.readString(SAMPLE.resolve("gitlab.yml"))));
        Files.copy(RECIPES.resolve("gitlab/gate.yml"), project.resolve(places.group(2)));
        final JsonNode template =
                yaml(project.resolve(yaml(workflow).at("/include/0/local").asString()))
                        .path(".tickmark-gate");
        final JsonNode job = yaml(workflow).path("latency");
        for (final JsonNode from : List.of(template, job)) {
            from.path("variables")
                    .propertyStream()
                    .forEach(each -> variables.put(each.getKey(), each.getValue().asString()));
        }
        variables.put("CI_MERGE_REQUEST_DIFF_BASE_SHA", "HEAD~1");
        variables.put("REPEATS", "1");
        for (int i = 0; i < more.length; i += 2) {
            variables.put(more[i], more[i + 1]);
        }
        // a runner has one shell for all lines of both scripts
        final String script =
                Stream.of(job.path("before_script"), template.path("script"))
                        .flatMap(JsonNode::valueStream)
                        .map(JsonNode::asString)
                        .collect(Collectors.joining("\n"));
        final Launch.Outcome outcome = bash(script, variables).run();
        final Launch.Outcome after = bash(afterScript(template), variables).run();
        assertThat(after.exitCode()).as(after.out() + after.err()).isZero();
        assertThat(template.at("/artifacts/paths/0").asString()).isEqualTo("tickmark-gate/");
        return outcome;
    }

    private Launch bash(final String script, final Map<String, String> variables) {
        Launch launch = bash(script).in(folder.resolve("head"));
        for (final Map.Entry<String, String> each : variables.entrySet()) {
            launch = launch.with(each.getKey(), each.getValue());
        }
        return launch;
    }

    private static String afterScript(final JsonNode template) {
        return template.path("after_script")
                .valueStream()
                .map(JsonNode::asString)
                .collect(Collectors.joining("\n"));
    }

    /**
     * A criterion is broken, which one repeat shows; those that a busy machine voids are left out.
     */
    @Test
    void shouldFailABuildOnGitLabWhoseChangeIsShownToBeSlower() throws IOException {
        fallBehind();

        final Launch.Outcome outcome = gitLab(measuring(), "OUT", "results/gate", "REPEATS", "3");

        assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isEqualTo(1);
        assertThat(folder.resolve("head/results/gate.gate.md"))
                .content()
                .contains("\n\n### tickmark: Gate failed: ", " had no echo in time");
        assertThat(folder.resolve("head/tickmark-gate"))
                .isDirectoryContaining("glob:**/comparison.md")
                .as("the artifacts, wherever the results are")
                .isDirectoryContaining("glob:**/head.log");
    }

    @Test
    void shouldFailABuildOnGitLabWhoseRunnerCouldNotHaveSeenTheChange() throws IOException {
        commitsOfAQuickerHead();

        final Launch.Outcome outcome = gitLab(measuring(), "REPEATS", "2");

        assertThat(outcome.exitCode())
                .as("undecided\n" + outcome.out() + outcome.err())
                .isEqualTo(4);
        assertThat(folder.resolve("head/arguments"))
                .content()
                .startsWith(
                        "run plan.yaml --channel udp://127.0.0.1:%d --vs udp://127.0.0.1:%d --must-see 50%% "
                                .formatted(basePort, headPort));
        assertThat(folder.resolve("head/tickmark-gate/comparison.md"))
                .content()
                .contains(
                        "any change of Response time 99 %, for lack of messages",
                        "\n\n### tickmark: Gate undecided: nothing is shown to be worse, but ");
        assertThat(folder.resolve("head/tickmark-gate"))
                .isDirectoryContaining("glob:**/comparison.html")
                .isDirectoryContaining("glob:**/head.log");
    }

    /** A launcher that notes what it is called with, and measures. */
    private static String measuring() {
        return "#!/bin/sh\necho \"$@\" >arguments\nexec '%s' \"$@\"\n".formatted(LAUNCHER);
    }

    @Test
    void shouldRefuseAGateThatNothingCouldPass() throws IOException {
        final Launch.Outcome outcome = step(inputs("base", "head", "must-see", "0%"));

        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).startsWith("gate: MUST_SEE is '0%', and no machine can rule out");
        assertThat(folder.resolve("output")).hasContent("verdict=error\n");
        final Launch.Outcome typed = Launch.here("run latency-at-rate --vs shm: --must-see 0");
        assertThat(typed.exitCode()).isEqualTo(2);
        assertThat(typed.err()).contains("--must-see: no machine can rule out every change");
    }

    private Map<String, String> played(final String script, final String... more)
            throws IOException {
        final Map<String, String> inputs =
                inputs("base", "head", "base-command", "sleep 60", "head-command", "sleep 60");
        inputs.put("tickmark", program("played", script).toString());
        for (int i = 0; i < more.length; i += 2) {
            inputs.put(more[i], more[i + 1]);
        }
        return inputs;
    }

    /** The gate sleeps until the services have started; here it only says how long. */
    @Test
    void shouldWaitForServicesAsLongAsItIsTold() throws IOException {
        program("sleep", "echo \"$1\" >>sleeps");
        final String service =
                "exec timeout 60 tail -f /dev/null"; // the gate's waits are played, too
        final String[] services = {"base-command", service, "head-command", service};
        final Map<String, String> slow = played("exit 0", services);
        slow.put("start-seconds", "7");
        final Launch.Outcome outcome = step(slow);
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(Files.readAllLines(folder.resolve("sleeps"))).startsWith("7");

        final Map<String, String> wrong = played("touch started", services);
        wrong.putAll(Map.of("start-seconds", "soon", "out", "other"));
        final Launch.Outcome refused = step(wrong);
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).startsWith("gate: START_SECONDS is 'soon'; write how many");
        assertThat(folder.resolve("started")).doesNotExist();
    }

    @Test
    void shouldPassUndecidedOnlyWhereThatIsAccepted() throws IOException {
        assertThat(step(played("exit 4")).exitCode()).isEqualTo(4);
        assertThat(step(played("exit 4", "accept-undecided", "true", "out", "accepted")).exitCode())
                .isZero();
        assertThat(folder.resolve("output")).hasContent("verdict=undecided\nverdict=undecided\n");
        for (final String out : List.of("tickmark-gate", "accepted")) {
            assertThat(folder.resolve(out + ".gate.md"))
                    .content()
                    .startsWith("### tickmark: Gate undecided: there is no comparison;");
        }
    }

    @Test
    void shouldSayWhatAServiceSaidThatDoesNotStart() throws IOException {
        final Launch.Outcome outcome =
                step(inputs("base", "nowhere", "base-command", "echo no such service >&2; exit 1"));

        assertThat(outcome.exitCode()).isEqualTo(3);
        assertThat(outcome.err())
                .contains(
                        "gate: the service of the base said:",
                        "no such service",
                        "gate: the service of the base ended at once; ");
        assertThat(folder.resolve("output")).content().isEqualTo("verdict=error\n");
        final String said = "### tickmark: Gate could not be run: the service of the base ended";
        for (final String file :
                List.of("tickmark-gate.gate.md", "tickmark-gate/comparison.md", "summary")) {
            assertThat(folder.resolve(file)).content().startsWith(said);
        }
        assertThat(folder.resolve("tickmark-gate/base.log")).hasContent("no such service");
        final Launch.Outcome unset = step(inputs("base", "nowhere", "plan", "", "out", "other"));
        assertThat(unset.exitCode()).isEqualTo(2);
        assertThat(unset.err()).startsWith("gate: PLAN is not set; ");
        assertThat(folder.resolve("other.gate.md"))
                .content()
                .contains("could not be run", "PLAN is not set");
    }

    /** A comment said that the gate passed, above a build that had failed. */
    @Test
    void shouldShowNothingThatAnEarlierRunLeft() throws IOException {
        final String passes = "echo 'Gate passed' >\"$OUT/comparison.md\"";
        assertThat(step(played("mkdir \"$OUT\" && " + passes)).exitCode()).isZero();
        assertThat(folder.resolve("tickmark-gate.gate.md")).hasContent("Gate passed");

        final Launch.Outcome refused = step(played("touch started"));
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).startsWith("gate: OUT is 'tickmark-gate', which is not empty;");
        assertThat(folder.resolve("started")).doesNotExist();
        assertThat(folder.resolve("tickmark-gate.gate.md"))
                .content()
                .startsWith("### tickmark: Gate could not be run: OUT is ")
                .doesNotContain("passed");
        assertThat(folder.resolve("tickmark-gate/comparison.md")).hasContent("Gate passed");

        final Launch.Outcome broken =
                step(played("mkdir \"$OUT\"; " + passes + "; exit 3", "out", "other"));
        assertThat(broken.exitCode()).isEqualTo(3);
        assertThat(folder.resolve("other.gate.md"))
                .content()
                .contains("could not be run", "exit code 3")
                .doesNotContain("passed");
        assertThat(folder.resolve("output"))
                .hasContent("verdict=passed\nverdict=error\nverdict=error\n");
    }

    private Path program(final String name, final String script) throws IOException {
        final Path program = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + script + "\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return program;
    }

    /** What a gate leaves beside its folder. */
    private void found(final String out, final String text) throws IOException {
        Files.writeString(folder.resolve(out + ".gate.md"), text);
    }

    @Test
    void shouldRenewItsOwnCommentOfThePullRequest() throws IOException {
        // in place of GitHub's own program: it notes what it is told, and lists what it is told to
        final Path program =
                program(
                        "gh",
                        """
                        case $* in
                            *--paginate*) echo "$@" >>queries; cat comments ;;
                            *) for body; do :; done; echo "$*" | sed 's/=@.*//' >>calls; cat "${body#body=@}" >>bodies ;;
                        esac\
                        """);
        Files.writeString(folder.resolve("comments"), "");
        final Map<String, String> plan = Map.of("plan", "head/plan.yaml");

        found("tickmark-gate", "the table\n");
        assertThat(step(1, plan).exitCode()).isZero();
        Files.writeString(folder.resolve("comments"), "41\n42\n");
        found("tickmark-gate", "another table\n");
        assertThat(step(1, plan).exitCode()).isZero();
        found("other", "of another gate\n");
        assertThat(step(1, Map.of("plan", "head/plan.yaml", "out", "other/")).exitCode()).isZero();

        assertThat(folder.resolve("calls"))
                .hasContent(
                        """
                        api repos/lab/service/issues/17/comments -F body
                        api --method PATCH repos/lab/service/issues/comments/42 -F body
                        api --method PATCH repos/lab/service/issues/comments/42 -F body
                        """);
        final String own = "<!-- tickmark gate head_plan_yaml_tickmark_gate -->";
        final String other = "<!-- tickmark gate head_plan_yaml_other -->";
        assertThat(folder.resolve("bodies"))
                .hasContent(
                        own
                                + "\nthe table\n"
                                + own
                                + "\nanother table\n"
                                + other
                                + "\nof another gate\n");
        assertThat(Files.readAllLines(folder.resolve("queries")))
                .satisfiesExactly(
                        each -> assertThat(each).contains("startswith(\"" + own + "\")"),
                        each -> assertThat(each).contains("startswith(\"" + own + "\")"),
                        each -> assertThat(each).contains("startswith(\"" + other + "\")"));

        // as for a change from a fork
        Files.writeString(program, "#!/bin/sh\nexit 1\n");
        found("tickmark-gate", "the table\n");
        final Launch.Outcome refused = step(1, plan);
        assertThat(refused.exitCode()).isZero();
        assertThat(refused.out()).startsWith("::warning::The comment could not be written");
    }

    @Test
    void shouldRenewItsOwnNoteOfTheMergeRequest() throws IOException {
        // in place of curl: it notes its arguments, what they name and its standard input, and
        // lists what it is told to
        program(
                "curl",
                """
                cat >>tokens
                for each; do case $each in body@*) cat "${each#body@}" >>bodies ;; esac; done
                case $* in *sort=asc*) cat notes ;; *) echo "$@" | sed 's/body@[^ ]*/body/' >>calls ;; esac\
                """);
        final String foreign =
                "[{\"id\":7,\"type\":null,\"body\":\"about \\u003c!-- tickmark gate plan_yaml_tickmark_gate --\"},"
                        + "{\"id\":8,\"type\":null,\"body\":\"\\u003c!-- tickmark gate plan_yaml_tickmark_gate_2 --\"";
        Files.writeString(folder.resolve("notes"), foreign + "}]");

        found("tickmark-gate", "the table\n");
        assertThat(note("").exitCode()).isZero();
        assertThat(folder.resolve("calls")).as("nothing without a token").doesNotExist();
        assertThat(note("secret").exitCode()).isZero();
        Files.writeString(
                folder.resolve("notes"),
                foreign
                        + "},{\"id\":42,\"type\":null,\"body\":\"\\u003c!-- tickmark gate plan_yaml_tickmark_gate"
                        + " --\\u003e\\nthe table\"}]");
        // the job ended before the gate
        assertThat(note("secret").exitCode()).isZero();

        final String notes = "https://lab.example/api/v4/projects/3/merge_requests/17/notes";
        assertThat(folder.resolve("calls"))
                .hasContent(
                        "-fsS -K - --data-urlencode body "
                                + notes
                                + "\n-fsS -K - -X PUT --data-urlencode body "
                                + notes
                                + "/42\n");
        assertThat(folder.resolve("tokens"))
                .content()
                .as("not among the arguments, which other users of a host may see")
                .isEqualTo("header = \"PRIVATE-TOKEN: secret\"\n".repeat(4));
        final String own = "<!-- tickmark gate plan_yaml_tickmark_gate -->\n";
        assertThat(folder.resolve("bodies"))
                .hasContent(
                        own
                                + "the table\n"
                                + own
                                + "### tickmark: Gate could not be run: the log of this job says why.\n");
    }

    private Launch.Outcome note(final String token) throws IOException {
        final JsonNode job = yaml(RECIPES.resolve("gitlab/gate.yml")).path(".tickmark-gate");
        return Launch.of(Path.of("/bin/bash"), "-e", "-o", "pipefail", "-c", afterScript(job))
                .in(folder)
                .with("PATH", folder + ":" + System.getenv("PATH"))
                .with("OUT", job.path("variables").path("OUT").asString())
                .with("PLAN", "plan.yaml")
                .with("TICKMARK_NOTE_TOKEN", token)
                .with("CI_API_V4_URL", "https://lab.example/api/v4")
                .with("CI_PROJECT_ID", "3")
                .with("CI_MERGE_REQUEST_IID", "17")
                .run();
    }

    /** How long services take to start could be told to the gate, and not to the action. */
    @Test
    void shouldTakeFromItsUsersWhateverTheGateTakes() throws IOException {
        final JsonNode action = yaml(RECIPES.resolve("github/action.yml"));
        final JsonNode given = action.path("runs").path("steps").path(0).path("env");
        final JsonNode template = yaml(RECIPES.resolve("gitlab/gate.yml")).path(".tickmark-gate");
        final Matcher variable = VARIABLE.matcher(Files.readString(RECIPES.resolve("gate")));
        final List<String> found = new ArrayList<>();
        while (variable.find()) {
            final String name = variable.group(1);
            final String input = name.toLowerCase(Locale.ROOT).replace('_', '-');
            found.add(name);
            assertThat(given.path(name).asString(""))
                    .as("the variable %s of the action", name)
                    .isEqualTo("${{ inputs.%s }}".formatted(input));
            if (variable.group(2) != null) {
                assertThat(action.path("inputs").path(input).path("default").asString(""))
                        .as(input)
                        .isEqualTo(variable.group(2));
                assertThat(template.path("variables").path(name).asString(variable.group(2)))
                        .as("the variable %s of the template", name)
                        .isEqualTo(variable.group(2));
            }
        }
        assertThat(found).contains("PLAN", "START_SECONDS", "ACCEPT_UNDECIDED");
    }

    @Test
    void shouldUseInTheSamplesOnlyWhatTheRecipesHave() throws IOException {
        final JsonNode action = yaml(RECIPES.resolve("github/action.yml"));
        final List<String> used =
                yaml(SAMPLE.resolve("github.yml"))
                        .path("jobs")
                        .path("gate")
                        .path("steps")
                        .valueStream()
                        .filter(step -> step.path("uses").asString("").startsWith("./"))
                        .flatMap(step -> step.path("with").propertyStream().map(Map.Entry::getKey))
                        .toList();
        assertThat(used).isNotEmpty().allMatch(name -> action.path("inputs").has(name));
        final String gate = Files.readString(RECIPES.resolve("gate"));
        assertThat(
                        yaml(SAMPLE.resolve("gitlab.yml"))
                                .path("latency")
                                .path("variables")
                                .propertyStream()
                                .map(Map.Entry::getKey))
                .isNotEmpty()
                .allMatch(name ->
                        List.of("TICKMARK_CI", "GIT_DEPTH").contains(name) || gate.contains(name));
    }
}

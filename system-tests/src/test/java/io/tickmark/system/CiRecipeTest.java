package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.host.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * The recipes for build servers, played as a runner would: two commits of the sample service, the
 * step of the action with its inputs, the files that a runner gives.
 */
class CiRecipeTest {
    private static final Path RECIPES = Launch.ROOT.resolve("deploy/ci");
    private static final Path SAMPLE = Launch.ROOT.resolve("samples/ci");
    private static final Pattern INPUT = Pattern.compile("\\$\\{\\{ inputs[.]([a-z-]+) }}");

    @TempDir private Path folder;

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

    /** A repository of the service with a commit that makes each answer 20 ms slower. */
    private void commits() throws IOException {
        final Path head = Files.createDirectory(folder.resolve("head"));
        git(head, "init", "--quiet", "--initial-branch=main");
        final String service = Files.readString(SAMPLE.resolve("echo.py"));
        Files.writeString(head.resolve("echo.py"), service);
        Files.copy(SAMPLE.resolve("plan.yaml"), head.resolve("plan.yaml"));
        git(head, "add", ".");
        git(head, "commit", "--quiet", "--message=Answer at once");
        git(head, "worktree", "add", "--quiet", "--detach", "../base");
        git(head, "apply", SAMPLE.resolve("check-each-message.patch").toString());
        git(head, "commit", "--quiet", "--all", "--message=Check each message");
    }

    /** Runs the step as a runner does. */
    private Launch.Outcome step(final Map<String, String> with) throws IOException {
        return step(0, with);
    }

    private Launch.Outcome step(final int at, final Map<String, String> with) throws IOException {
        final JsonNode action = yaml(RECIPES.resolve("github/action.yml"));
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
                Launch.of(
                                Path.of("/bin/bash"),
                                "-e",
                                "-o",
                                "pipefail",
                                "-c",
                                step.path("run").asString())
                        .in(folder)
                        .with("JAVA_HOME", System.getProperty("java.home"))
                        .with("TICKMARK_BUILD", "never")
                        .with("GITHUB_REPOSITORY", "lab/service")
                        .with("PATH", folder + ":" + System.getenv("PATH"))
                        .with("GITHUB_ACTION_PATH", RECIPES.resolve("github").toString())
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

    private Map<String, String> inputs(final String base, final String head, final String... more)
            throws IOException {
        final int port = FreePort.udp(InetAddress.getLoopbackAddress());
        final int other = FreePort.udp(InetAddress.getLoopbackAddress());
        final Map<String, String> inputs = new LinkedHashMap<>();
        inputs.put("tickmark", Launch.ROOT.resolve("tickmark").toString());
        inputs.put("plan", "head/plan.yaml");
        inputs.put("base-command", "cd %s && python3 echo.py %d".formatted(base, port));
        inputs.put("base-target", "udp://127.0.0.1:" + port);
        inputs.put("head-command", "python3 %s/echo.py %d".formatted(head, other));
        inputs.put("head-target", "udp://127.0.0.1:" + other);
        inputs.put("repeats", "3");
        for (int i = 0; i < more.length; i += 2) {
            inputs.put(more[i], more[i + 1]);
        }
        return inputs;
    }

    @Test
    void shouldFailABuildWhoseCommitMadeTheServiceSlower() throws IOException {
        commits();

        final Launch.Outcome outcome = step(inputs("base", "head"));

        assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isEqualTo(1);
        assertThat(folder.resolve("output")).content().contains("verdict=failed\n");
        assertThat(folder.resolve("summary"))
                .content()
                .startsWith("In ")
                .contains(
                        "this machine can see changes of ",
                        "\n\n### tickmark: Gate failed: ",
                        "```mermaid\nxychart-beta\n");
        assertThat(folder.resolve("tickmark-gate/comparison.html")).isNotEmptyFile();
        assertThat(folder.resolve("tickmark-gate/head.log")).exists();
    }

    @Test
    void shouldCallARunnerUndecidedThatCouldNotHaveSeenTheChange() throws IOException {
        commits();

        // the head is quicker, and holds the rate; but a hundredth of a percent of it nobody sees
        final Launch.Outcome outcome =
                step(inputs("head", "base", "must-see", "0.01%", "out", "there"));

        assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isEqualTo(4);
        assertThat(folder.resolve("output")).content().contains("verdict=undecided\n");
        assertThat(folder.resolve("summary"))
                .content()
                .contains("\n\n### tickmark: Gate undecided: nothing is shown to be worse, but ");
    }

    /** With a launcher that is undecided at once. */
    @Test
    void shouldPassUndecidedOnlyWhereThatIsAccepted() throws IOException {
        final Path undecided =
                Files.writeString(folder.resolve("undecided"), "#!/bin/sh\nexit 4\n");
        assertThat(undecided.toFile().setExecutable(true)).isTrue();
        final String[] replaced = {
            "tickmark", undecided.toString(), "base-command", "sleep 60", "head-command", "sleep 60"
        };

        assertThat(step(inputs("base", "head", replaced)).exitCode()).isEqualTo(4);
        final Map<String, String> accepting = inputs("base", "head", replaced);
        accepting.put("accept-undecided", "true");
        assertThat(step(accepting).exitCode()).isZero();
        assertThat(folder.resolve("output")).hasContent("verdict=undecided\nverdict=undecided\n");
    }

    @Test
    void shouldSayWhatAServiceSaidThatDoesNotStart() throws IOException {
        final Launch.Outcome outcome =
                step(inputs("base", "nowhere", "base-command", "echo no such service >&2; exit 1"));

        assertThat(outcome.exitCode()).isEqualTo(3);
        assertThat(outcome.err())
                .contains(
                        "gate: the service of the base ended at once; it said:", "no such service");
        assertThat(folder.resolve("output")).content().isEqualTo("verdict=error\n");
        final Launch.Outcome unset = step(inputs("base", "nowhere", "plan", ""));
        assertThat(unset.exitCode()).isEqualTo(2);
        assertThat(unset.err()).startsWith("gate: PLAN is not set; ");
    }

    @Test
    void shouldRenewItsOwnCommentOfThePullRequest() throws IOException {
        Files.writeString(
                Files.createDirectory(folder.resolve("tickmark-gate")).resolve("comparison.md"),
                "the table");
        // in place of GitHub's own program: it notes its arguments, and lists what it is told to
        final Path program =
                Files.writeString(
                        folder.resolve("gh"),
                        "#!/bin/sh\ncase $* in *--paginate*) cat comments ;; *) echo \"$@\" >>calls ;; esac\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        Files.writeString(folder.resolve("comments"), "");

        assertThat(step(1, Map.of()).exitCode()).isZero();
        Files.writeString(folder.resolve("comments"), "41\n42\n");
        assertThat(step(1, Map.of()).exitCode()).isZero();

        assertThat(folder.resolve("calls"))
                .hasContent(
                        """
                        api repos/lab/service/issues/17/comments -F body=@tickmark-gate/comment.md
                        api --method PATCH repos/lab/service/issues/comments/42 -F body=@tickmark-gate/comment.md
                        """);
        assertThat(folder.resolve("tickmark-gate/comment.md"))
                .hasContent("<!-- tickmark gate -->\nthe table");
    }

    @Test
    void shouldRenewItsOwnNoteOfTheMergeRequest() throws IOException {
        Files.writeString(
                Files.createDirectory(folder.resolve("tickmark-gate")).resolve("comparison.md"),
                "the table");
        // in place of curl: it notes its arguments and its standard input, and lists what it is
        // told to
        final Path program =
                Files.writeString(
                        folder.resolve("curl"),
                        "#!/bin/sh\ncat >>tokens\ncase $* in *sort=asc*) cat notes ;; *) echo \"$@\" >>calls ;; esac\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        final String foreign =
                "[{\"id\":7,\"type\":null,\"body\":\"about \\u003c!-- tickmark gate\"";
        Files.writeString(folder.resolve("notes"), foreign + "}]");

        assertThat(note("").exitCode()).isZero();
        assertThat(folder.resolve("calls")).as("nothing without a token").doesNotExist();
        assertThat(note("secret").exitCode()).isZero();
        Files.writeString(
                folder.resolve("notes"),
                foreign
                        + "},{\"id\":42,\"type\":null,\"body\":\"\\u003c!-- tickmark gate --\\u003e\\nthe table\"}]");
        assertThat(note("secret").exitCode()).isZero();

        final String notes = "https://lab.example/api/v4/projects/3/merge_requests/17/notes";
        assertThat(folder.resolve("calls"))
                .hasContent(
                        "-fsS -K - --data-urlencode body@tickmark-gate/note.md "
                                + notes
                                + "\n-fsS -K - -X PUT --data-urlencode body@tickmark-gate/note.md "
                                + notes
                                + "/42\n");
        assertThat(folder.resolve("tokens"))
                .content()
                .as("not among the arguments, which other users of a host may see")
                .isEqualTo("header = \"PRIVATE-TOKEN: secret\"\n".repeat(4));
        assertThat(folder.resolve("tickmark-gate/note.md"))
                .hasContent("<!-- tickmark gate -->\nthe table");
    }

    private Launch.Outcome note(final String token) throws IOException {
        final JsonNode job = yaml(RECIPES.resolve("gitlab/gate.yml")).path(".tickmark-gate");
        return Launch.of(
                        Path.of("/bin/bash"),
                        "-e",
                        "-o",
                        "pipefail",
                        "-c",
                        job.path("after_script").path(0).asString())
                .in(folder)
                .with("PATH", folder + ":" + System.getenv("PATH"))
                .with("OUT", job.path("variables").path("OUT").asString())
                .with("TICKMARK_NOTE_TOKEN", token)
                .with("CI_API_V4_URL", "https://lab.example/api/v4")
                .with("CI_PROJECT_ID", "3")
                .with("CI_MERGE_REQUEST_IID", "17")
                .run();
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

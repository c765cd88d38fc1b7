package io.tickmark.bench.peers;

import io.tickmark.bench.contest.NotMeasured;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.Secrets;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.JvmPlan;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.PlanYaml;
import io.tickmark.lab.plan.RolePlan;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.result.ResultJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Our side: a plan through {@code ./tickmark run}, as a user would run it. */
final class PlanRunner {
    /**
     * Passed; criteria missed, which plain UDP at full speed may well do; void for the environment.
     * Each comes with a result.
     */
    private static final List<Integer> CODES = List.of(0, 1, 3);

    private final Path root;
    private final Path folder;
    private final Children children;
    private final List<String> jvmOptions;
    private final AtomicInteger runs;

    PlanRunner(final Path root, final Path folder, final Children children) {
        this(root, folder, children, List.of(), new AtomicInteger());
    }

    private PlanRunner(
            final Path root,
            final Path folder,
            final Children children,
            final List<String> jvmOptions,
            final AtomicInteger runs) {
        this.root = root;
        this.folder = folder;
        this.children = children;
        this.jvmOptions = jvmOptions;
        this.runs = runs;
    }

    /** The same, and the JVM of each role gets one more option. */
    PlanRunner withJvmOption(final String option) {
        final List<String> more = new ArrayList<>(jvmOptions);
        more.add(option);
        return new PlanRunner(root, folder, children, List.copyOf(more), runs);
    }

    private TestPlan withJvmOptions(final TestPlan test) {
        return jvmOptions.isEmpty()
                ? test
                : test.withRoles(test.roles().stream().map(this::withJvmOptions).toList());
    }

    private RolePlan withJvmOptions(final RolePlan role) {
        final JvmPlan jvm = role.jvm() == null ? JvmPlan.DEFAULT : role.jvm();
        final List<String> options = new ArrayList<>(jvm.options());
        options.addAll(jvmOptions);
        return role.on(new JvmPlan(jvm.heap(), jvm.collector(), options));
    }

    /** A role in a separate process, on the remaining cores. */
    static RolePlan role(final String role) {
        return new RolePlan(role, 1, Map.of(), List.of(), "", null, null, null, null);
    }

    /** A role in a separate process, its hot thread on one core. */
    static RolePlan role(final String role, final int core) {
        return role(role, core, "");
    }

    /** A role in a process that it may share, its hot thread on one core. */
    static RolePlan role(final String role, final int core, final String process) {
        return new RolePlan(role, 1, Map.of(), List.of(core), process, null, null, null, null);
    }

    /**
     * A stream through an archive, which is what decides the rate and has the receiver's core to
     * itself; publisher and subscriber have the other.
     *
     * @param name of the test
     * @param cores of both sides
     * @return a test that has its channel and its roles
     */
    static TestPlan.Builder throughArchive(final String name, final Cores cores) {
        return TestPlan.builder(name, "stream")
                .channel("archive:?cores=" + cores.receiver())
                .setting("storeWarmUp", "0")
                .role(role("store"))
                .role(role("stream-pub", cores.sender()))
                .role(role("stream-sub", cores.sender()));
    }

    /**
     * Runs one test.
     *
     * @param test to run
     * @param limit after which it is ended
     * @return its rows, none of them void
     */
    List<TrialResult> run(final TestPlan test, final Duration limit) {
        final String name = "%s-%d".formatted(test.name(), runs.incrementAndGet());
        final Path plan = folder.resolve(name + ".yaml");
        write(plan, withSecrets(withJvmOptions(test)));
        try (Child child = children.start(name, command(plan, folder.resolve(name)))) {
            final String json = child.await(limit, CODES);
            if (json.isBlank()) {
                throw new NotMeasured(name + " has no result: " + child.reason());
            }
            final RunResult result = ResultJson.read(json, name);
            if (result.verdict() == Verdict.VOID || result.trials().isEmpty()) {
                throw new NotMeasured(name + " is void: " + String.join(" ", result.reasons()));
            }
            return result.trials();
        } catch (final UserError e) {
            throw new NotMeasured(e.getMessage(), e);
        }
    }

    /**
     * Runs one test against itself, both sides taking turns.
     *
     * @param test to run
     * @param repeats of each side
     * @param limit after which it is ended
     * @return a folder with the result folders {@code a} and {@code b}
     */
    Path turns(final TestPlan test, final int repeats, final Duration limit) {
        final String name = "%s-%d".formatted(test.name(), runs.incrementAndGet());
        final Path plan = folder.resolve(name + ".yaml");
        final Path same = folder.resolve(name + "-again.yaml");
        write(plan, withSecrets(withJvmOptions(test)));
        write(same, withSecrets(withJvmOptions(test)));
        final Path out = folder.resolve(name);
        final List<String> command =
                List.of(
                        root.resolve("tickmark").toString(),
                        "run",
                        plan.toString(),
                        "--vs",
                        same.toString(),
                        "--repeats",
                        Integer.toString(repeats),
                        "--quiet",
                        "--no-history",
                        "--out",
                        out.toString());
        try (Child child = children.start(name, command)) {
            child.await(limit, CODES);
            return out;
        }
    }

    /** A plan is written without its secrets, and those of a contest are none. */
    private static String withSecrets(final TestPlan test) {
        String text = PlanYaml.write(Plan.named(test.name()).withNoise(Duration.ZERO).with(test));
        for (final RolePlan role : test.roles()) {
            for (final Map.Entry<String, Object> setting : role.settings().entrySet()) {
                if (Secrets.isNamedBy(setting.getKey())) {
                    text =
                            text.replace(
                                    "%s: '%s'".formatted(setting.getKey(), Secrets.HIDDEN),
                                    "%s: '%s'".formatted(setting.getKey(), setting.getValue()));
                }
            }
        }
        return text;
    }

    private List<String> command(final Path plan, final Path out) {
        return List.of(
                root.resolve("tickmark").toString(),
                "run",
                plan.toString(),
                "--json",
                "--quiet",
                "--out",
                out.toString());
    }

    private static void write(final Path file, final String text) {
        try {
            Files.writeString(file, text);
        } catch (final IOException e) {
            throw new NotMeasured(file + " cannot be written: " + e.getMessage() + ".", e);
        }
    }
}

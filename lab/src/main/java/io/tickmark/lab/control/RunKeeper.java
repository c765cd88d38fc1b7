package io.tickmark.lab.control;

import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.json.Json;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.PlanYaml;
import io.tickmark.lab.plan.RoleInstance;
import io.tickmark.lab.result.ResultFolder;
import io.tickmark.lab.result.ResultJson;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Keeps the files of a run. When one cannot be written it says so once and the run goes on: what is
 * in memory is printed all the same.
 */
final class RunKeeper {
    private final RunListener listener;
    private final List<String> problems = new ArrayList<>();
    private final Optional<ResultFolder> folder;

    RunKeeper(final RunOptions options, final String plan, final RunListener listener) {
        this.listener = listener;
        folder = open(options, plan);
    }

    private Optional<ResultFolder> open(final RunOptions options, final String plan) {
        try {
            return Optional.of(
                    options.out()
                            .map(ResultFolder::at)
                            .orElseGet(() ->
                                    ResultFolder.create(
                                            options.results(), plan, LocalDateTime.now())));
        } catch (final UserError e) {
            if (options.out().isPresent()) {
                throw e; // the user's own choice, and nothing is lost yet
            }
            tell(e);
            return Optional.empty();
        }
    }

    Optional<Path> path() {
        return folder.map(ResultFolder::path);
    }

    List<String> problems() {
        return problems;
    }

    void plan(final Plan plan) {
        keep(open -> open.write(ResultFolder.PLAN, PlanYaml.write(plan)));
    }

    void environment(final Map<String, Map<String, Object>> environment) {
        keep(open -> open.write(ResultFolder.ENVIRONMENT, Json.text(environment)));
    }

    void result(final RunResult result) {
        final List<Map<String, Object>> noise = new ArrayList<>();
        for (final TrialResult row : result.trials()) {
            if (row.step() == 0 && row.noiseBefore() != null) {
                noise.add(noise(row));
            }
        }
        keep(open -> {
            open.write(ResultFolder.RESULT, ResultJson.write(result));
            open.write(ResultFolder.NOISE, Json.text(noise));
        });
    }

    private static Map<String, Object> noise(final TrialResult row) {
        final Map<String, Object> noise = new LinkedHashMap<>();
        noise.put("test", row.test());
        noise.put("channel", row.channel());
        noise.put("repeat", row.repeat());
        noise.put("before", row.noiseBefore());
        if (row.noiseAfter() != null) {
            noise.put("after", row.noiseAfter());
        }
        return noise;
    }

    /** Folders of roles by id; none where none can be made. */
    Map<String, Path> folders(
            final String test, final String channel, final List<RoleInstance> cast) {
        final Map<String, Path> folders = new HashMap<>();
        keep(open ->
                cast.forEach(role ->
                        folders.put(
                                role.id(), open.role(test, channel, role.id()).toAbsolutePath())));
        return folders;
    }

    private void keep(final Consumer<ResultFolder> writing) {
        try {
            folder.ifPresent(writing);
        } catch (final UserError e) {
            tell(e);
        }
    }

    /** Says once what of the run's files is missing. */
    void tell(final UserError e) {
        if (!problems.contains(e.getMessage())) {
            problems.add(e.getMessage());
            listener.warned(e.getMessage());
        }
    }
}

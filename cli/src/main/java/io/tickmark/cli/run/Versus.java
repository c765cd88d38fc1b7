package io.tickmark.cli.run;

import io.tickmark.cli.option.PlanSettings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.control.InterleavedRun.Variant;
import io.tickmark.lab.control.RunOptions;
import io.tickmark.lab.place.ClassPaths;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.PlanLibrary;
import io.tickmark.transport.Transports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What a plan is compared with: another build (its folder), other settings ({@code key=value}), a
 * channel, or another plan; distinguished by syntax.
 */
public final class Versus {
    private static final String OPTION = "--vs";

    private final List<String> typed;
    private final PlanLibrary library;

    /**
     * Reads what was typed.
     *
     * @param typed after the option; several only where they are settings
     * @param library where plans are found
     * @throws UserError if several are not settings
     */
    public Versus(final List<String> typed, final PlanLibrary library) {
        this.typed = typed;
        this.library = library;
        if (typed.size() > 1 && !typed.stream().allMatch(PlanSettings::isSetting)) {
            throw UserError.usage(
                    "--vs may be repeated for settings (key=value) only; name one build, one plan or one channel.");
        }
    }

    /**
     * Whether it is another build.
     *
     * @return true where a folder was typed
     */
    public boolean isBuild() {
        return Files.isDirectory(Path.of(typed.getFirst()));
    }

    /**
     * The other side.
     *
     * @param name of that side
     * @param plan of the first side
     * @param options of the first side
     * @return what takes turns with it
     */
    public Variant other(final String name, final Plan plan, final RunOptions options) {
        final String first = typed.getFirst();
        if (isBuild()) {
            final ClassPaths build = ClassPaths.ofBuild(Path.of(first));
            return new Variant(
                    name, plan, options.withBuild(build, build.version().orElse("unknown")));
        }
        if (isChannel(first)) {
            return new Variant(
                    name,
                    PlanSettings.read(OPTION, List.of(PlanSettings.CHANNEL + "=" + first))
                            .applyTo(plan, OPTION),
                    options);
        }
        if (PlanSettings.isSetting(first)) {
            return new Variant(
                    name, PlanSettings.read(OPTION, typed).applyTo(plan, OPTION), options);
        }
        return new Variant(name, plan(first), options);
    }

    private Plan plan(final String name) {
        try {
            return library.find(name);
        } catch (final UserError e) {
            throw UserError.usage(
                    "--vs %s is not a folder of another build, a setting (key=value), a channel or a plan: %s"
                            .formatted(name, e.getMessage()));
        }
    }

    private static boolean isChannel(final String text) {
        final int colon = text.indexOf(':');
        return colon > 0
                && text.substring(0, colon).matches("[a-z][a-z0-9+-]*")
                && new Transports().all().containsKey(text.substring(0, colon));
    }
}

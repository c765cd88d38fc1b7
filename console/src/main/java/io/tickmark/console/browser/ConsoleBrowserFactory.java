package io.tickmark.console.browser;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.feed.conflate.ConflationPolicies;
import io.tickmark.workloads.feed.serve.ChannelList;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Makes roles that measure a real browser. */
public final class ConsoleBrowserFactory implements RoleFactory<ConsoleBrowserSettings> {
    private static final List<HotThread> THREADS =
            List.of(
                    new HotThread("feed", false),
                    new HotThread("sessions", false),
                    new HotThread("browser", false));

    /** For the service loader. */
    public ConsoleBrowserFactory() {}

    @Override
    public String name() {
        return "console-browser";
    }

    @Override
    public String workload() {
        return "browser";
    }

    @Override
    public String summary() {
        return "Opens the console's page in a real browser and takes the row that the page measures.";
    }

    @Override
    public Class<ConsoleBrowserSettings> settings() {
        return ConsoleBrowserSettings.class;
    }

    @Override
    public List<HotThread> hotThreads(
            final ConsoleBrowserSettings settings, final int index, final int count) {
        return THREADS;
    }

    @Override
    public long expectedDurationNs(final ConsoleBrowserSettings settings) {
        return settings.warmUp().toNanos()
                + settings.duration().toNanos()
                + ConsoleBrowserRole.BROWSER_NS;
    }

    @Override
    public void check(final ConsoleBrowserSettings settings) {
        ChannelList.shipped().get(settings.feedChannel());
        new ConflationPolicies().find(settings.conflation());
        if (!Files.isExecutable(Path.of(settings.chromium()))) {
            throw UserError.environment(
                    "--chromium %s: is not there; install the package 'chromium', or name another browser."
                            .formatted(settings.chromium()));
        }
    }

    @Override
    public Role create(final ConsoleBrowserSettings settings, final RoleContext context) {
        return new ConsoleBrowserRole(settings, context);
    }
}

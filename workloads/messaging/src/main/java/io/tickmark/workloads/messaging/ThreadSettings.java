package io.tickmark.workloads.messaging;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.settings.Setting;
import java.util.Optional;

/**
 * How the role's hot thread waits and where it runs.
 *
 * @param idle what it does when there is nothing to do
 * @param core CPU number to pin it to, -1 to leave that to the plan
 */
public record ThreadSettings(
        @Setting(help = "What the hot thread does when there is nothing to do.", byDefault = "auto")
                IdleMode idle,
        @Setting(
                        help = "CPU number to pin the hot thread to; -1 leaves it to the plan.",
                        byDefault = "-1",
                        min = -1,
                        max = 4095,
                        aliases = {"-a"})
                int core) {

    /**
     * The mode to use: what was asked for, else what the host decided.
     *
     * @param context of the role
     * @param thread as declared
     * @return never AUTO
     */
    public IdleMode mode(final RoleContext context, final HotThread thread) {
        return idle == IdleMode.AUTO ? context.idleMode(thread) : idle;
    }

    /**
     * Pins the calling thread where these settings or the plan want it.
     *
     * @param context of the role
     * @param thread as declared
     * @return a warning where that was not possible
     */
    public Optional<String> pin(final RoleContext context, final HotThread thread) {
        if (core >= 0) {
            return Affinity.pin(core);
        }
        context.pin(thread);
        return Optional.empty();
    }
}

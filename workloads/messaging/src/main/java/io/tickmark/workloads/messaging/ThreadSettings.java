package io.tickmark.workloads.messaging;

import io.tickmark.kernel.host.ThreadPriority;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.settings.Setting;
import java.util.ArrayList;
import java.util.List;

/**
 * How the role's hot thread waits and where it runs.
 *
 * @param idle what it does when there is nothing to do
 * @param core CPU number to pin it to, -1 to let the plan decide
 * @param nice value to set, 0 to leave it
 * @param realTimePriority to set, 0 to leave it with time sharing
 */
public record ThreadSettings(
        @Setting(help = "What the hot thread does when there is nothing to do.", byDefault = "auto")
                IdleMode idle,
        @Setting(
                        help = "CPU number to pin the hot thread to; -1 leaves it to the plan.",
                        byDefault = "-1",
                        min = -1,
                        max = 4095)
                int core,
        @Setting(
                        help =
                                "Nice value of the hot thread; below 0 needs a permission, 0 leaves it alone.",
                        byDefault = "0",
                        min = -20,
                        max = 19)
                int nice,
        @Setting(
                        help =
                                "Real-time priority (SCHED_FIFO) of the hot thread, which needs a permission; 0 for time "
                                        + "sharing.",
                        byDefault = "0",
                        min = 0,
                        max = 99)
                int realTimePriority) {

    /**
     * The thread with these settings applied.
     *
     * @param thread of the role
     * @return what its factory declares
     */
    public HotThread of(final HotThread thread) {
        return thread.waiting(idle).on(core);
    }

    /**
     * Pins the calling thread as these settings or the plan say, and sets its scheduling.
     *
     * @param context of the role
     * @param thread as declared
     * @return warnings about what was not possible
     */
    public List<String> settle(final RoleContext context, final HotThread thread) {
        final List<String> warnings = new ArrayList<>();
        context.pin(thread);
        if (nice != 0) {
            ThreadPriority.nice(nice).ifPresent(warnings::add);
        }
        if (realTimePriority > 0) {
            ThreadPriority.realTime(realTimePriority).ifPresent(warnings::add);
        }
        return warnings;
    }
}

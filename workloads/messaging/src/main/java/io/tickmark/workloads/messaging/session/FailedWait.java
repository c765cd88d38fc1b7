package io.tickmark.workloads.messaging.session;

import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import java.time.Duration;
import java.util.List;

/** Messages for the end of an unsuccessful wait: the time was over, or the user stopped it. */
public final class FailedWait {
    private FailedWait() {}

    /**
     * The beginning of a sentence that says what did not happen.
     *
     * @param channel that was waited for
     * @return such as {@code "--channel shm: "}
     */
    public static String at(final ChannelUri channel) {
        final String option = "--channel " + channel;
        return option.endsWith(":") ? option + " " : option + ": ";
    }

    /**
     * The end of a sentence that says what did not happen on exchanges, and what they know about
     * why.
     *
     * @param context of the role that waited
     * @param advice what to do about it
     * @param exchanges that were waited for
     * @return such as {@code " within 10s; start it."}, followed by the first of their notes
     */
    public static String ended(
            final RoleContext context, final String advice, final List<Exchange> exchanges) {
        return ended(context, advice) + Exchanges.firstNote(exchanges);
    }

    /**
     * The end of a sentence that says what did not happen.
     *
     * @param context of the role that waited
     * @param advice what to do about it
     * @return such as {@code " within 10s; start it."}
     */
    public static String ended(final RoleContext context, final String advice) {
        return context.isStopped()
                ? " before it was stopped."
                : " within "
                        + Durations.format(Duration.ofNanos(context.connectTimeoutNs()))
                        + "; "
                        + advice;
    }
}

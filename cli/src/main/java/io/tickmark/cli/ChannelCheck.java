package io.tickmark.cli;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transports;

/** Finds mistyped channels before anything is started. */
final class ChannelCheck {
    private ChannelCheck() {}

    /**
     * Checks every channel of a plan. An engine that is known but absent is no mistake: its tests
     * say so, and the others are done.
     *
     * @param plan to check
     * @throws UserError that names test and channel
     */
    static void check(final Plan plan) {
        final Transports transports = new Transports();
        for (final TestPlan test : plan.tests()) {
            test.channels().stream()
                    .filter(channel -> !channel.isEmpty())
                    .forEach(channel -> check(transports, test, channel));
        }
    }

    private static void check(
            final Transports transports, final TestPlan test, final String channel) {
        try {
            final ChannelUri uri = ChannelUri.parse(channel);
            transports.of(uri).traits(uri);
        } catch (final UserError e) {
            if (e.kind() == UserError.Kind.USAGE) {
                throw UserError.usage("test " + test.name() + ": " + e.getMessage());
            }
        }
    }
}

package io.tickmark.cli.run;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Transports;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Removes tests that cannot be run on this machine from the default plan, and reports this: a named
 * plan is run as a whole, the default plan as far as engines are available.
 */
public final class AbsentEngines {
    private final Transports transports = new Transports();
    private final boolean isHere;

    /**
     * For the engines on the class path.
     *
     * @param isHere whether all roles run on this machine, and with them the servers that tests
     *     start; on another machine a server may be installed
     */
    public AbsentEngines(final boolean isHere) {
        this.isHere = isHere;
    }

    /**
     * The plan without the tests of which a channel's engine is absent.
     *
     * @param plan to examine
     * @param skipped receives one sentence for each engine that is absent
     * @return the plan, with at least one test
     */
    public Plan without(final Plan plan, final Consumer<String> skipped) {
        final TreeMap<String, String> reasons = new TreeMap<>();
        final List<TestPlan> possible = new ArrayList<>();
        for (final TestPlan test : plan.tests()) {
            final List<String> absent =
                    test.channels().stream().filter(channel -> isAbsent(channel, reasons)).toList();
            if (absent.isEmpty()) {
                possible.add(test);
            }
        }
        reasons.forEach((scheme, reason) ->
                skipped.accept("tests with " + scheme + " are skipped: " + reason));
        return possible.isEmpty() ? plan : plan.withTests(possible);
    }

    /**
     * Why a plan cannot be run on this machine.
     *
     * @param plan to examine
     * @return one sentence for each engine that is absent
     */
    List<String> reasons(final Plan plan) {
        final TreeMap<String, String> reasons = new TreeMap<>();
        plan.tests()
                .forEach(test -> test.channels().forEach(channel -> isAbsent(channel, reasons)));
        return reasons.entrySet().stream()
                .map(reason -> reason.getKey() + ", " + reason.getValue())
                .toList();
    }

    private boolean isAbsent(final String channel, final TreeMap<String, String> reasons) {
        final Optional<String> reason = reason(channel);
        reason.ifPresent(why -> reasons.put(ChannelUri.parse(channel).scheme(), why));
        return reason.isPresent();
    }

    private Optional<String> reason(final String text) {
        try {
            final ChannelUri channel = ChannelUri.parse(text);
            return Optional.ofNullable(transports.all().get(channel.scheme()))
                    .flatMap(transport ->
                            isHere
                                    ? transport.absence(channel, ExchangeSide.BIND)
                                    : transport.absence(channel));
        } catch (final UserError e) {
            return Optional.empty(); // not the text of a channel: its role will report it
        }
    }
}

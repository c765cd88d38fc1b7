package io.tickmark.workloads.market.measure;

import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.RoleContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One-way times of a role whose other end was not started by a controller: it may be on another
 * machine, with a clock that nobody aligns. Tickmark's own roles say whose clock their stamps are
 * of ({@link StampClock}); for others the address decides. Where neither helps, as behind a tunnel,
 * and not one of the times is possible, they count as not measured; the other figures stay valid.
 *
 * @param isPossible whether the other end is unknown to the controller, or there is none
 */
public record OtherClock(boolean isPossible) {
    /** The warning of a role whose other end has another clock. */
    public static final String WARNING =
            "One-way times were not measured: the sender's clock is not this machine's.";

    /**
     * For a role that cannot know its other end in a plan: another clock is possible if it was
     * started by hand.
     *
     * @param context of the role
     * @return for this role
     */
    public static OtherClock of(final RoleContext context) {
        return new OtherClock(context.trialId() == 0);
    }

    /**
     * For a role whose other end is announced in a plan and has its clock aligned: another clock is
     * possible if it was started by hand, or if the plan has no such role.
     *
     * @param context of the role
     * @param endpoints of all roles
     * @param name under which those are announced whose stamps it reads
     * @return for this role
     */
    public static OtherClock of(
            final RoleContext context, final Endpoints endpoints, final String name) {
        return new OtherClock(context.trialId() == 0 || endpoints.named(name).isEmpty());
    }

    /**
     * Whether a peer that says nothing about its clock may be on another machine.
     *
     * @param host name or address of it, empty where it is not known
     * @return true where that is possible and no address of it is one of this machine's
     */
    public boolean isElsewhere(final String host) {
        if (!isPossible || host.isEmpty()) { // an empty name would resolve to loopback
            return isPossible;
        }
        try {
            for (final InetAddress address : InetAddress.getAllByName(host)) {
                if (isOfThisMachine(address)) {
                    return false;
                }
            }
        } catch (final IOException e) {
            return true; // what has no address cannot be one of this machine's
        }
        return true;
    }

    private static boolean isOfThisMachine(final InetAddress address) throws IOException {
        return address.isLoopbackAddress()
                || address.isAnyLocalAddress()
                || NetworkInterface.getByInetAddress(address) != null;
    }

    /**
     * Whether the stamps of a step were of another clock.
     *
     * @param recorded in the step
     * @return true where that is possible, stamps were read and no one-way time was recorded
     */
    public boolean isBehind(final StepRecording recorded) {
        return isPossible
                && recorded.counts().keySet().stream().anyMatch(OtherClock::isOneWay)
                && recorded.latencies().keySet().stream().noneMatch(Latencies::isBetweenRoles);
    }

    /**
     * What was recorded besides latencies.
     *
     * @param recorded in the step
     * @return counts by name, a new map; without those of impossible latencies where the stamps
     *     were of another clock
     */
    public Map<String, Long> counts(final StepRecording recorded) {
        final Map<String, Long> counts = new LinkedHashMap<>(recorded.counts());
        if (isBehind(recorded)) {
            forget(counts, Counts.NOT_POSITIVE);
            forget(counts, Counts.OUT_OF_RANGE);
        }
        return counts;
    }

    /** Only for one-way times: those of posts are measured on one clock. */
    private static void forget(final Map<String, Long> counts, final String count) {
        final List<String> oneWay =
                counts.keySet().stream()
                        .filter(name -> name.endsWith(Counts.of("", count)) && isOneWay(name))
                        .toList();
        final long others =
                counts.getOrDefault(count, 0L) - oneWay.stream().mapToLong(counts::remove).sum();
        if (others > 0) {
            counts.put(count, others);
        } else {
            counts.remove(count);
        }
    }

    /** Whether a count is of one-way times that are in no histogram. */
    private static boolean isOneWay(final String count) {
        final int end = count.lastIndexOf('.');
        return end > 0
                && Counts.isNotTimed(count)
                && Latencies.isBetweenRoles(count.substring(0, end));
    }
}

package io.tickmark.lab.control;

import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.time.ClockReading;
import io.tickmark.kernel.time.ClockSegment;
import io.tickmark.kernel.time.ClockSteering;
import io.tickmark.lab.place.Placement;
import io.tickmark.lab.protocol.ToRole;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.NanoClock;

/**
 * The clocks of the machines of one trial against the controller's: measured before it, so that
 * remote roles use the controller's time line, watched during it, so that they stay on it, and
 * measured after it, so that the bound includes drift that was not followed.
 */
final class HostClocks {
    /** Between the order to start and the start, on one machine: no role may receive it late. */
    private static final long START_DELAY_NS = TimeUnit.MILLISECONDS.toNanos(200);

    /** The same where their processes have carried out such orders: they load no class for it. */
    private static final long WARM_START_DELAY_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Each role is sent the order by itself, one after the other. */
    private static final long EACH_ORDER_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The same with roles on other machines, whose agents may be busy as well. */
    private static final long REMOTE_START_DELAY_NS = TimeUnit.MILLISECONDS.toNanos(500);

    /** Of how long roles took to connect, which may include work of theirs, what counts at most. */
    private static final long MOST_ANSWER_NS = TimeUnit.SECONDS.toNanos(1);

    /** An order may be on its way for so many times the quickest exchange with its machine. */
    private static final int SLOWEST_WAYS = 10;

    /** A remote role that begins later than this measures another period than the others. */
    private static final long LATE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /**
     * Interval in which quartz drifts by 100 us at worst; a short measurement takes a thousandth of
     * it.
     */
    private static final long GLANCE_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(500);

    /** In such a short trial no clock drifts far. */
    private static final long UNWATCHED_NS = TimeUnit.SECONDS.toNanos(2);

    /** How much drift may add to the bound before it is reported, and before the trial is void. */
    private static final long UNEVEN_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private static final long WILD_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long WATCH_ENDS_MS = 25_000;

    private final NanoClock clock;
    private final Map<Placement, ClockReading> before = new HashMap<>();
    private final Map<Placement, ClockSteering> steered = new HashMap<>();
    private final Map<Placement, ClockSegment> first = new HashMap<>();
    private final Map<Placement, Integer> glances = new HashMap<>();
    private final Map<Placement, Integer> unanswered = new HashMap<>();
    private final Queue<Glance> glanced = new ConcurrentLinkedQueue<>();
    private volatile boolean isWatched;
    private Thread watch;

    private record Glance(Placement place, Optional<ClockReading> reading) {}

    HostClocks(final NanoClock clock) {
        this.clock = clock;
    }

    /**
     * Measures all of them; between trials only, and again when all roles are there: the rates of
     * the clocks are derived from how far they drifted meanwhile.
     */
    void align(final Collection<Placement> places) throws TrialVoid {
        for (final Placement place : places) {
            final ClockReading reading = measured(place);
            before.put(place, reading);
            place.steering()
                    .ifPresent(steering -> {
                        steered.put(place, steering);
                        first.put(place, steering.begin(reading));
                    });
        }
    }

    /**
     * A host that does not answer was there when the trial began: whenever it is lost, the trial is
     * void, and not one that cannot be run.
     */
    private static ClockReading measured(final Placement place) throws TrialVoid {
        try {
            return place.clock();
        } catch (final UserError e) {
            throw TrialVoid.because(e.getMessage());
        }
    }

    /** The mapping of a machine's clock to the controller's. */
    ClockSegment segment(final Placement place) {
        final long offsetNs = before.get(place).offset().offsetNs();
        return first.getOrDefault(
                place, offsetNs == 0 ? ClockSegment.SAME : new ClockSegment(offsetNs, 0, 0));
    }

    /** Starts watching the clocks of other machines, on a separate thread. */
    void watch() {
        if (steered.isEmpty()) {
            return;
        }
        isWatched = true;
        final List<Placement> places = List.copyOf(steered.keySet());
        watch =
                Thread.ofPlatform()
                        .daemon()
                        .name("clock-watch")
                        .start(() -> {
                            while (isWatched) {
                                LockSupport.parkNanos(GLANCE_EVERY_NS);
                                for (final Placement place : places) {
                                    if (isWatched) {
                                        glanced.add(new Glance(place, place.glance()));
                                    }
                                }
                            }
                        });
    }

    /** How long the controller may wait for other things meanwhile. */
    long patienceNs(final long otherwiseNs) {
        return steered.isEmpty() ? otherwiseNs : Math.min(otherwiseNs, GLANCE_EVERY_NS / 10);
    }

    /** Steers the clocks of roles according to the readings. */
    void steer(final RoleGroup group, final Collection<RoleState> roles) {
        for (Glance glance = glanced.poll(); glance != null; glance = glanced.poll()) {
            final Placement place = glance.place();
            if (glance.reading().isEmpty()) {
                unanswered.merge(place, 1, Integer::sum);
                continue;
            }
            glances.merge(place, 1, Integer::sum);
            steered.get(place)
                    .watch(glance.reading().get(), clock.nanoTime())
                    .ifPresent(segments -> send(group, roles, place, segments));
        }
    }

    /** Sends the roles of all machines the corrections of their clocks. */
    void set(final RoleGroup group, final Collection<RoleState> roles) {
        first.forEach((place, segment) -> send(group, roles, place, List.of(segment)));
    }

    private static void send(
            final RoleGroup group,
            final Collection<RoleState> roles,
            final Placement place,
            final List<ClockSegment> segments) {
        for (final RoleState role : roles) {
            if (group.placement(role.instance()).equals(place)) {
                role.link().send(new ToRole.Steer(role.id(), segments));
            }
        }
    }

    /** Stops watching. */
    void endWatch() {
        isWatched = false;
        if (watch != null) {
            LockSupport.unpark(watch);
            try {
                watch.join(WATCH_ENDS_MS);
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            watch = null;
        }
    }

    /**
     * Measures again, and records for each remote role how well its clock agreed.
     *
     * @return a sentence for each machine whose clock was too unsteady for a result
     */
    List<String> settle(final RoleGroup group, final Collection<RoleState> roles, final long tookNs)
            throws TrialVoid {
        steer(group, roles);
        final Map<Placement, ClockReading> after = new HashMap<>();
        for (final Placement place : before.keySet()) {
            after.put(place, measured(place));
        }
        final Map<Placement, ClockSteering.Agreement> agreed = new HashMap<>();
        steered.forEach((place, steering) -> agreed.put(place, steering.settle(after.get(place))));
        for (final RoleState role : roles) {
            if (role.isElsewhere()) {
                final Placement place = group.placement(role.instance());
                role.note("clockOffsetNs", before.get(place).offset().offsetNs());
                role.note("clockKeptBy", place.timeSync());
                if (agreed.containsKey(place)) {
                    noteClock(role, place, agreed.get(place), tookNs);
                }
            }
        }
        return agreed.entrySet().stream()
                .filter(entry -> unfollowedNs(entry.getValue()) > WILD_NS)
                .map(entry ->
                        ("The clock of host %s ran unevenly during the measurement, "
                                        + "so that its times may be wrong by %d us; see what adjusts it.")
                                .formatted(
                                        entry.getKey().host(),
                                        TimeUnit.NANOSECONDS.toMicros(entry.getValue().boundNs())))
                .toList();
    }

    /** The part of the bound due to drift that could not be followed. */
    private static long unfollowedNs(final ClockSteering.Agreement agreed) {
        return agreed.boundNs() - agreed.endsNs();
    }

    private void noteClock(
            final RoleState role,
            final Placement place,
            final ClockSteering.Agreement agreed,
            final long tookNs) {
        role.note(RoleSummary.CLOCK_BOUND_NS, agreed.boundNs());
        role.note("clockDriftNs", agreed.driftNs());
        role.note("clockGlances", glances.getOrDefault(place, 0));
        final int lost = unanswered.getOrDefault(place, 0);
        if (lost > 0) {
            role.note("clockGlancesUnanswered", lost);
        }
        if (glances.getOrDefault(place, 0) == 0 && tookNs > UNWATCHED_NS) {
            role.warn(
                    ("The clock of host %s could not be watched during the measurement: it is assumed to have drifted evenly,"
                                    + " by %d us.")
                            .formatted(
                                    place.host(), TimeUnit.NANOSECONDS.toMicros(agreed.driftNs())));
        }
        if (unfollowedNs(agreed) > UNEVEN_NS) {
            role.warn(
                    ("The clock of host %s drifted faster than the correction could follow: "
                                    + "one-way and response times with its roles may be wrong by %d us.")
                            .formatted(
                                    place.host(), TimeUnit.NANOSECONDS.toMicros(agreed.boundNs())));
        }
    }

    /**
     * How long before the start it is ordered: the slower the connection to a machine, and the
     * longer its roles took to answer the order before, the longer. A busy machine that took a
     * second to say that its roles are connected may take another one to pass on the start.
     *
     * @param answerNs between the order to connect and the answer of the last role
     * @param isFresh whether this is the first trial of the processes
     * @param roles that are ordered to start
     */
    long startDelayNs(final long answerNs, final boolean isFresh, final int roles) {
        final long boundNs =
                before.values().stream()
                        .mapToLong(reading -> reading.offset().boundNs())
                        .max()
                        .orElse(0);
        final long delayNs =
                steered.isEmpty()
                        ? delayHereNs(isFresh, roles)
                        : REMOTE_START_DELAY_NS + Math.min(answerNs, MOST_ANSWER_NS);
        return delayNs + SLOWEST_WAYS * 2 * boundNs;
    }

    private static long delayHereNs(final boolean isFresh, final int roles) {
        return isFresh
                ? START_DELAY_NS
                : Math.min(START_DELAY_NS, WARM_START_DELAY_NS + roles * EACH_ORDER_NS);
    }

    /** A sentence for each remote role that began too late for the trial to count. */
    static List<String> late(final Collection<RoleState> roles) {
        return roles.stream()
                .filter(role -> role.isElsewhere() && role.startLateNs() > LATE_NS)
                .map(role ->
                        "%s began %d ms after the start; see what keeps that host, or the network to it, busy."
                                .formatted(
                                        role.called(),
                                        TimeUnit.NANOSECONDS.toMillis(role.startLateNs())))
                .toList();
    }
}

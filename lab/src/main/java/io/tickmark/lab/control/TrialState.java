package io.tickmark.lab.control;

import io.tickmark.kernel.result.NoiseSummary;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.lab.control.RoleState.Stage;
import io.tickmark.lab.control.RunEvents.LinkEvent;
import io.tickmark.lab.plan.RoleInstance;
import io.tickmark.lab.protocol.FromRole;
import io.tickmark.lab.protocol.ProtocolException;
import io.tickmark.lab.verdict.RunVerdict;
import io.tickmark.lab.verdict.TrialMerge;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.agrona.concurrent.NanoClock;

/** What the controller has received in one trial; the run's thread only. */
final class TrialState {
    private static final int LONGEST_LINE = 500;

    private final TrialKey key;
    private final NanoClock clock;
    private final RunListener listener;
    private final Map<String, RoleState> roles = new LinkedHashMap<>();
    private final Set<RoleLink> present = new HashSet<>();
    private final Set<RoleLink> givenUp = new HashSet<>();
    private final Set<RoleLink> ended = new HashSet<>();
    private final TrialMerge merge = new TrialMerge();
    private final List<String> failures = new ArrayList<>();
    private Endpoints endpoints = Endpoints.NONE;
    private long lastResultNs;
    private final List<NoiseSummary> noise = new ArrayList<>();

    TrialState(
            final TrialKey key,
            final Collection<RoleState> roles,
            final NanoClock clock,
            final RunListener listener) {
        this.key = key;
        this.clock = clock;
        this.listener = listener;
        roles.forEach(role -> this.roles.put(role.id(), role));
    }

    /** Handles an event; throws when the trial cannot continue after it. */
    void on(final LinkEvent event) throws TrialVoid {
        switch (event) {
            case LinkEvent.Said(final RoleLink link, final FromRole message) -> on(link, message);
            case LinkEvent.Unbearable(final RoleLink _, final String sentence) ->
                    throw TrialVoid.because(sentence);
            case LinkEvent.OutOfReach(final RoleLink link, final String sentence) -> {
                giveUp(link);
                throw TrialVoid.because(sentence);
            }
            case LinkEvent.Warned(final String sentence) -> listener.warned(sentence);
            case final LinkEvent.Ended end -> onEnd(end);
            case LinkEvent.Interrupted() -> throw TrialVoid.because(RunVerdict.INTERRUPTED);
        }
    }

    private void on(final RoleLink link, final FromRole message) throws TrialVoid {
        switch (message) {
            case final FromRole.Hello hello -> {
                if (!hello.protocol().equals(FromRole.PROTOCOL)) {
                    giveUp(link);
                    throw TrialVoid.because(
                            "The process of %s speaks %s and not %s; install the same version of tickmark everywhere."
                                    .formatted(link.name(), hello.protocol(), FromRole.PROTOCOL));
                }
                meet(link);
            }
            case FromRole.NoiseResult(final NoiseSummary measured) -> {
                noise.add(measured);
                listener.noiseMeasured(key, measured);
            }
            case final FromRole.Bye _ -> {}
            case FromRole.Bound(final String id, final Endpoints bound) ->
                    onBound(role(link, id), bound);
            case FromRole.Ready(final String id) -> role(link, id).reach(Stage.READY);
            case final FromRole.Progress line -> {
                final RoleState role = role(link, line.id());
                role.heard(clock.nanoTime(), line.step(), line.counters());
                listener.progressed(key, role.instance(), line.progress());
            }
            case FromRole.Output(final String id, final String line) ->
                    listener.printed(
                            key,
                            role(link, id).id(),
                            line.substring(0, Math.min(line.length(), LONGEST_LINE)));
            case final FromRole.Step step -> onStep(role(link, step.id()), step);
            case final FromRole.Delivered deliveries ->
                    role(link, deliveries.id()).delivered(deliveries);
            case final FromRole.Result result -> onResult(role(link, result.id()), result);
            case final FromRole.Failed failed -> onFailed(role(link, failed.id()), failed);
        }
    }

    private void onBound(final RoleState role, final Endpoints bound) {
        endpoints = endpoints.and(bound);
        role.reach(Stage.BOUND);
    }

    private void onStep(final RoleState role, final FromRole.Step step) throws TrialVoid {
        role.heard(clock.nanoTime());
        try {
            merge.add(role.id(), role.instance().factory(), step.step().toResult());
        } catch (final ProtocolException | RuntimeException e) {
            // A count without value, sums beyond 64 bits, a histogram of another range.
            throw TrialVoid.because(
                    role.called() + " sent a wrong result: " + e.getMessage() + ".");
        }
    }

    /** The others may still report, so a failure is kept and not thrown. */
    private void onResult(final RoleState role, final FromRole.Result result) {
        lastResultNs = clock.nanoTime();
        role.finish(result.metrics(), result.warnings());
        if (!result.failure().isEmpty()) {
            failures.add(role.called() + ": " + result.failure());
        }
    }

    private void onFailed(final RoleState role, final FromRole.Failed failed) throws TrialVoid {
        role.reach(Stage.DONE);
        throw TrialVoid.because(role.called() + ": " + failed.sentence(), failed.kind());
    }

    private void onEnd(final LinkEvent.Ended end) throws TrialVoid {
        ended.add(end.link());
        final List<RoleState> lost = of(end.link()).stream().filter(r -> !r.isDone()).toList();
        lost.forEach(role -> role.reach(Stage.DONE));
        if (!lost.isEmpty() && !givenUp.contains(end.link())) {
            final String lastWords =
                    end.lastWords().isEmpty() ? "" : "; its last words: " + end.lastWords();
            throw TrialVoid.because(
                    "The process of %s ended unexpectedly with exit code %d%s."
                            .formatted(names(lost), end.exitCode(), lastWords));
        }
    }

    /** Looks up a role; only its own process may report for it. */
    private RoleState role(final RoleLink link, final String id) throws TrialVoid {
        final RoleState role = roles.get(id);
        if (role == null || role.link() != link) {
            throw TrialVoid.because(
                    "The process %s reported for a role that it does not run."
                            .formatted(link.name()));
        }
        return role;
    }

    /** Records that a process is running with the same version. */
    void meet(final RoleLink link) {
        present.add(link);
    }

    /** Stops waiting for a process: it was killed on purpose, or is lost. */
    void giveUp(final RoleLink link) {
        givenUp.add(link);
        of(link).forEach(role -> role.reach(Stage.DONE));
    }

    boolean isGivenUp(final RoleLink link) {
        return givenUp.contains(link);
    }

    /** Uses the last reports of killed roles as their measurements. */
    void chargeKilled() {
        for (final RoleState role : roles.values()) {
            if (role.isKilled()) {
                role.reported()
                        .received()
                        .forEach(step -> merge.add(role.id(), role.instance().factory(), step));
            }
        }
    }

    /** When a role that is not done last reported a changed counter, or one reported its result. */
    long lastMovedNs() {
        return roles.values().stream()
                .filter(role -> !role.isDone())
                .mapToLong(role -> Math.max(lastResultNs, role.reported().lastMovedNs()))
                .max()
                .orElse(0);
    }

    boolean isAnyKilled() {
        return roles.values().stream().anyMatch(RoleState::isKilled);
    }

    static String names(final Collection<RoleState> some) {
        return some.stream().map(RoleState::called).collect(Collectors.joining(", "));
    }

    /**
     * Whether any role has not reached a state; stops at the first, because it is called after
     * every line.
     */
    boolean isAnyBehind(final Stage wanted) {
        for (final RoleState role : roles.values()) {
            if (!role.isAtLeast(wanted)) {
                return true;
            }
        }
        return false;
    }

    /** Whether only observers are left. */
    boolean isOnlyObserversLeft() {
        for (final RoleState role : roles.values()) {
            if (!role.isDone() && !role.instance().factory().isObserver()) {
                return false;
            }
        }
        return true;
    }

    /** Roles that have not reached a state, for messages; possibly none. */
    List<RoleState> behind(final Stage wanted) {
        return roles.values().stream().filter(role -> !role.isAtLeast(wanted)).toList();
    }

    List<RoleState> of(final RoleLink link) {
        return roles.values().stream().filter(role -> role.link() == link).toList();
    }

    Collection<RoleState> roles() {
        return roles.values();
    }

    List<RoleInstance> instances() {
        return roles.values().stream().map(RoleState::instance).toList();
    }

    RoleState role(final String id) {
        return roles.get(id);
    }

    boolean isPresent(final RoleLink link) {
        return present.contains(link);
    }

    /** Whether all processes are alive: only then can they serve another trial. */
    boolean isWhole() {
        return ended.isEmpty() && givenUp.isEmpty();
    }

    Endpoints endpoints() {
        return endpoints;
    }

    TrialMerge merge() {
        return merge;
    }

    List<String> failures() {
        return failures;
    }

    /** The largest noise floor reported since the last call, null when there was none. */
    NoiseSummary takeNoise() {
        final NoiseSummary loudest =
                noise.stream().max(Comparator.comparingLong(NoiseSummary::maxNs)).orElse(null);
        noise.clear();
        return loudest;
    }

    /** How many machines have reported theirs. */
    int noisesReceived() {
        return noise.size();
    }
}

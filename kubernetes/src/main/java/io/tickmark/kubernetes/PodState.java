package io.tickmark.kubernetes;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.tickmark.kernel.settings.UserError;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The meaning of a pod's state for a caller that waits for it. */
final class PodState {
    /** Reasons of a waiting container that time alone does not mend. */
    private static final Set<String> HOPELESS =
            Set.of(
                    "ErrImagePull",
                    "ImagePullBackOff",
                    "ErrImageNeverPull",
                    "InvalidImageName",
                    "CreateContainerConfigError",
                    "CreateContainerError",
                    "RunContainerError",
                    "CrashLoopBackOff");

    private PodState() {}

    static boolean isRunning(final Pod pod) {
        return "Running".equals(phase(pod))
                && pod.getMetadata().getDeletionTimestamp() == null
                && pod.getStatus().getPodIP() != null
                && containers(pod).stream()
                        .allMatch(each ->
                                each.getState() != null && each.getState().getRunning() != null);
    }

    private static String phase(final Pod pod) {
        return pod.getStatus() == null ? "" : Objects.toString(pod.getStatus().getPhase(), "");
    }

    private static List<ContainerStatus> containers(final Pod pod) {
        return pod.getStatus() == null || pod.getStatus().getContainerStatuses() == null
                ? List.of()
                : pod.getStatus().getContainerStatuses();
    }

    private static Optional<ContainerStateWaiting> waiting(final Pod pod) {
        return containers(pod).stream()
                .filter(each -> each.getState() != null)
                .map(each -> each.getState().getWaiting())
                .filter(Objects::nonNull)
                .findFirst();
    }

    /** What keeps it from ever running; empty while there is hope. */
    static Optional<String> hopeless(final Pod pod) {
        final String ended = whyEnded(pod);
        return ended.isEmpty()
                ? waiting(pod)
                        .filter(state -> HOPELESS.contains(state.getReason()))
                        .map(state -> reason(state.getReason(), state.getMessage()))
                : Optional.of(ended);
    }

    /** What it waits for. */
    static String waitsFor(final Pod pod) {
        return Optional.ofNullable(pod.getStatus())
                .flatMap(status ->
                        status.getConditions().stream()
                                .filter(each -> "PodScheduled".equals(each.getType()))
                                .filter(each -> "False".equals(each.getStatus()))
                                .findFirst()
                                .map(PodState::words))
                .or(() -> waiting(pod).map(state -> reason(state.getReason(), state.getMessage())))
                .orElse("it is " + (phase(pod).isEmpty() ? "Pending" : phase(pod)));
    }

    private static String words(final PodCondition condition) {
        return reason(condition.getReason(), condition.getMessage());
    }

    private static String reason(final String name, final String message) {
        final String said = Objects.toString(message, "").replaceAll("\\p{Cntrl}", " ").strip();
        return (Objects.toString(name, "") + (said.isEmpty() ? "" : ": " + said))
                .replaceAll("[.;]+$", "");
    }

    /** Why it does not run any more; empty where it runs, or is yet to. */
    static String whyEnded(final Pod pod) {
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            return "its pod is being deleted";
        }
        final String phase = phase(pod);
        if (phase.equals("Failed") || phase.equals("Succeeded")) {
            final String why = reason(pod.getStatus().getReason(), pod.getStatus().getMessage());
            return "its pod ended (" + (why.isEmpty() ? terminated(pod).orElse(phase) : why) + ")";
        }
        return terminated(pod).map(why -> "its container ended (" + why + ")").orElse("");
    }

    private static Optional<String> terminated(final Pod pod) {
        return containers(pod).stream()
                .filter(each -> each.getState() != null)
                .map(each -> each.getState().getTerminated())
                .filter(Objects::nonNull)
                .findFirst()
                .map(PodState::words);
    }

    private static String words(final ContainerStateTerminated state) {
        final String why = reason(state.getReason(), state.getMessage());
        return (why.isEmpty() ? "" : why + ", ") + "exit code " + state.getExitCode();
    }

    /** Asked when the stream to a pod ended. */
    static String whyLost(final Cluster cluster, final String name) {
        try {
            return cluster.pod(name).map(PodState::whyEnded).orElse("its pod was deleted");
        } catch (final UserError e) {
            return "";
        }
    }
}

package io.tickmark.lab.plan;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Pods of one Indexed Job: as many hosts for roles as it has completions.
 *
 * @param name of the job in results; its pods are hosts called {@code name-0}, {@code name-1}, ...
 * @param count of pods
 * @param roles that run on them, taking turns by the completion index
 * @param cpus whole cores for each pod, requested and allowed
 * @param memory for each pod, requested and allowed
 * @param sharedMemory largest size of {@code /dev/shm}
 * @param nodeSelector labels of the nodes that they may run on
 * @param podSpec further keys of the pod's spec
 */
public record PodsPlan(
        @PlanKey(
                        help =
                                "Name of the job in results; its pods are hosts called NAME-0, NAME-1 and so on.",
                        required = true,
                        pattern = PlanPatterns.LABEL)
                String name,
        @PlanKey(help = "Number of pods (default: 1).", min = 1, max = 1000) Integer count,
        @PlanKey(
                        help =
                                "Roles that run on them, the first instance on the pod with completion index 0 and so on.")
                List<String> roles,
        @PlanKey(
                        help = "Whole cores for each pod, requested and allowed (default: 2).",
                        min = 1,
                        max = 4096)
                Integer cpus,
        @PlanKey(
                        help =
                                "Memory for each pod, requested and allowed, as Kubernetes writes it (default: 2Gi).",
                        pattern = PlanPatterns.QUANTITY)
                String memory,
        @PlanKey(
                        help =
                                "Maximum size of /dev/shm, which counts as memory of the pod (default: 512Mi).",
                        pattern = PlanPatterns.QUANTITY)
                String sharedMemory,
        @PlanKey(help = "Labels of the nodes that they may run on.")
                Map<String, String> nodeSelector,
        @PlanKey(
                        help =
                                "Further keys of the pod's spec: tolerations, serviceAccountName, imagePullSecrets and so on.")
                Map<String, Object> podSpec) {
    /** Fills in what was not given. */
    public PodsPlan {
        count = count == null ? Integer.valueOf(1) : count;
        roles = roles == null ? List.of() : List.copyOf(roles);
        cpus = cpus == null ? Integer.valueOf(2) : cpus;
        memory = memory == null ? "2Gi" : memory;
        sharedMemory = sharedMemory == null ? "512Mi" : sharedMemory;
        nodeSelector = nodeSelector == null ? Map.of() : Map.copyOf(nodeSelector);
        podSpec = podSpec == null ? Map.of() : Map.copyOf(podSpec);
    }

    /**
     * The names of its pods as hosts.
     *
     * @return a name for each completion index
     */
    public List<String> hosts() {
        return IntStream.range(0, count).mapToObj(index -> name + "-" + index).toList();
    }
}

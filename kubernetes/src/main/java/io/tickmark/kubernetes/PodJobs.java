package io.tickmark.kubernetes;

import io.fabric8.kubernetes.api.model.EmptyDirVolumeSource;
import io.fabric8.kubernetes.api.model.EmptyDirVolumeSourceBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.KubernetesPlan;
import io.tickmark.lab.plan.PodsPlan;
import java.util.Map;

/**
 * The Indexed Jobs of a run: the completion index is the number of the host, and so its share of
 * the load. The Helm chart has the same; a test compares them.
 */
final class PodJobs {
    static final String NAME = "app.kubernetes.io/name";
    static final String INSTANCE = "app.kubernetes.io/instance";
    static final String COMPONENT = "app.kubernetes.io/component";
    static final String INDEX = "batch.kubernetes.io/job-completion-index";

    /** Value of {@link #NAME}, and name of the container. */
    static final String TICKMARK = "tickmark";

    /** The program of the image that holds the pod, and that is its agent. */
    static final String PROGRAM = "/config/host-agent";

    /** What roles write until it is fetched. */
    static final String FOLDER = "/var/lib/tickmark";

    private static final long DAY_S = 86_400;
    private static final int KEPT_S = 300;
    private static final long GRACE_S = 5;

    private final KubernetesPlan plan;
    private final String run;

    PodJobs(final KubernetesPlan plan, final String run) {
        this.plan = plan;
        this.run = run;
    }

    /** What its pods carry. */
    static Map<String, String> labels(final String run, final PodsPlan pods) {
        return Map.of(NAME, TICKMARK, INSTANCE, run, COMPONENT, pods.name());
    }

    Job job(final PodsPlan pods) {
        final Map<String, String> labels = labels(run, pods);
        return new JobBuilder()
                .withNewMetadata()
                .withName(run + "-" + pods.name())
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .withCompletionMode("Indexed")
                .withCompletions(pods.count())
                .withParallelism(pods.count())
                .withBackoffLimit(0)
                .withActiveDeadlineSeconds(DAY_S)
                .withTtlSecondsAfterFinished(KEPT_S)
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(labels)
                .endMetadata()
                .withSpec(spec(pods))
                .endTemplate()
                .endSpec()
                .build();
    }

    private PodSpec spec(final PodsPlan pods) {
        try {
            return StrictModel.read(
                    StrategicMerge.merged(StrictModel.tree(base(pods)), pods.podSpec()),
                    PodSpec.class);
        } catch (final StrategicMerge.UnmergeableException | StrictModel.NotInModelException e) {
            throw UserError.usage(
                    "jobs: podSpec of %s is not valid for Kubernetes: %s."
                            .formatted(pods.name(), e.getMessage()));
        }
    }

    /** Requests that equal limits, in whole cores: what a static CPU policy gives cores to. */
    private PodSpec base(final PodsPlan pods) {
        final Map<String, Quantity> resources =
                Map.of(
                        "cpu", new Quantity(pods.cpus().toString()),
                        "memory", new Quantity(pods.memory()));
        final PodSpecBuilder spec =
                new PodSpecBuilder()
                        .withRestartPolicy("Never")
                        .withHostNetwork(plan.hostNetwork())
                        .withDnsPolicy(
                                plan.hostNetwork() ? "ClusterFirstWithHostNet" : "ClusterFirst")
                        .withAutomountServiceAccountToken(false)
                        .withTerminationGracePeriodSeconds(GRACE_S)
                        .withNodeSelector(pods.nodeSelector())
                        .addNewContainer()
                        .withName(TICKMARK)
                        .withImage(plan.image())
                        .withCommand(plan.home() + PROGRAM, "keep")
                        .withNewResources()
                        .withRequests(resources)
                        .withLimits(resources)
                        .endResources()
                        .withNewSecurityContext()
                        .withAllowPrivilegeEscalation(false)
                        .endSecurityContext()
                        .addNewVolumeMount()
                        .withName("files")
                        .withMountPath(FOLDER)
                        .endVolumeMount()
                        .addNewVolumeMount()
                        .withName("shm")
                        .withMountPath("/dev/shm")
                        .endVolumeMount()
                        .endContainer()
                        .addNewVolume()
                        .withName("files")
                        .withEmptyDir(new EmptyDirVolumeSource())
                        .endVolume()
                        .addNewVolume()
                        .withName("shm")
                        .withEmptyDir(
                                new EmptyDirVolumeSourceBuilder()
                                        .withMedium("Memory")
                                        .withSizeLimit(new Quantity(pods.sharedMemory()))
                                        .build())
                        .endVolume();
        return plan.spread() ? apart(spec).build() : spec.build();
    }

    /** No two pods of a run on one node, whichever job they are of. */
    private PodSpecBuilder apart(final PodSpecBuilder spec) {
        return spec.withNewAffinity()
                .withNewPodAntiAffinity()
                .addNewRequiredDuringSchedulingIgnoredDuringExecution()
                .withNewLabelSelector()
                .withMatchLabels(Map.of(NAME, TICKMARK, INSTANCE, run))
                .endLabelSelector()
                .withTopologyKey("kubernetes.io/hostname")
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endPodAntiAffinity()
                .endAffinity();
    }
}

package io.tickmark.kubernetes;

import io.tickmark.lab.hosts.HostAccess;
import io.tickmark.lab.place.PlacedProcess;
import io.tickmark.lab.plan.KubernetesPlan;

/**
 * A pod as a host: its agent is started by exec.
 *
 * @param cluster that it is in
 * @param plan of all pods
 * @param name as a host
 * @param pod its name
 * @param address of it
 */
record PodHost(Cluster cluster, KubernetesPlan plan, String name, String pod, String address)
        implements HostAccess {
    @Override
    public String shown() {
        return "pod " + cluster.namespace() + "/" + pod;
    }

    @Override
    public PlacedProcess agent() {
        return cluster.start(pod, plan.home() + PodJobs.PROGRAM, "serve");
    }

    @Override
    public String trouble(final String said) {
        return said.contains("no such file") || said.contains("not found")
                ? "Pod %s has no tickmark in %s (%s); name its folder in the image with 'home:'."
                        .formatted(pod, plan.home(), said)
                : "Host %s was lost: %s; see 'kubectl describe pod %s -n %s'."
                        .formatted(name, said, pod, cluster.namespace());
    }

    @Override
    public String otherVersion() {
        return "The image of pod %s holds another build of tickmark than this one; make it again with 'deploy/package container'."
                .formatted(pod);
    }
}

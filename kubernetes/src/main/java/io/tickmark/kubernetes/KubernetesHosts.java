package io.tickmark.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.hosts.HostAccess;
import io.tickmark.lab.hosts.Hosts;
import io.tickmark.lab.place.PlacedProcess;
import io.tickmark.lab.place.Placement;
import io.tickmark.lab.place.Placements;
import io.tickmark.lab.plan.KubernetesPlan;
import io.tickmark.lab.plan.PodsPlan;
import io.tickmark.lab.plan.RoleInstance;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * The pods of a run, each with its agent. Opened before the run, closed after it; jobs that were
 * made for it are deleted then, and also where the process is ended by a signal.
 */
public final class KubernetesHosts implements Placements {
    private static final long LOOK_MS = 300;

    private final KubernetesPlan plan;
    private final Cluster cluster;
    private final String run;
    private final NanoClock clock;
    private final Thread undo = new Thread(this::undoQuietly, "delete-jobs");
    private boolean isToDelete;
    private PodWatch watch;
    private Hosts hosts;

    private KubernetesHosts(final KubernetesPlan plan, final Cluster cluster) {
        this.plan = plan;
        this.cluster = cluster;
        clock = SystemNanoClock.INSTANCE;
        run =
                plan.release().isEmpty()
                        ? "tickmark-%08x".formatted(ThreadLocalRandom.current().nextInt())
                        : plan.release();
    }

    /**
     * Creates the jobs where the plan names no release, waits for their pods, and starts the
     * agents.
     *
     * @param plan of the pods
     * @param progress told what is being done, sentence by sentence
     * @return the pods as hosts
     * @throws UserError that names what the cluster refuses, or the pod that does not come up; jobs
     *     that were made are deleted then, and where they cannot be it says so as well
     */
    public static Placements open(final KubernetesPlan plan, final Consumer<String> progress) {
        final KubernetesHosts opened = new KubernetesHosts(plan, Cluster.of(plan));
        try {
            opened.open(progress);
            return opened;
        } catch (final RuntimeException e) {
            try {
                opened.close();
            } catch (final UserError second) {
                throw UserError.environment(e.getMessage() + " " + second.getMessage(), e);
            }
            throw e;
        }
    }

    private void open(final Consumer<String> progress) {
        if (plan.release().isEmpty()) {
            final PodJobs jobs = new PodJobs(plan, run);
            final var made = plan.jobs().stream().map(jobs::job).toList();
            Runtime.getRuntime().addShutdownHook(undo);
            isToDelete = true;
            made.forEach(job -> {
                progress.accept(
                        "making job " + cluster.namespace() + "/" + job.getMetadata().getName());
                cluster.create(job);
            });
        }
        final List<HostAccess> machines = new ArrayList<>();
        for (final PodsPlan pods : plan.jobs()) {
            progress.accept("waiting for the pods of " + pods.name());
            machines.addAll(await(pods));
        }
        watch = new PodWatch(cluster, labels());
        hosts = Hosts.open(plan.placing(), machines, progress);
    }

    private Map<String, String> labels() {
        return Map.of(PodJobs.NAME, PodJobs.TICKMARK, PodJobs.INSTANCE, run);
    }

    private List<PodHost> await(final PodsPlan pods) {
        final long untilNs = clock.nanoTime() + plan.patience().toNanos();
        while (true) {
            final List<Pod> found = cluster.pods(PodJobs.labels(run, pods));
            final List<PodHost> running = new ArrayList<>();
            String missing = "";
            for (int index = 0; index < pods.count(); index++) {
                final String name = pods.hosts().get(index);
                final Optional<Pod> pod = at(found, index);
                if (pod.filter(PodState::isRunning).isPresent()) {
                    running.add(host(name, pod.get()));
                } else {
                    pod.flatMap(PodState::hopeless)
                            .ifPresent(why -> {
                                throw notUp(name, why);
                            });
                    missing =
                            missing.isEmpty()
                                    ? name + " " + pod.map(PodState::waitsFor).orElse("")
                                    : missing;
                }
            }
            if (running.size() == pods.count()) {
                return running;
            }
            if (clock.nanoTime() - untilNs >= 0) {
                throw late(pods, missing);
            }
            pause();
        }
    }

    private static Optional<Pod> at(final List<Pod> found, final int index) {
        return found.stream()
                .filter(pod ->
                        Integer.toString(index)
                                .equals(pod.getMetadata().getAnnotations().get(PodJobs.INDEX)))
                .findFirst();
    }

    private PodHost host(final String name, final Pod pod) {
        return new PodHost(
                cluster, plan, name, pod.getMetadata().getName(), pod.getStatus().getPodIP());
    }

    private static UserError notUp(final String host, final String why) {
        return UserError.environment(
                "The pod for host %s does not come up: %s.".formatted(host, why));
    }

    private UserError late(final PodsPlan pods, final String missing) {
        final String[] words = missing.split(" ", 2);
        final String why =
                words.length > 1 && !words[1].isEmpty()
                        ? words[1]
                        : cluster.event("Job", run + "-" + pods.name())
                                .orElse("there is none with the labels of " + run);
        return notUp(words[0], "not within " + plan.patience().toSeconds() + " s, " + why);
    }

    private static void pause() {
        try {
            Thread.sleep(LOOK_MS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw UserError.environment("Waiting for the pods was interrupted.");
        }
    }

    @Override
    public Map<String, Placement> place(final List<RoleInstance> instances) {
        return hosts.place(instances);
    }

    @Override
    public Map<String, Map<String, Object>> environments() {
        return hosts.environments();
    }

    private synchronized void undo() {
        if (isToDelete) {
            isToDelete = false;
            cluster.delete(labels());
        }
    }

    private void undoQuietly() {
        try {
            undo();
        } catch (final RuntimeException e) {
            // there is no one left to notify; pods without an agent end by themselves
        }
    }

    /**
     * Ends the agents and all they started, and deletes the jobs that were made.
     *
     * @throws UserError if something was left running
     */
    @Override
    public void close() {
        try (cluster) {
            try {
                if (watch != null) {
                    watch.close();
                }
                if (hosts != null) {
                    hosts.close();
                }
            } finally {
                undoNow();
            }
        }
    }

    private void undoNow() {
        try {
            undo();
        } catch (final UserError e) {
            throw UserError.environment(
                    "%s They are still there: 'kubectl delete jobs -n %s -l %s=%s'."
                            .formatted(e.getMessage(), cluster.namespace(), PodJobs.INSTANCE, run),
                    e);
        } finally {
            try {
                Runtime.getRuntime().removeShutdownHook(undo);
            } catch (final IllegalStateException e) {
                // it is at work
            }
        }
    }

    /**
     * A pod as a host: its agent is started by exec.
     *
     * @param cluster that it is in
     * @param plan of all pods
     * @param name as a host
     * @param pod its name
     * @param address of it
     */
    private record PodHost(
            Cluster cluster, KubernetesPlan plan, String name, String pod, String address)
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
            return ("The image of pod %s holds another build of tickmark than this one; build it again with 'deploy/package "
                            + "container'.")
                    .formatted(pod);
        }
    }

    /**
     * Looks at the pods of a run once in five seconds: a node that lost its network ends no stream,
     * and an API server that is gone says nothing. Streams of such pods are cut, so that their
     * trial ends.
     */
    private static final class PodWatch implements AutoCloseable {
        private static final long LOOK_MS = 5_000;
        private static final int UNHEARD_AT_MOST = 3;

        private final Cluster cluster;
        private final Map<String, String> labels;
        private final Thread thread;

        PodWatch(final Cluster cluster, final Map<String, String> labels) {
            this.cluster = cluster;
            this.labels = labels;
            thread = Thread.ofPlatform().daemon().name("pods").start(this::watch);
        }

        private void watch() {
            int unheard = 0;
            while (true) {
                try {
                    Thread.sleep(LOOK_MS);
                    look();
                    unheard = 0;
                } catch (final InterruptedException e) {
                    return;
                } catch (final UserError e) {
                    if (++unheard == UNHEARD_AT_MOST) {
                        cluster.cut(pod -> true);
                    }
                }
            }
        }

        private void look() {
            final List<String> running =
                    cluster.pods(labels).stream()
                            .filter(PodState::isRunning)
                            .map(Pod::getMetadata)
                            .map(each -> each.getName())
                            .toList();
            cluster.cut(pod -> !running.contains(pod));
        }

        @Override
        public void close() {
            thread.interrupt();
        }
    }
}

package io.tickmark.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.tickmark.kernel.settings.UserError;
import java.util.List;
import java.util.Map;

/**
 * Looks at the pods of a run once in five seconds: a node that lost its network ends no stream, and
 * an API server that is gone says nothing. Streams of such pods are cut, so that their trial ends.
 */
final class PodWatch implements AutoCloseable {
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

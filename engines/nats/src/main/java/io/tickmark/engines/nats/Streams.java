package io.tickmark.engines.nats;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfo;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.Deletion;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.SystemNanoClock;

/** Sees to it that the stream of a topic exists as the channel asks for it. */
final class Streams {
    static final JetStreamOptions OPTIONS =
            JetStreamOptions.builder().requestTimeout(Duration.ofSeconds(10)).build();

    static final int NOT_FOUND = 404;

    /** "No suitable peers for placement": so a cluster answers whose members just came together. */
    private static final int NO_PEERS = 10005;

    /** "JetStream system temporarily unavailable": it has no leader at the moment. */
    private static final int NO_LEADER = 10008;

    private static final Duration CLUSTER_PATIENCE = Duration.ofSeconds(20);
    private static final long PAUSE_NS = Duration.ofMillis(100).toNanos();

    private Streams() {}

    /** Makes it where it does not exist yet. */
    static StreamInfo ensure(
            final NatsChannel channel, final Connection connection, final Topic topic) {
        try {
            final JetStreamManagement management = connection.jetStreamManagement(OPTIONS);
            return checked(channel, existing(channel, management, topic));
        } catch (final IOException | JetStreamApiException | IllegalStateException e) {
            throw Connections.refused(
                    channel, "the stream '" + channel.stream(topic) + "' cannot be had", e);
        }
    }

    private static StreamInfo existing(
            final NatsChannel channel, final JetStreamManagement management, final Topic topic)
            throws IOException, JetStreamApiException {
        try {
            return management.getStreamInfo(channel.stream(topic));
        } catch (final JetStreamApiException e) {
            if (e.getErrorCode() != NOT_FOUND) {
                throw e;
            }
            return made(management, wanted(channel, topic));
        }
    }

    private static StreamInfo made(
            final JetStreamManagement management, final StreamConfiguration wanted)
            throws IOException, JetStreamApiException {
        final long endNs = SystemNanoClock.INSTANCE.nanoTime() + CLUSTER_PATIENCE.toNanos();
        while (true) {
            try {
                return management.addStream(wanted);
            } catch (final JetStreamApiException e) {
                final boolean mayPass =
                        e.getApiErrorCode() == NO_PEERS || e.getApiErrorCode() == NO_LEADER;
                if (!mayPass
                        || Thread.currentThread().isInterrupted()
                        || SystemNanoClock.INSTANCE.nanoTime() - endNs > 0) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
    }

    private static StreamConfiguration wanted(final NatsChannel channel, final Topic topic) {
        final JetStreamParameters parameters = channel.parameters();
        return StreamConfiguration.builder()
                .name(channel.stream(topic))
                .subjects(channel.storedSubject(topic))
                .storageType(storage(parameters))
                .replicas(parameters.replicas())
                .retentionPolicy(retention(parameters))
                .discardPolicy(DiscardPolicy.New)
                .duplicateWindow(parameters.dedupWindow())
                .build();
    }

    private static StreamInfo checked(final NatsChannel channel, final StreamInfo info) {
        final StreamConfiguration is = info.getConfiguration();
        final JetStreamParameters wanted = channel.parameters();
        if (is.getStorageType() != storage(wanted)
                || is.getReplicas() != wanted.replicas()
                || is.getRetentionPolicy() != retention(wanted)) {
            throw NatsChannel.wrong(
                    channel.uri(),
                    "the stream '%s' has storage=%s, replicas=%d and %s retention; ask for these, or give ?subject="
                            .formatted(
                                    is.getName(),
                                    is.getStorageType().toString().toLowerCase(Locale.ROOT),
                                    is.getReplicas(),
                                    is.getRetentionPolicy().toString().toLowerCase(Locale.ROOT)));
        }
        return info;
    }

    private static StorageType storage(final JetStreamParameters parameters) {
        return parameters.storage() == Storage.FILE ? StorageType.File : StorageType.Memory;
    }

    private static RetentionPolicy retention(final JetStreamParameters parameters) {
        return parameters.deletion() == Deletion.KEPT
                ? RetentionPolicy.Limits
                : RetentionPolicy.WorkQueue;
    }
}

package io.tickmark.workloads.market.publisher;

import io.tickmark.kernel.role.RoleContext;
import io.tickmark.workloads.market.Peer;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.rssl.ConnectionSettings;
import io.tickmark.workloads.market.source.EncodeTime;
import java.util.concurrent.atomic.AtomicReference;

/** What the connections of one publisher have in common. Any thread. */
final class PublisherShared {
    private final PublisherSettings settings;
    private final RoleContext context;
    private final Peer hub;
    private final ConnectionSettings connection;
    private final FieldDictionary dictionary;
    private final MessageFile messages;
    private final AtomicReference<String> failure = new AtomicReference<>("");
    private volatile long startAtNs = Long.MAX_VALUE;
    private volatile boolean ended;

    PublisherShared(
            final PublisherSettings settings,
            final RoleContext context,
            final Peer hub,
            final ConnectionSettings connection,
            final FieldDictionary dictionary,
            final MessageFile messages) {
        this.settings = settings;
        this.context = context;
        this.hub = hub;
        this.connection = connection;
        this.dictionary = dictionary;
        this.messages = messages;
    }

    PublisherSettings settings() {
        return settings;
    }

    RoleContext context() {
        return context;
    }

    Peer hub() {
        return hub;
    }

    ConnectionSettings connection() {
        return connection;
    }

    FieldDictionary dictionary() {
        return dictionary;
    }

    MessageFile messages() {
        return messages;
    }

    /** Of one thread, from 1. */
    EncodeTime encodeTime(final int thread) {
        return settings.source().encodeTime(context, thread == 1 ? "" : "-" + thread);
    }

    /** Updates may begin. */
    void startAt(final long atNs) {
        startAtNs = atNs;
    }

    long startAtNs() {
        return startAtNs;
    }

    void fail(final String sentence) {
        failure.compareAndSet("", sentence);
        ended = true;
    }

    void end() {
        ended = true;
    }

    boolean isOver() {
        return ended || context.isStopped();
    }

    /** Empty where all went well. */
    String failure() {
        return failure.get();
    }
}

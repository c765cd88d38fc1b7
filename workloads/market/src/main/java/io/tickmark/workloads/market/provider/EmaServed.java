package io.tickmark.workloads.market.provider;

import com.refinitiv.ema.access.OmmProvider;
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.source.EmaSink;
import io.tickmark.workloads.market.source.FedItem;
import io.tickmark.workloads.market.source.ItemFeed;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.collections.Long2ObjectHashMap;

/** One consumer of a provider on the Message API. One thread. */
final class EmaServed extends ServedConsumer {
    private final EmaSink sink;
    private final ProviderCounts counts;
    private final Line line;
    private final Long2ObjectHashMap<FedItem> items = new Long2ObjectHashMap<>();
    private final ArrayDeque<FedItem> snapshots = new ArrayDeque<>();
    private final ArrayDeque<EmaAnswer> answers = new ArrayDeque<>();
    private long answersBytes;
    private long answersRefused;

    /**
     * The library's side of it.
     *
     * @param provider to submit to
     * @param client the library's handle of the consumer
     * @param waitingAnswers of all consumers
     */
    record Line(OmmProvider provider, long client, AtomicInteger waitingAnswers) {}

    EmaServed(
            final ItemFeed feed, final EmaSink sink, final ProviderCounts counts, final Line line) {
        super(feed, sink, counts);
        this.sink = sink;
        this.counts = counts;
        this.line = line;
    }

    /** The library's handle of the consumer. */
    long client() {
        return line.client();
    }

    /** An item was asked for, the first time or once more. */
    void request(
            final long handle,
            final String name,
            final MessageFile.Messages messages,
            final boolean isStreaming) {
        forgetSnapshots();
        FedItem item = items.get(handle);
        if (item == null) {
            item = new FedItem(handle, name, messages, isStreaming);
            items.put(handle, item);
            if (!isStreaming) {
                snapshots.add(item);
            }
        }
        feed().wantImage(item, true);
    }

    /** Those that are sent: with the image the library ends the stream, and says nothing of it. */
    private void forgetSnapshots() {
        while (!snapshots.isEmpty() && !snapshots.peek().wantsImage()) {
            final long handle = snapshots.poll().handle();
            generics().forget(handle);
            items.remove(handle);
        }
    }

    /** Items of which something is or may be sent, and snapshots since the last request. */
    int items() {
        return items.size();
    }

    /** A numbered generic message has come. */
    void generic(final long handle, final long sequence) {
        if (items.containsKey(handle)) { // else nothing would ever end it
            generics().onMessage(handle, sequence);
        }
    }

    /** An item is not wanted any more. */
    void close(final long handle, final long nowNs) {
        generics().forget(handle);
        final FedItem item = items.remove(handle);
        if (item != null) {
            remove(item, nowNs);
        }
    }

    /** Takes a copy of what answers a post, counted already as one that waits. */
    void answer(final EmaAnswer copy) {
        answers.add(copy);
        answersBytes += bytes(copy);
    }

    private static long bytes(final EmaAnswer copy) {
        return HEADER_BYTES + copy.contentBytes();
    }

    /** The consumer has gone: it is not answered any more. */
    void forgetAnswers() {
        line.waitingAnswers().addAndGet(-answers.size());
        answers.clear();
        answersBytes = 0;
    }

    @Override
    void sendWaiting() {
        while (!answers.isEmpty()) {
            final long unsentBefore = counts.unsent().get();
            if (!answers.peek().isTakenBy(line.provider(), () -> counts.unsent().increment())) {
                answersRefused++;
                return;
            }
            final EmaAnswer sent = answers.poll();
            answersBytes -= bytes(sent);
            line.waitingAnswers().decrementAndGet();
            if (sent.isReflection() && counts.unsent().get() == unsentBefore) {
                counts.reflected().increment();
            }
        }
    }

    @Override
    long waitingBytes() {
        return answersBytes;
    }

    @Override
    long noBuffer() {
        return sink.noBuffer() + answersRefused;
    }

    /** The library keeps that to itself. */
    @Override
    int buffersInUse() {
        return 0;
    }

    @Override
    String failure() {
        return sink.failure();
    }
}

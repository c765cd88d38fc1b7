package io.tickmark.workloads.feed.conflate;

import java.util.List;
import java.util.function.Function;

/**
 * A policy that comes with tickmark.
 *
 * @param queues makes its queues
 */
record BuiltInPolicy(String name, String summary, Function<QueueContext, OutboundQueue> queues)
        implements ConflationPolicy {

    static final List<ConflationPolicy> ALL =
            List.of(
                    new BuiltInPolicy(
                            "merge",
                            "Only the last value of a symbol is sent when it may be; earlier ones are merged into it.",
                            MergeQueue::new),
                    new BuiltInPolicy(
                            "buffer",
                            "Every message is kept and sent when it may be; nothing is lost.",
                            BufferQueue::new),
                    new BuiltInPolicy(
                            "ignore",
                            "A message that may not be sent when it comes is dropped; nothing is ever late.",
                            IgnoreQueue::new));

    @Override
    public OutboundQueue queue(final QueueContext session) {
        return queues.apply(session);
    }
}

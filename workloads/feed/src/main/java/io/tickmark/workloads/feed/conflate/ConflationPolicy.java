package io.tickmark.workloads.feed.conflate;

/**
 * What happens to messages that may not be sent yet, because their symbol has used its share or the
 * client has not acknowledged enough. Found by {@link java.util.ServiceLoader}: your own policy is
 * one class that implements this, named in {@code
 * META-INF/services/io.tickmark.workloads.feed.conflate.ConflationPolicy} of a jar among the
 * plug-ins. It is then a choice on the page, in plans and in the REST interface.
 */
public interface ConflationPolicy {
    /**
     * Its name for users.
     *
     * @return lower case with dashes, unique
     */
    String name();

    /**
     * What it does.
     *
     * @return one sentence, shown on the page
     */
    String summary();

    /**
     * A queue for one session.
     *
     * @param session what the queue is for
     * @return a new queue, used by one thread
     */
    OutboundQueue queue(QueueContext session);
}

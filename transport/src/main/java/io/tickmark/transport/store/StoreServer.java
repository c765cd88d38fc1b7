package io.tickmark.transport.store;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Topic;
import java.nio.file.Path;
import java.util.List;

/**
 * A store that keeps messages, of one or several members: started, verified, read back, killed.
 * Members are separate processes wherever the engine can be one, so that a killed one dies as in a
 * crash. Single-threaded, never a hot thread, except for {@link #kill} and {@link #restart}: those
 * of different members may overlap, and a kill may hit a member that is starting.
 */
public interface StoreServer extends AutoCloseable {
    /**
     * Starts all members and waits until they accept messages; what an earlier run left in the
     * directory is recovered first.
     *
     * @throws io.tickmark.kernel.settings.UserError if the engine does not start: a port in use, a
     *     directory that cannot be used
     */
    void start();

    /**
     * The channel by which publications and subscriptions reach it, all members named in it; valid
     * once started, and the same after a member was killed and restarted.
     *
     * @return the resolved channel
     */
    ChannelUri endpoint();

    /**
     * How many members it has.
     *
     * @return at least 1
     */
    int members();

    /**
     * Kills a member at once, like a crash: nothing is flushed. Returns when it is gone. It does
     * not wait for a restart, of this member or another: a restart in progress then fails.
     *
     * @param member from 1
     */
    void kill(int member);

    /**
     * Restarts a killed member with the data that it has, and waits until it accepts messages.
     *
     * @param member from 1
     * @throws io.tickmark.kernel.settings.UserError if it does not start
     */
    void restart(int member);

    /**
     * Checks what is on the disks; also while it does not run, but not while messages are written.
     *
     * @param topic to check
     * @return what it found
     */
    Verification verify(Topic topic);

    /**
     * Reads stored messages back, from disk wherever the files are accessible and complete: not
     * where messages are in memory, or where only the engine knows which are deleted. Nothing is
     * written meanwhile; where files suffice, the store need not run.
     *
     * @param topic to read
     * @param fromOrdinal first message to read
     * @param handler called for each message in order, each once however many members have it, on
     *     the caller's thread
     * @return messages passed to the handler
     * @throws io.tickmark.kernel.settings.UserError if it cannot be read, or not to its end:
     *     messages that were not passed on are then not known to be missing
     */
    long readBack(Topic topic, long fromOrdinal, MessageHandler handler);

    /**
     * The first message that the store still has of a topic, where others than its readers may
     * delete messages: a limit or a policy of the server, or another program. It is asked for where
     * messages are missing.
     *
     * @param topic to look for
     * @return its ordinal, or that of the next message where it has none; 0 by default, for stores
     *     from which nobody else deletes, or which do not report it
     * @throws io.tickmark.kernel.settings.UserError if the store does not answer
     */
    default long firstOrdinal(final Topic topic) {
        return 0;
    }

    /**
     * Counts the whole messages that each member has on its disk, so that one that was down and did
     * not catch up is detected; same conditions as {@link #verify}.
     *
     * @param topic to count
     * @return a count for each member, from the first; empty where an engine does not report it
     */
    default List<Long> onMembers(final Topic topic) {
        return List.of();
    }

    /**
     * What the engine complained about: no room on its disk, a request refused. For warnings.
     *
     * @return the first distinct ones, a line each
     */
    default List<String> troubles() {
        return List.of();
    }

    /**
     * Which members ended although nobody stopped them, and how. For warnings.
     *
     * @return sentences that name the server and its exit status
     */
    default List<String> ended() {
        return List.of();
    }

    /**
     * What was cut off the ends of files when members were started, which {@link #verify} no longer
     * finds.
     *
     * @return all since the store was created, in order; empty where the engine does that itself
     *     without reporting it
     */
    default List<Cut> cuts() {
        return List.of();
    }

    /**
     * Shuts it down in an orderly way and releases everything except its data, which the owner of
     * the directory deletes. {@link #start()} may restart it.
     */
    @Override
    void close();

    /**
     * The beginning of a message that a crash left, and that was cut off.
     *
     * @param file that it was in
     * @param offset where it began, in bytes
     * @param bytes its length
     */
    record Cut(Path file, long offset, long bytes) {}

    /**
     * What a verification found.
     *
     * @param messages whole messages on disk, of the member that has the most
     * @param tornBytes bytes of incomplete messages, left by a crash, over all members
     * @param corrupted messages whose checksum is wrong, over all members
     */
    record Verification(long messages, long tornBytes, long corrupted) {
        /** Of no file. */
        public static final Verification EMPTY = new Verification(0, 0, 0);

        /**
         * Adds up two parts of a store.
         *
         * @param other part
         * @return both
         */
        public Verification plus(final Verification other) {
            return new Verification(
                    messages + other.messages,
                    tornBytes + other.tornBytes,
                    corrupted + other.corrupted);
        }
    }
}

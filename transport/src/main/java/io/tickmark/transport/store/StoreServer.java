package io.tickmark.transport.store;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Topic;
import java.nio.file.Path;
import java.util.List;

/**
 * A store that keeps messages, of one or several members: started, verified, read back, killed.
 * Members are processes of their own wherever the engine can be one, so that a killed one dies as
 * it would by a crash. One thread, never a hot one, but for {@link #kill} and {@link #restart}:
 * those of different members may overlap, and a kill may hit a member on its way up.
 */
public interface StoreServer extends AutoCloseable {
    /**
     * Starts all members and waits until they can take messages; what an earlier life left in the
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
     * Ends a member at once, as a crash would: nothing is flushed. Returns when it is gone. It
     * waits for no restart, of this member or another: one that is on its way up then fails.
     *
     * @param member from 1
     */
    void kill(int member);

    /**
     * Brings a killed member back with the data that it has, and waits until it can take messages.
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
     * Reads stored messages back, from disk wherever that is at hand and tells what is there: not
     * where messages are in memory, or only the engine knows which are deleted. Nothing is written
     * meanwhile; where files tell, the store need not run.
     *
     * @param topic to read
     * @param fromOrdinal first message wanted
     * @param handler called for each message in order, each once however many members have it, on
     *     the caller's thread
     * @return messages handed over
     * @throws io.tickmark.kernel.settings.UserError if it cannot be read, or not to its end: what
     *     was not handed over is then not known to be missing
     */
    long readBack(Topic topic, long fromOrdinal, MessageHandler handler);

    /**
     * Counts the whole messages that each member has on its disk, so that one that was away and did
     * not get what it missed is seen; as {@link #verify}.
     *
     * @param topic to count
     * @return a count for each member, from the first; empty where an engine does not tell
     */
    default List<Long> onMembers(final Topic topic) {
        return List.of();
    }

    /**
     * What the engine complained about: no room on its disk, a request refused. For warnings.
     *
     * @return the first different ones, a line each
     */
    default List<String> troubles() {
        return List.of();
    }

    /**
     * What was cut from the ends of files when members were started, which {@link #verify} does not
     * find any more.
     *
     * @return all of its life, in order; empty where the engine does that itself and tells nobody
     */
    default List<Cut> cuts() {
        return List.of();
    }

    /**
     * Ends it in good order and releases all but its data, which whoever owns the directory
     * deletes. {@link #start()} may bring it back.
     */
    @Override
    void close();

    /**
     * The beginning of a message that a crash left, and that is gone.
     *
     * @param file that it was in
     * @param offset where it began, in bytes
     * @param bytes how much it was
     */
    record Cut(Path file, long offset, long bytes) {}

    /**
     * What a verification found.
     *
     * @param messages whole messages on disk, of the member that has the most
     * @param tornBytes bytes of incomplete messages, left by a crash, over all members
     * @param corrupted messages whose checksum is wrong, over all members
     */
    record Verification(long messages, long tornBytes, long corrupted) {}
}

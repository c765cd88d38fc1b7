package io.tickmark.workloads.market.source;

import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.kernel.loop.LoopGroup;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.workloads.market.DictionarySettings;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.rssl.ConnectionSettings;
import java.util.List;

/** State shared by the loops of a role that serves or publishes messages of a file. Any thread. */
public abstract class SourceGroup extends LoopGroup {
    private final ConnectionSettings connection;
    private final Sent sent;

    /**
     * What the loops send.
     *
     * @param settings of rates and encoding
     * @param files that the messages and the dictionary were read from
     * @param dictionary of the fields
     * @param messages for looking up only: a loop that encodes takes its own
     */
    public record Sent(
            SourceSettings settings,
            DictionarySettings files,
            FieldDictionary dictionary,
            MessageFile messages) {}

    /**
     * No loop runs yet.
     *
     * @param context of the role
     * @param loop what messages call a loop, such as {@code thread}
     * @param threads of the loops
     * @param part what the threads do with messages; null where they are not watched
     * @param connection settings of connections
     * @param sent by the loops
     */
    protected SourceGroup(
            final RoleContext context,
            final String loop,
            final List<HotThread> threads,
            final StallWatch.Part part,
            final ConnectionSettings connection,
            final Sent sent) {
        super(context, loop, threads, part);
        this.connection = connection;
        this.sent = sent;
    }

    /** {@return settings of connections} */
    public final ConnectionSettings connection() {
        return connection;
    }

    /** {@return the dictionary of the fields} */
    public final FieldDictionary dictionary() {
        return sent.dictionary;
    }

    /** {@return the messages, for looking up only} */
    public final MessageFile messages() {
        return sent.messages;
    }

    /** {@return the messages for a thread that encodes, and for that thread only} */
    public final MessageFile ownMessages() {
        return sent.files.messages(sent.dictionary);
    }

    /**
     * Measures how long a loop's encoding takes, if that is requested.
     *
     * @param number of the loop, from 1
     * @return for the sinks of that loop
     */
    public final EncodeTime encodeTime(final int number) {
        return new EncodeTime(
                context().clock(),
                sent.settings.measureEncode()
                        ? context().recording().latency("encodeNs" + LoopCounts.suffix(number))
                        : null);
    }
}

package io.tickmark.workloads.market.source;

import io.tickmark.kernel.loop.LoopGroup;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.rssl.ConnectionSettings;
import java.util.List;

/** State shared by the loops of a role that serves or publishes messages of a file. Any thread. */
public abstract class SourceGroup extends LoopGroup {
    private final ConnectionSettings connection;
    private final FieldDictionary dictionary;
    private final MessageFile messages;

    /**
     * None of them runs yet.
     *
     * @param context of the role
     * @param loop what a loop is to users, such as {@code thread}
     * @param threads of the loops
     * @param part what they are watched as; null where they are not
     * @param connection settings of connections
     * @param dictionary of the fields
     * @param messages that are sent
     */
    protected SourceGroup(
            final RoleContext context,
            final String loop,
            final List<HotThread> threads,
            final StallWatch.Part part,
            final ConnectionSettings connection,
            final FieldDictionary dictionary,
            final MessageFile messages) {
        super(context, loop, threads, part);
        this.connection = connection;
        this.dictionary = dictionary;
        this.messages = messages;
    }

    /** {@return settings of connections} */
    public final ConnectionSettings connection() {
        return connection;
    }

    /** {@return the dictionary of the fields} */
    public final FieldDictionary dictionary() {
        return dictionary;
    }

    /** {@return the messages that are sent} */
    public final MessageFile messages() {
        return messages;
    }
}

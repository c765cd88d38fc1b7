package io.tickmark.kernel.role;

import java.util.List;
import java.util.stream.IntStream;

/**
 * A thread that works while a trial measures.
 *
 * @param name shown in results, for example {@code publisher}
 * @param idle how it waits by the user's choice; AUTO lets the host decide
 * @param core CPU number that the role's settings name for it; -1 lets the plan decide
 */
public record HotThread(String name, IdleMode idle, int core) {
    /**
     * A thread for which the host decides how it waits and where it runs.
     *
     * @param name shown in results
     */
    public HotThread(final String name) {
        this(name, IdleMode.AUTO, -1);
    }

    /**
     * The threads of a role that has several of a kind: {@code consumer-1}, {@code consumer-2}.
     *
     * @param name of each, without its number
     * @param count how many
     * @param idle how each waits by the user's choice; AUTO lets the host decide
     * @return in the order of their numbers
     */
    public static List<HotThread> numbered(
            final String name, final int count, final IdleMode idle) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(number -> new HotThread(name + "-" + number, idle, -1))
                .toList();
    }

    /**
     * The same thread, waiting as its settings say.
     *
     * @param wanted requested by the user; AUTO lets the host decide
     * @return what a factory declares
     */
    public HotThread waiting(final IdleMode wanted) {
        return new HotThread(name, wanted, core);
    }

    /**
     * The same thread on the core that its settings name.
     *
     * @param wanted CPU number; -1 lets the plan decide
     * @return what a factory declares; the host pins it where the role requests it
     */
    public HotThread on(final int wanted) {
        return new HotThread(name, idle, wanted);
    }
}

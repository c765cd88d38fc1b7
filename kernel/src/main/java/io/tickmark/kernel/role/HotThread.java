package io.tickmark.kernel.role;

/**
 * A thread that works while a trial measures.
 *
 * @param name shown in results, for example {@code publisher}
 * @param idle how the user wants it to wait; AUTO leaves it to the host
 * @param core CPU number that the role's settings name for it; -1 leaves that to the plan
 */
public record HotThread(String name, IdleMode idle, int core) {
    /**
     * A thread of which the host decides how it waits and where it runs.
     *
     * @param name shown in results
     */
    public HotThread(final String name) {
        this(name, IdleMode.AUTO, -1);
    }

    /**
     * The same thread, waiting as its settings say.
     *
     * @param wanted by the user; AUTO leaves it to the host
     * @return what a factory declares
     */
    public HotThread waiting(final IdleMode wanted) {
        return new HotThread(name, wanted, core);
    }

    /**
     * The same thread on the core that its settings name.
     *
     * @param wanted CPU number; -1 leaves it to the plan
     * @return what a factory declares; the host pins it where the role asks for it
     */
    public HotThread on(final int wanted) {
        return new HotThread(name, idle, wanted);
    }
}

package io.tickmark.kernel.role;

/**
 * A thread that works while a trial measures.
 *
 * @param name shown in results, for example {@code publisher}
 * @param primary whether it is the publisher or the echo: those spin also where there are more hot
 *     threads than cores
 * @param idle how the user wants it to wait; AUTO leaves it to the host
 */
public record HotThread(String name, boolean primary, IdleMode idle) {
    /**
     * A thread of which the host decides how it waits.
     *
     * @param name shown in results
     * @param primary whether it is the publisher or the echo
     */
    public HotThread(final String name, final boolean primary) {
        this(name, primary, IdleMode.AUTO);
    }

    /**
     * The same thread, waiting as its settings say.
     *
     * @param wanted by the user; AUTO leaves it to the host
     * @return what a factory declares
     */
    public HotThread waiting(final IdleMode wanted) {
        return new HotThread(name, primary, wanted);
    }
}

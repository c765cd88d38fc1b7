package io.tickmark.kernel.role;

/**
 * A thread that works while a trial measures.
 *
 * @param name shown in results, for example {@code publisher}
 * @param primary whether it is the publisher or the echo: those spin also where there are more hot
 *     threads than cores
 */
public record HotThread(String name, boolean primary) {}

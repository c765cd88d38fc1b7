/**
 * Loops of a role on separate threads: what each counts and times, declared once as a record, and
 * the console lines, statistics files, summaries, step counts, warnings and metrics derived from
 * it. What a loop does, and what a role concludes from it, belongs to the role.
 *
 * <p>{@link io.tickmark.kernel.loop.LoopGroup} runs the loops of roles that are those loops: the
 * first one on the role's own thread, from the start of the run to its end. Servers start their
 * threads themselves (the feed and its sessions, the workers of the FIX gateway): they serve before
 * the run begins, while the role's own thread only looks on, a thread that fails must not end the
 * others, and the feed's also run in the console, where there is no role.
 */
package io.tickmark.kernel.loop;

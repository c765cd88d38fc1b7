/**
 * Loops of a role on separate threads: what each counts and times, declared once as a record, and
 * the console lines, statistics files, summaries, step counts, warnings and metrics derived from
 * it. What a loop does, and what a role concludes from it, belongs to the role.
 */
package io.tickmark.kernel.loop;

/**
 * Loops of a role on threads of their own: what each counts and times, declared once as a record,
 * and the console lines, statistics files, summaries and metrics that are made of it. What a loop
 * does, and what a role concludes from it, stays with the role.
 */
package io.tickmark.kernel.loop;

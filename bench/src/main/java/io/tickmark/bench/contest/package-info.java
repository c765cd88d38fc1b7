/**
 * Contests as values: which programs are measured in turn, which figures are compared, what the
 * goal is, and how the outcome reads. Nothing here starts a process.
 */
package io.tickmark.bench.contest;

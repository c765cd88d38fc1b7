/** Figures of runs over months: a database of them, and the points at which they changed. */
package io.tickmark.history;

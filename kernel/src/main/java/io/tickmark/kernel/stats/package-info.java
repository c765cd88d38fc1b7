/** Summaries of recorded values; pure functions without state. */
package io.tickmark.kernel.stats;

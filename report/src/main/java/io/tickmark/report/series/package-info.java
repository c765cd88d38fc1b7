/** Curves and time lines from the histogram logs and statistics that roles left behind. */
package io.tickmark.report.series;

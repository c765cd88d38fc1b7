/** Curves and time lines from the histogram logs and statistics of roles. */
package io.tickmark.report.series;

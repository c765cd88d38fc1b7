/** The rows of a run prepared for display: repeats merged, tests and channels in blocks. */
package io.tickmark.report.rows;

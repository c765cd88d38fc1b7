/** The rows of a run put together for showing: repeats merged, tests and channels in blocks. */
package io.tickmark.report.rows;

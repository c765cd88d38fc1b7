/** The parts of report.html: the data its script shows, and the file around both. */
package io.tickmark.report.page;

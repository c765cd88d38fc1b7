/** Figures, tables and paragraphs as text for a console; independent of results. */
package io.tickmark.report.text;

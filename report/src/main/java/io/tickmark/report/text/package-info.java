/** Figures, tables and paragraphs as text for a console; knows nothing of results. */
package io.tickmark.report.text;

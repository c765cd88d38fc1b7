/** The findings of a run, in sentences derived from its figures; the same on console and page. */
package io.tickmark.report.words;

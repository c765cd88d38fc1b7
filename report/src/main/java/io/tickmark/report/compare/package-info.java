/** A comparison as people and build servers read it: tables, page, Markdown, JUnit XML. */
package io.tickmark.report.compare;

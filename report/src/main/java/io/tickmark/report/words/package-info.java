/** What a run found out, in sentences made from its figures; the same on console and page. */
package io.tickmark.report.words;

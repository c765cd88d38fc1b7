/** What report.html is made of: the data its script shows, and the file around both. */
package io.tickmark.report.page;

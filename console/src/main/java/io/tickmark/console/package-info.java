/** The console: one page and its control interface over a feed server; measures nothing itself. */
package io.tickmark.console;

/** The performance console: a page, and the server behind it. */
package io.tickmark.console;

/** The process in which roles run, under a controller or by hand; no judging here. */
package io.tickmark.lab.host;

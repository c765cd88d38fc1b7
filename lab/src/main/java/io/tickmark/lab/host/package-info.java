/** The process in which roles run, by a controller's word or by hand; nothing here judges. */
package io.tickmark.lab.host;

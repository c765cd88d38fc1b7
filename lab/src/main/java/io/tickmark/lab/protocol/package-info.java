/** The messages between controller and role process: one JSON value a line, bounded. */
package io.tickmark.lab.protocol;

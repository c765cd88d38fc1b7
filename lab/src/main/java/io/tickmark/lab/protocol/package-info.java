/** What controller and role process say to each other: one JSON value a line, bounded. */
package io.tickmark.lab.protocol;

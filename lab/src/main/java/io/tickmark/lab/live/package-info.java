/** The state of a running run, as shown to others and as recorded second by second. */
package io.tickmark.lab.live;

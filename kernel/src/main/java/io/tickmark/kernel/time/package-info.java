/** Clocks and pacing: when the next message is due; nothing here sends or records. */
package io.tickmark.kernel.time;

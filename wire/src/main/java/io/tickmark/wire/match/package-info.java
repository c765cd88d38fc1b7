/**
 * Finds the same message again on its way: FIX messages that go in and come out, and stamped
 * messages of this bench; records the time between.
 */
package io.tickmark.wire.match;

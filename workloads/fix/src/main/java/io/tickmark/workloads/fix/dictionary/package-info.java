/**
 * The content of FIX messages, by the numbers of their fields; independent of sessions and
 * connections.
 */
package io.tickmark.workloads.fix.dictionary;

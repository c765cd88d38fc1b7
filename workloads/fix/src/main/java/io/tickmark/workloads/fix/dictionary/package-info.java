/** What FIX messages hold, by the numbers of their fields; nothing of sessions or connections. */
package io.tickmark.workloads.fix.dictionary;

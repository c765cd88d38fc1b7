/** What latency and stream share: channel and pace settings, steps, messages. */
package io.tickmark.workloads.messaging;

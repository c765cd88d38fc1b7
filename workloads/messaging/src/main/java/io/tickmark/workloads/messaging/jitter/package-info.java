/** How often and for how long a core is stalled. */
package io.tickmark.workloads.messaging.jitter;

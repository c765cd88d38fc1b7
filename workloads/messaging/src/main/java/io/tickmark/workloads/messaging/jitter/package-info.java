/** How often and for how long a core stops working for us. */
package io.tickmark.workloads.messaging.jitter;

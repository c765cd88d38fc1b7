/** The transport alone: opaque messages over RSSL, with no message model on top. */
package io.tickmark.workloads.market.transport;

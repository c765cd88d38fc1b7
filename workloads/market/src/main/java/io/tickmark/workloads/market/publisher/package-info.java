/** The non-interactive provider: connects to a hub and publishes without being asked. */
package io.tickmark.workloads.market.publisher;

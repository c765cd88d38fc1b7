/** The non-interactive provider: connects to a hub and publishes unsolicited. */
package io.tickmark.workloads.market.publisher;

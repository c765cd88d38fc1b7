/** The consumer: requests items, decodes received messages, and times them. */
package io.tickmark.workloads.market.consumer;

/** The consumer: requests items, decodes what comes, and times it. */
package io.tickmark.workloads.market.consumer;

/** Counts and timings of market-data roles, and the files in the formats that their users know. */
package io.tickmark.workloads.market.measure;

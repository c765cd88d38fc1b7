/** What market-data roles count and time, and the files in the formats that their users know. */
package io.tickmark.workloads.market.measure;

/** What the workload's messages carry besides market data, and the template they are made from. */
package io.tickmark.workloads.fix.message;

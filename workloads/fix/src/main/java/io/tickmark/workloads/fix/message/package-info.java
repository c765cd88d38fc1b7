/**
 * The fields of the workload's messages besides market data, and the template that they are created
 * from.
 */
package io.tickmark.workloads.fix.message;

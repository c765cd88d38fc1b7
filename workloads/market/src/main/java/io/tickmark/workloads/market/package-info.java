/** Market data over RSSL: consumer, providers and hub. */
package io.tickmark.workloads.market;

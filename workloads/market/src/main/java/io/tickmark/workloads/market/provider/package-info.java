/** The interactive provider: accepts consumers and answers their requests. */
package io.tickmark.workloads.market.provider;

/** The interactive provider: accepts consumers and answers what they ask for. */
package io.tickmark.workloads.market.provider;

package io.tickmark.workloads.market.provider;

import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.workloads.market.measure.SteadyCost;

/**
 * What one thread of a provider found out.
 *
 * @param counts that it made
 * @param cost of the whole seconds of the steady state in which a consumer was there
 */
record ProviderFindings(LoopCounts<ProviderCounts> counts, SteadyCost cost) {}

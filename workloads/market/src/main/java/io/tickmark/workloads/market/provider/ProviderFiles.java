package io.tickmark.workloads.market.provider;

import io.tickmark.kernel.settings.Setting;

/**
 * Files of the interactive provider.
 *
 * @param summaryFile its summary
 * @param statsFile its statistics, the thread's number appended
 * @param latencyFile each latency, the thread's number appended; empty for none
 */
public record ProviderFiles(
        @Setting(
                        help =
                                "File of the summary, in the role's folder; by hand without --out, where you are.",
                        byDefault = "IProvSummary.out",
                        label = "FILE")
                String summaryFile,
        @Setting(
                        help =
                                "File of the statistics, where the summary is; the thread's number and .csv are appended.",
                        byDefault = "ProvStats",
                        label = "FILE")
                String statsFile,
        @Setting(
                        help =
                                "File of each latency of generic messages; the thread's number and .csv "
                                        + "are appended; none is written where left out.",
                        label = "FILE")
                String latencyFile) {}

package io.tickmark.workloads.market.consumer;

import io.tickmark.kernel.settings.Setting;

/**
 * Files of the consumer.
 *
 * @param summaryFile its summary
 * @param statsFile its statistics, the thread's number appended
 * @param latencyFile each latency, the thread's number appended; empty for none
 */
public record ConsumerFiles(
        @Setting(
                        help =
                                "File of the summary, in the role's folder; by hand without --out, where you are.",
                        byDefault = "ConsSummary.out",
                        label = "FILE")
                String summaryFile,
        @Setting(
                        help =
                                "File of the statistics, where the summary is; the thread's number and .csv are appended.",
                        byDefault = "ConsStats",
                        label = "FILE")
                String statsFile,
        @Setting(
                        help =
                                "File of each latency; the thread's number and .csv are appended; none "
                                        + "is written where left out.",
                        label = "FILE")
                String latencyFile) {}

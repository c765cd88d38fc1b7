package io.tickmark.workloads.market.publisher;

import io.tickmark.kernel.settings.Setting;

/**
 * Files of the non-interactive provider.
 *
 * @param summaryFile its summary
 * @param statsFile its statistics, the thread's number appended
 */
public record PublisherFiles(
        @Setting(
                        help =
                                "File of the summary, in the role's folder; by hand without --out, where you are.",
                        byDefault = "NIProvSummary.out",
                        label = "FILE")
                String summaryFile,
        @Setting(
                        help =
                                "File of the statistics, where the summary is; the thread's number and .csv are appended.",
                        byDefault = "NIProvStats",
                        label = "FILE")
                String statsFile) {}

package io.tickmark.workloads.market.measure;

import io.tickmark.kernel.settings.Setting;

/**
 * Files that every market-data role writes; each role has its own default names.
 *
 * @param summaryFile its summary
 * @param statsFile its statistics, the thread's number appended
 */
public record OutputFiles(
        @Setting(
                        help =
                                "File of the summary, in the role's folder; by hand without --out, in the current folder.",
                        label = "FILE")
                String summaryFile,
        @Setting(
                        help =
                                "File of the statistics, where the summary is; the thread's number and .csv are appended.",
                        label = "FILE")
                String statsFile) {}

package io.tickmark.workloads.messaging.calibrate;

import io.tickmark.kernel.settings.Setting;

/**
 * Settings of the calibration.
 *
 * @param channel always {@code null:}; its parameters belong to the scenarios
 * @param tolerancePercent largest deviation of a measured time from the programmed one, in per cent
 * @param toleranceNs the same in ns; the larger one applies
 */
public record CalibrateSettings(
        @Setting(
                        help = "Always null:, whose faults are programmed by the scenarios.",
                        byDefault = "null:",
                        label = "URI")
                String channel,
        @Setting(
                        help = "How far a measured time may be from the programmed one.",
                        byDefault = "1",
                        unit = Setting.PERCENT,
                        min = 0,
                        max = 100)
                double tolerancePercent,
        @Setting(
                        help = "The same as a time; the larger of the two holds.",
                        byDefault = "1000",
                        unit = "ns",
                        min = 0,
                        max = 6e10)
                long toleranceNs) {}

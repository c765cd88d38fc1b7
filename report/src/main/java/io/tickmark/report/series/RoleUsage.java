package io.tickmark.report.series;

import java.util.List;

/**
 * The resource usage of one role over time.
 *
 * @param role its name, with its number where there are several
 * @param cpuPercent of one core, empty where it was not measured
 * @param residentBytes memory, empty where it was not measured
 */
public record RoleUsage(
        String role, List<MeanLine.Point> cpuPercent, List<MeanLine.Point> residentBytes) {
    /** Copies the lists. */
    public RoleUsage {
        cpuPercent = List.copyOf(cpuPercent);
        residentBytes = List.copyOf(residentBytes);
    }

    /**
     * Its sort key among others.
     *
     * @return highest CPU of a point, 0 without one
     */
    double peakCpuPercent() {
        return cpuPercent.stream().mapToDouble(MeanLine.Point::value).max().orElse(0);
    }
}

package io.tickmark.kernel.record;

/** The values of a {@link ResourceSource} at one moment. */
record ResourceSample(double cpuPercent, long residentBytes) {
    static ResourceSample of(final ResourceSource source) {
        return new ResourceSample(source.cpuPercent(), source.residentBytes());
    }
}

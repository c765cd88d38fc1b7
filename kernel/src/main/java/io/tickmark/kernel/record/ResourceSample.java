package io.tickmark.kernel.record;

/** What a {@link ResourceSource} said at one moment. */
record ResourceSample(double cpuPercent, long residentBytes) {
    static ResourceSample of(final ResourceSource source) {
        return new ResourceSample(source.cpuPercent(), source.residentBytes());
    }
}

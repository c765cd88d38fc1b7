package io.tickmark.kernel.record;

/**
 * What the role's process uses of the machine; read by the reporter's thread about once a second.
 */
public interface ResourceSource {
    /** A source without values. */
    ResourceSource NONE =
            new ResourceSource() {
                @Override
                public double cpuPercent() {
                    return Double.NaN;
                }

                @Override
                public long residentBytes() {
                    return -1;
                }
            };

    /**
     * CPU time of the process, user and system, since the previous call; 100 is one core.
     *
     * @return per cent, NaN where it is not known
     */
    double cpuPercent();

    /**
     * Memory of the process that is in RAM now.
     *
     * @return bytes, -1 where it is not known
     */
    long residentBytes();
}

package io.tickmark.kernel.record;

/** Names of the files that a role leaves in its folder. */
public final class RoleFiles {
    /** Settings, counts, rates and latencies for a reader. */
    public static final String SUMMARY = "summary.txt";

    /**
     * One row for each second: counters, latencies, resources. A line that begins with {@code
     * time,} is a header and holds for the lines after it.
     */
    public static final String STATS = "stats.csv";

    /** HdrHistogram interval log; its tags are {@link HistogramTag}s. */
    public static final String HISTOGRAMS = "latency.hlog";

    /** Each latency, where it was requested. */
    public static final String EACH_LATENCY = "latency.csv";

    /**
     * When its hot threads were stalled, what the kernel counted meanwhile, and when its other
     * threads ran.
     */
    public static final String STALLS = "stalls.csv";

    /** The times of its messages, compressed; to find what delayed them. */
    public static final String MESSAGES = "messages.gz";

    /**
     * When the role's JVM held its threads up, and dropped compiled code, as the JVM itself logs
     * it; those of later processes of the role are in {@code pauses-2.log} and so on.
     */
    public static final String PAUSES = "pauses.log";

    /**
     * When planned faults had stopped its process, and where there are several hosts how many cores
     * and hot threads its host had, as the controller notes it.
     */
    public static final String CONTROLLER = "controller.csv";

    /** What the role's process wrote to its standard output and error. */
    public static final String LOG = "role.log";

    private RoleFiles() {}
}

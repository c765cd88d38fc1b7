package io.tickmark.lab.tail;

/** Why a thread was stalled, as far as it was observed, who is responsible and how it is known. */
public enum Cause {
    /** The kernel's record of switches: it was preempted, and none of the roles' threads ran. */
    PREEMPTED("machine", "another task ran on the core", "dated"),
    /** The kernel's record of switches on the core: a thread of the roles ran there instead. */
    ROLE_PREEMPTED("system", "other threads of the roles ran", "dated"),
    /** The same: compilers of a role's JVM. */
    COMPILATION("system", "a role's JVM compiled code; a longer warm-up helps", "dated"),
    /** The same: the bench's own threads beside those that measure. */
    BENCH_PREEMPTED("bench", "the bench's own reporter or controller ran", "dated"),
    /** Tracepoints of the core: the kernel's own work, whatever runs there. */
    INTERRUPT("machine", "the core handled a timer or another interrupt of the kernel", "dated"),
    /** The same: one that the test's own threads, their timers or packets may have caused. */
    OWN_INTERRUPT(
            "unknown",
            "the core handled an interrupt that the test itself may have caused",
            "dated"),
    /** The same: packets of a network device. */
    PACKETS("system", "the core handled packets of the network", "dated"),
    /** The kernel's run delay, minus the time that the roles' own threads ran. */
    CORE_TAKEN("machine", "another task ran on the core", "apportioned"),
    /**
     * Run delay where the test has more hot threads than cores, or while other threads of the roles
     * ran and another core may have carried them, or while records of the core are missing.
     */
    CORE_SHARED(
            "unknown", "another task or another thread of the test ran on the core", "apportioned"),
    /** Of what took its core, the part in which the quota of the control group was used up. */
    QUOTA("machine", "a quota of its control group kept it from its core", "apportioned"),
    /** Of what no counter shows, the part in which the hypervisor had its cores. */
    HYPERVISOR("machine", "the hypervisor used the core", "apportioned"),
    /** Run delay while the roles' other threads ran, more than other cores could carry. */
    ROLE_THREADS("system", "other threads of the roles ran", "apportioned"),
    /** SIGCONT was received at its end. */
    STOPPED("machine", "the process was stopped by a signal", "dated"),
    /** The same, or nothing else: while a fault of the plan had stopped the process. */
    PLANNED_STOP("bench", "a planned fault stopped the process", "dated"),
    /** The JVM's own log of its safepoints. */
    COLLECTION("system", "the role's JVM collected garbage", "dated"),
    /** The same; another operation than a collection. */
    SAFEPOINT("system", "the role's JVM held all its threads (a safepoint)", "dated"),
    /** On the core with minor faults, as far as these may have taken that long. */
    PAGE_FAULT("system", "pages of memory were mapped (page faults)", "apportioned"),
    /** Off the core with a major fault. */
    DISK_FAULT("system", "a page was read from disk", "apportioned"),
    /** Off the core, not waiting for it. */
    OFF_CORE("unknown", "off the core for an unknown reason", "inferred"),
    /** No counter says that it was off the core. */
    ON_CORE(
            "unknown",
            "on the core by the kernel's count, but not in its loop (interrupt, fault, hypervisor)",
            "inferred");

    private final String owner;
    private final String words;
    private final String evidence;

    Cause(final String owner, final String words, final String evidence) {
        this.owner = owner;
        this.words = words;
        this.evidence = evidence;
    }

    /**
     * The owner it is charged to.
     *
     * @return {@code machine}, {@code system}, {@code bench} or {@code unknown}
     */
    public String owner() {
        return owner;
    }

    /**
     * The cause for the user.
     *
     * @return a clause
     */
    public String words() {
        return words;
    }

    /**
     * How it is known.
     *
     * @return {@code dated}, {@code apportioned} or {@code inferred}
     */
    public String evidence() {
        return evidence;
    }

    boolean isMachine() {
        return owner.equals("machine");
    }
}

package io.tickmark.lab.host;

/**
 * The end of a process, with the hooks of engines, which remove driver folders and shared memory.
 *
 * <p>{@link System#exit} looks for a logger that would log it in every jar of the class path, which
 * takes longer than a short command: a process that has done its work ends by returning from its
 * main method where nothing else would keep it alive.
 */
public final class ProcessEnd {
    /** Time for the hooks. */
    private static final long HOOKS_MS = 2000;

    private ProcessEnd() {}

    /**
     * The last call of a main method: returns where the process then ends by itself with that exit
     * code, and ends it otherwise.
     *
     * @param exitCode of the process
     */
    public static void ofMain(final int exitCode) {
        if (exitCode != 0 || doOthersRun()) {
            System.exit(exitCode);
        }
    }

    private static boolean doOthersRun() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> !thread.isDaemon() && thread != Thread.currentThread());
    }

    /**
     * Ends the process of a role; any thread, any number of times. Roles that do not end, and hooks
     * that wait for them, do not prevent it.
     *
     * @param exitCode of the process
     */
    static void with(final int exitCode) {
        haltLater(exitCode);
        System.exit(exitCode);
    }

    /** The same, as the last call of the role's main method. */
    static void ofRole(final int exitCode) {
        haltLater(exitCode);
        ofMain(exitCode);
    }

    private static void haltLater(final int exitCode) {
        final Thread lastResort =
                new Thread(
                        () -> {
                            try {
                                Thread.sleep(HOOKS_MS);
                            } catch (final InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                            Runtime.getRuntime().halt(exitCode);
                        },
                        "last-resort");
        lastResort.setDaemon(true);
        lastResort.start();
    }
}

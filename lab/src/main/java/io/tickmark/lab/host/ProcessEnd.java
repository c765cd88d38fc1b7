package io.tickmark.lab.host;

/**
 * The end of a role's process with the hooks of engines, which remove driver folders and shared
 * memory; but roles that do not end, and hooks that wait for them, must not prevent it.
 */
final class ProcessEnd {
    /** Time for the hooks. */
    private static final long HOOKS_MS = 2000;

    private ProcessEnd() {}

    /** Ends the process; any thread, any number of times. */
    static void with(final int exitCode) {
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
        System.exit(exitCode);
    }
}

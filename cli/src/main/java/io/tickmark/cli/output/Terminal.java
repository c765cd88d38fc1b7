package io.tickmark.cli.output;

import io.tickmark.kernel.settings.IoReason;
import java.io.PrintStream;
import java.util.Optional;

/**
 * Where a command prints. Requested output is written to {@code out}, everything else to {@code
 * err}.
 *
 * @param out standard output
 * @param err standard error
 * @param outColumns width of the terminal of {@code out}, 0 where it is not a terminal
 * @param errColumns width of the terminal of {@code err}, 0 where it is not a terminal
 * @param colour whether terminals may get escape sequences
 */
public record Terminal(
        PrintStream out, PrintStream err, int outColumns, int errColumns, boolean colour) {
    /** Width of help and tables where there is no terminal. */
    private static final int PLAIN_COLUMNS = 100;

    /**
     * The process's own streams. The launcher checks whether they are terminals, which a JVM cannot
     * find out without starting another process.
     *
     * @return the streams, plain where the launcher does not report it
     */
    public static Terminal ofSystem() {
        final String noColour = System.getenv("NO_COLOR");
        return new Terminal(
                StandardOutput.ofProcess(),
                System.err,
                Integer.getInteger("tickmark.columns.out", 0),
                Integer.getInteger("tickmark.columns.err", 0),
                (noColour == null || noColour.isEmpty()) && !"dumb".equals(System.getenv("TERM")));
    }

    /**
     * Why text printed to {@code out} was lost.
     *
     * @return empty where nothing was, and where a reader of a pipe has gone
     */
    public Optional<String> lostOutput() {
        return switch (out) {
            case final StandardOutput own -> own.failure().map(IoReason::of);
            default -> out.checkError() ? Optional.of("a write failed") : Optional.empty();
        };
    }

    /**
     * Width to lay text out for.
     *
     * @return the terminal's, or a usual one
     */
    public int textColumns() {
        return outColumns > 0 ? outColumns : PLAIN_COLUMNS;
    }

    /**
     * Whether help may be bold.
     *
     * @return true on a terminal that supports colours
     */
    public boolean boldOut() {
        return colour && outColumns > 0;
    }
}

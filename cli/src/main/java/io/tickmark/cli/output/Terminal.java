package io.tickmark.cli.output;

import io.tickmark.kernel.settings.IoReason;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
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

    /**
     * The process's standard output, which keeps the reason of a failed write: a {@link
     * PrintStream} swallows it, and a command whose output is lost must not succeed.
     */
    public static final class StandardOutput extends PrintStream {
        private static final Path HERE = Path.of("/proc/self/fd/1");

        private final Watched watched;
        private final boolean isPipe;

        private StandardOutput(final Watched watched, final Charset charset, final boolean isPipe) {
            super(watched, true, charset);
            this.watched = watched;
            this.isPipe = isPipe;
        }

        /**
         * The output of this process.
         *
         * @return in the encoding that Java found
         */
        static StandardOutput ofProcess() {
            return to(new FileOutputStream(FileDescriptor.out), System.out.charset(), isPipe());
        }

        /**
         * Any other output.
         *
         * @param to receives the text at once
         * @param charset of the text
         * @param isPipe whether a failed write means that the reader has gone
         * @return printing there
         */
        public static StandardOutput to(
                final OutputStream to, final Charset charset, final boolean isPipe) {
            return new StandardOutput(new Watched(to), charset, isPipe);
        }

        private static boolean isPipe() {
            try {
                final String target = Files.readSymbolicLink(HERE).toString();
                return target.startsWith("pipe:") || target.startsWith("socket:");
            } catch (final IOException | UnsupportedOperationException e) {
                return false; // then the end of a pipe is reported like any other failed write
            }
        }

        /**
         * Why printed text was lost; the reason of the first failed write.
         *
         * @return empty where everything was written, and where the reader of a pipe has closed it
         */
        Optional<IOException> failure() {
            flush();
            return isPipe ? Optional.empty() : Optional.ofNullable(watched.failure);
        }

        private static final class Watched extends OutputStream {
            private final OutputStream to;
            private volatile IOException failure;

            Watched(final OutputStream to) {
                this.to = to;
            }

            @Override
            public void write(final int one) throws IOException {
                write(new byte[] {(byte) one}, 0, 1);
            }

            @Override
            public void write(final byte[] bytes, final int offset, final int length)
                    throws IOException {
                try {
                    to.write(bytes, offset, length);
                } catch (final IOException e) {
                    if (failure == null) {
                        failure = e;
                    }
                    throw e;
                }
            }

            @Override
            public void flush() throws IOException {
                try {
                    to.flush();
                } catch (final IOException e) {
                    if (failure == null) {
                        failure = e;
                    }
                    throw e;
                }
            }
        }
    }
}

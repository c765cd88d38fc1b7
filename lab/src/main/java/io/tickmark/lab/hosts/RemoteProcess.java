package io.tickmark.lab.hosts;

import io.tickmark.lab.place.PlacedProcess;
import io.tickmark.lab.plan.FaultPlan;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A role's process on another host, as the controller sees it. */
final class RemoteProcess implements PlacedProcess {
    private final int number;
    private final AgentLink link;
    private final Frames frames;
    private final Heard output = new Heard();
    private final Heard errors = new Heard();
    private final CompletableFuture<Integer> end = new CompletableFuture<>();

    RemoteProcess(final int number, final AgentLink link, final Frames frames) {
        this.number = number;
        this.link = link;
        this.frames = frames;
    }

    void heard(final int stream, final byte[] bytes) {
        (stream == Frames.OUTPUT ? output : errors).add(bytes);
    }

    void ended(final int exitCode, final String sentence) {
        if (!sentence.isEmpty()) {
            errors.add((sentence + "\n").getBytes(StandardCharsets.UTF_8));
        }
        end.complete(exitCode);
        output.add(new byte[0]);
        errors.add(new byte[0]);
    }

    @Override
    public Thread.Builder threads() {
        return Thread.ofVirtual();
    }

    @Override
    public OutputStream input() {
        return new OutputStream() {
            @Override
            public void write(final int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(final byte[] bytes, final int offset, final int length)
                    throws IOException {
                if (length > 0) {
                    frames.write(Frames.input(number), bytes, offset, length);
                }
            }

            @Override
            public void close() throws IOException {
                if (!end.isDone()) {
                    frames.end(Frames.input(number));
                }
            }
        };
    }

    @Override
    public InputStream output() {
        return output;
    }

    @Override
    public InputStream errors() {
        return errors;
    }

    @Override
    public OptionalInt awaitEnd(final Duration atMost) {
        try {
            return OptionalInt.of(end.get(atMost.toNanos(), TimeUnit.NANOSECONDS));
        } catch (final TimeoutException e) {
            return OptionalInt.empty();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return OptionalInt.empty();
        } catch (final ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void inflict(final FaultPlan.Action action, final long pid) {
        link.send(new ToHost.Inflict(number, action, pid));
    }

    @Override
    public void kill() {
        if (!end.isDone() && link.isOpen()) {
            link.send(new ToHost.Kill(number));
        }
    }

    /** Bytes as they come from the reader of the link; no bytes end them. */
    private static final class Heard extends InputStream {
        private final BlockingQueue<byte[]> queue = new LinkedBlockingQueue<>();
        private byte[] chunk = new byte[0];
        private int at;
        private boolean isEnd;

        void add(final byte[] bytes) {
            queue.add(bytes);
        }

        @Override
        public int read() throws IOException {
            final byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(final byte[] bytes, final int offset, final int length) throws IOException {
            try {
                if (!isEnd && at == chunk.length) {
                    chunk = queue.take();
                    at = 0;
                    isEnd = chunk.length == 0;
                }
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted");
            }
            if (isEnd) {
                return -1;
            }
            final int part = Math.min(length, chunk.length - at);
            System.arraycopy(chunk, at, bytes, offset, part);
            at += part;
            return part;
        }
    }
}

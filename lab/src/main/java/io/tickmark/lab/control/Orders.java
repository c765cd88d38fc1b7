package io.tickmark.lab.control;

import io.tickmark.lab.protocol.Lines;
import io.tickmark.lab.protocol.ProtocolException;
import io.tickmark.lab.protocol.ToRole;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The way of orders to one role process. A thread of its own writes them, because a pipe that
 * nobody reads holds its writer for ever; who sends waits for that thread, but not for long.
 */
final class Orders implements AutoCloseable {
    /** A process that lives reads an order at once; one on a machine that swaps takes longer. */
    static final long PATIENCE_S = 5;

    /** What became of an order; empty for all well. */
    private record Written(Optional<String> trouble) {}

    private final OutputStream out;
    private final BlockingQueue<Optional<ToRole>> waiting = new LinkedBlockingQueue<>();
    private final BlockingQueue<Written> written = new LinkedBlockingQueue<>();
    private final Thread writer;
    private boolean isDeaf;

    Orders(final String name, final OutputStream out, final Thread.Builder threads) {
        this.out = out;
        writer = threads.name("orders-of-" + name).start(this::write);
    }

    private void write() {
        try (out) {
            while (true) {
                final Optional<ToRole> order = waiting.take();
                if (order.isEmpty()) {
                    return;
                }
                written.add(new Written(write(order.get())));
            }
        } catch (final InterruptedException | IOException e) {
            // the process ended; the reader of its messages has seen it
        }
    }

    private Optional<String> write(final ToRole order) {
        try {
            Lines.send(out, order);
            return Optional.empty();
        } catch (final ProtocolException e) {
            return Optional.of("would get orders that are too long: " + e.getMessage());
        } catch (final IOException e) {
            return Optional.empty(); // as above
        }
    }

    /** Sends an order; what is wrong with the process that does not get it, else empty. */
    Optional<String> send(final ToRole order) {
        if (isDeaf) {
            return Optional.empty(); // said before
        }
        waiting.add(Optional.of(order));
        try {
            final Written done = written.poll(PATIENCE_S, TimeUnit.SECONDS);
            if (done != null) {
                return done.trouble();
            }
            isDeaf = true;
            return Optional.of("has not read its orders for " + PATIENCE_S + " s: it hangs");
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** Sends no more, and closes the way as soon as nothing holds it. */
    @Override
    public void close() {
        waiting.add(Optional.empty());
    }

    /** The thread that writes, to wait for its end. */
    Thread writer() {
        return writer;
    }
}

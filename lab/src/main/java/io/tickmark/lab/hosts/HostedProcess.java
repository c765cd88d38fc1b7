package io.tickmark.lab.hosts;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.place.PlacedProcess;
import io.tickmark.lab.plan.FaultPlan;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A role's process beside the agent, and the threads that carry its streams. */
final class HostedProcess {
    private static final Duration REAP = Duration.ofSeconds(5);
    private static final byte[] END = new byte[0];

    private final int number;
    private final PlacedProcess process;
    private final Frames frames;

    /** A process that does not read its input must not hold the agent. */
    private final BlockingQueue<byte[]> input = new LinkedBlockingQueue<>();

    HostedProcess(final int number, final PlacedProcess process, final Frames frames) {
        this.number = number;
        this.process = process;
        this.frames = frames;
    }

    /** Carries its streams; {@code gone} is called once it has ended and all was said. */
    void listen(final Runnable gone) {
        Thread.ofPlatform().daemon().name("input-" + number).start(this::feed);
        final Thread errors =
                Thread.ofPlatform()
                        .daemon()
                        .name("errors-" + number)
                        .start(() -> carry(process.errors(), Frames.errors(number)));
        Thread.ofPlatform()
                .daemon()
                .name("output-" + number)
                .start(() -> {
                    carry(process.output(), Frames.output(number));
                    final int exitCode = process.awaitEnd(REAP).orElse(-1);
                    try {
                        errors.join(REAP.toMillis());
                        frames.say(new FromHost.Ended(number, exitCode, ""));
                    } catch (final IOException e) {
                        // nobody listens any more
                    } catch (final InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    input.add(END);
                    gone.run();
                });
    }

    private void feed() {
        try (var out = process.input()) {
            for (byte[] bytes = input.take(); bytes.length > 0; bytes = input.take()) {
                out.write(bytes);
                out.flush();
            }
        } catch (final IOException e) {
            // it ended; who reads its output has seen it
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void carry(final InputStream from, final int channel) {
        final byte[] buffer = new byte[16_384];
        try (from) {
            for (int length = from.read(buffer); length >= 0; length = from.read(buffer)) {
                if (length > 0) {
                    frames.write(channel, buffer, 0, length);
                }
            }
            frames.end(channel);
        } catch (final IOException e) {
            // it was killed, or nobody listens any more
        }
    }

    void write(final byte[] bytes) {
        input.add(bytes);
    }

    void inflict(final FaultPlan.Action action, final long pid) {
        try {
            process.inflict(action, pid);
        } catch (final UserError e) {
            fail(e.getMessage());
        }
    }

    /** A fault that is not done is no fault: the trial must not pass as if it had been. */
    private void fail(final String sentence) {
        try {
            frames.say(new FromHost.Ended(number, -1, sentence));
        } catch (final IOException e) {
            System.err.println(sentence); // nobody listens any more
        }
        process.kill();
    }

    void kill() {
        process.kill();
    }

    void awaitEnd(final Duration atMost) {
        process.awaitEnd(atMost);
    }
}

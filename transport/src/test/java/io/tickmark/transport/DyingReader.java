package io.tickmark.transport;

import io.tickmark.kernel.stamp.Stamp;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SystemNanoClock;

/** A CONNECT side in a separate process that the test kills. */
final class DyingReader {
    private static final long LIFETIME_NS = TimeUnit.SECONDS.toNanos(60);

    private DyingReader() {}

    /** A child that is killed when closed. */
    record Child(Process process) implements AutoCloseable {
        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    /** Starts it with the class path and the flags of this process. */
    static Child start(final ChannelUri channel, final int cookie) throws IOException {
        final List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("--"))
                .forEach(command::add);
        command.addAll(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1", "-cp"));
        command.add(System.getProperty("java.class.path"));
        command.addAll(
                List.of(DyingReader.class.getName(), channel.toString(), Integer.toString(cookie)));
        return new Child(
                new ProcessBuilder(command)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start());
    }

    public static void main(final String[] args) {
        final ChannelUri channel = ChannelUri.parse(args[0]);
        final int cookie = Integer.parseInt(args[1]);
        final Outbox outbox = new Outbox(cookie, 64);
        final Inbox inbox = new Inbox();
        final SystemNanoClock clock = SystemNanoClock.INSTANCE;
        final long startNs = clock.nanoTime();
        try (Exchange exchange =
                new Transports()
                        .of(channel)
                        .exchange(channel, Topic.DEFAULT, ExchangeSide.CONNECT, cookie)) {
            while (clock.nanoTime() - startNs < LIFETIME_NS) {
                outbox.offerHello(exchange.publication(), Stamp.HELLO | Stamp.REPLY);
                exchange.publication().doWork();
                exchange.subscription().poll(inbox, 16);
                java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
            }
        }
    }
}

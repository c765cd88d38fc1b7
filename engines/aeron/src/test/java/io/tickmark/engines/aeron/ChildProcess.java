package io.tickmark.engines.aeron;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.Waiting;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/** A separate process that is one side of an exchange; killed when closed. */
final class ChildProcess implements AutoCloseable {
    private static final long PATIENCE_S = 120;

    /** Longer than any test waits for it, which kills it. */
    private static final long LIFETIME_NS = TimeUnit.SECONDS.toNanos(2 * PATIENCE_S);

    private final Process process;

    private ChildProcess(final Process process) {
        this.process = process;
    }

    /** Starts {@code echo}, {@code greet}, {@code host} or {@code wait} with a channel. */
    static ChildProcess start(final String... args) throws IOException {
        final List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("--"))
                .forEach(command::add);
        command.addAll(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1", "-cp"));
        command.add(System.getProperty("java.class.path"));
        command.add(ChildProcess.class.getName());
        command.addAll(Arrays.asList(args));
        return new ChildProcess(
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    BufferedReader output() {
        return process.inputReader();
    }

    boolean hasEnded() throws InterruptedException {
        return process.waitFor(PATIENCE_S, TimeUnit.SECONDS);
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    public static void main(final String[] args) {
        switch (args[0]) {
            case "echo" -> echo(ChannelUri.parse(args[1]));
            case "greet" -> greet(ChannelUri.parse(args[1]));
            case "wait" -> waitToBeKilled(args[1]);
            case "host" -> host(args[1]);
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    /** Echoes messages until the other side has gone. */
    private static void echo(final ChannelUri channel) {
        final long startNs = SystemNanoClock.INSTANCE.nanoTime();
        try (Exchange exchange = Pair.connect(channel, 1)) {
            System.out.println(exchange.subscription().facts().get("driverDirectory"));
            boolean met = false;
            while (SystemNanoClock.INSTANCE.nanoTime() - startNs < LIFETIME_NS
                    && (!met || exchange.subscription().isConnected())) {
                met |= exchange.subscription().isConnected();
                exchange.subscription()
                        .poll(
                                (buffer, offset, length) ->
                                        exchange.publication().offer(buffer, offset, length),
                                10);
                exchange.publication().doWork();
                Thread.yield();
            }
        }
    }

    /** Sends a message until it is accepted, and reports whether an answer arrived. */
    private static void greet(final ChannelUri channel) {
        try (Exchange exchange = Pair.connect(channel, 1)) {
            final UnsafeBuffer buffer = new UnsafeBuffer(new byte[16]);
            Waiting.until(
                    "the greeting is taken",
                    () -> {
                        exchange.subscription().poll((message, offset, length) -> {}, 10);
                        return exchange.publication().offer(buffer, 0, 16) > 0;
                    });
            exchange.publication().flush();
            final int[] answers = {0};
            Waiting.until(
                    "an answer comes",
                    () -> {
                        exchange.subscription().poll((message, offset, length) -> answers[0]++, 10);
                        return answers[0] > 0;
                    });
            System.out.println("answered");
        }
    }

    /** Hosts a driver for longer than any test. */
    private static void waitToBeKilled(final String channel) {
        System.out.println(Pair.bind(channel).publication().facts().get("driverDirectory"));
        Pair.pass(Duration.ofNanos(LIFETIME_NS));
    }

    /** Hosts a driver and ends without closing anything. */
    private static void host(final String channel) {
        System.out.println(Pair.bind(channel).channel());
        System.exit(0);
    }
}

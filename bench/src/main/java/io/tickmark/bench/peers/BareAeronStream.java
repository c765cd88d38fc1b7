package io.tickmark.bench.peers;

import io.tickmark.bench.aeron.BareAeron;
import io.tickmark.bench.contest.Contestant;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The bare Aeron stream, each side in a separate JVM; the figure named after the size is the rate
 * received.
 *
 * @param root of the project
 * @param children that starts it
 * @param kind of channel
 * @param payloadBytes message length
 * @param settings of the run
 */
record BareAeronStream(
        Path root,
        Children children,
        BareAeronKind kind,
        int payloadBytes,
        SideBySideSettings settings)
        implements Contestant {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    @Override
    public String name() {
        return "bare Aeron %s, %d B".formatted(kind.label(), payloadBytes);
    }

    @Override
    public Map<String, Double> measure() {
        final Cores cores = settings.pinning();
        final BareAeronKind.Channels channels = kind.channels();
        final String own = "tickmark-bench-" + ProcessHandle.current().pid();
        final Path sending = SHARED_MEMORY.resolve(own + "-send");
        final Path receiving =
                kind.sharesDriver() ? sending : SHARED_MEMORY.resolve(own + "-receive");
        final Duration limit = LIMIT.plusSeconds(settings.seconds() + settings.warmUpSeconds());
        try (Child sender = start("send", channels.sending(), sending, true, cores.sender());
                Child receiver =
                        start(
                                "receive",
                                channels.receiving(),
                                receiving,
                                !kind.sharesDriver(),
                                cores.receiver())) {
            final String output = receiver.await(limit, List.of(0));
            sender.await(limit, List.of(0));
            return Map.of(Integer.toString(payloadBytes), FigureLine.figure(output, "msg_per_s"));
        }
    }

    private Child start(
            final String side,
            final String channel,
            final Path directory,
            final boolean hostsDriver,
            final int core) {
        return children.start(
                "bare-aeron-" + side,
                JavaCommand.of(
                        root,
                        BareAeron.class.getName(),
                        List.of(
                                side,
                                "channel=" + channel,
                                "directory=" + directory,
                                "hostsDriver=" + hostsDriver,
                                "payloadBytes=" + payloadBytes,
                                "reads=" + kind.reads(),
                                "warmUpSeconds=" + settings.warmUpSeconds(),
                                "seconds=" + settings.seconds(),
                                "core=" + core)));
    }
}

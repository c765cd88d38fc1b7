package io.tickmark.lab.compare;

import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.record.RecordingOptions;
import io.tickmark.kernel.record.ResourceSource;
import io.tickmark.kernel.record.RoleRecording;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Made {@code recorded-loopback.hlog}: datagrams that one thread sends to itself through the
 * loopback interface, each repeat in a separate process. Arguments: folder, repeat, seconds.
 */
final class LoopbackRecorder {
    private static final int WARM_UP = 100_000;

    private LoopbackRecorder() {}

    public static void main(final String[] arguments) throws IOException {
        final SystemNanoClock clock = SystemNanoClock.INSTANCE;
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            channel.connect(channel.getLocalAddress());
            final ByteBuffer buffer = ByteBuffer.allocateDirect(64);
            for (int i = 0; i < WARM_UP; i++) {
                pass(channel, buffer);
            }
            final RecordingOptions options =
                    new RecordingOptions(
                            Optional.of(Path.of(arguments[0])),
                            Integer.parseInt(arguments[1]),
                            clock,
                            SystemEpochNanoClock.INSTANCE,
                            ResourceSource.NONE,
                            progress -> {});
            try (RoleRecording recording = new RoleRecording(options)) {
                final LatencyRecorder latency = recording.latency("roundTripNs");
                recording.beginStep(0, "");
                recording.start();
                final long end =
                        clock.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[2]));
                for (long before = clock.nanoTime(); before < end; before = clock.nanoTime()) {
                    pass(channel, buffer);
                    latency.record(clock.nanoTime() - before);
                }
                recording.endStep();
            }
        }
    }

    private static void pass(final DatagramChannel channel, final ByteBuffer buffer)
            throws IOException {
        channel.write(buffer.clear());
        channel.read(buffer.clear());
    }
}

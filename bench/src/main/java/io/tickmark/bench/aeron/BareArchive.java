package io.tickmark.bench.aeron;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.ArchivingMediaDriver;
import io.aeron.archive.checksum.Checksums;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.codecs.SourceLocation;
import io.aeron.archive.status.RecordingPos;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.IoUtil;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;

/**
 * A publication that Aeron Archive records and one subscriber reads, driver, archive and both ends
 * in one JVM, nothing timed and nothing counted but the messages: {@code payloadBytes warmUpSeconds
 * seconds}. Prints one line of figures.
 */
public final class BareArchive implements AutoCloseable {
    private static final int STREAM = 1001;
    private static final String CHANNEL = "aeron:ipc";
    private static final int TERM_BYTES = 16 << 20;
    private static final int SEGMENT_BYTES = 128 << 20;

    /** As our store: no more than so many bytes in flight. */
    private static final long WINDOW_BYTES = TERM_BYTES / 2;

    private final Path data;
    private final ArchivingMediaDriver driver;
    private final Aeron aeron;
    private final AeronArchive archive;
    private final ExclusivePublication publication;
    private final Subscription subscription;
    private final UnsafeBuffer message;
    private volatile boolean isOver;

    private BareArchive(final int payloadBytes) throws Exception {
        data = Files.createTempDirectory("bare-archive-");
        final String directory = new File("/dev/shm", data.getFileName().toString()).getPath();
        driver = launch(directory);
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(directory));
        archive =
                AeronArchive.connect(
                        new AeronArchive.Context()
                                .aeron(aeron)
                                .ownsAeronClient(false)
                                .controlRequestChannel(CHANNEL)
                                .controlResponseChannel(CHANNEL));
        subscription = aeron.addSubscription(CHANNEL, STREAM);
        archive.startRecording(CHANNEL, STREAM, SourceLocation.LOCAL);
        publication = aeron.addExclusivePublication(CHANNEL, STREAM);
        message = new UnsafeBuffer(new byte[payloadBytes]);
    }

    private ArchivingMediaDriver launch(final String directory) {
        return ArchivingMediaDriver.launch(
                new MediaDriver.Context()
                        .aeronDirectoryName(directory)
                        .dirDeleteOnStart(true)
                        .dirDeleteOnShutdown(true)
                        .threadingMode(ThreadingMode.SHARED)
                        .ipcTermBufferLength(TERM_BYTES)
                        .sharedIdleStrategy(new BackoffIdleStrategy()),
                new Archive.Context()
                        .aeronDirectoryName(directory)
                        .archiveDir(data.toFile())
                        .threadingMode(ArchiveThreadingMode.SHARED)
                        .controlChannelEnabled(false)
                        .archiveClientContext(
                                new AeronArchive.Context()
                                        .controlResponseChannel("aeron:udp?endpoint=127.0.0.1:0"))
                        .replicationChannel("aeron:udp?endpoint=127.0.0.1:0")
                        .recordingEventsEnabled(false)
                        .segmentFileLength(SEGMENT_BYTES)
                        .recordChecksum(Checksums.crc32c())
                        .idleStrategySupplier(BackoffIdleStrategy::new));
    }

    /**
     * Runs it.
     *
     * @param args message length, seconds not counted, seconds counted
     * @throws Exception any failure
     */
    public static void main(final String... args) throws Exception {
        final int payloadBytes = Integer.parseInt(args[0]);
        try (BareArchive bare = new BareArchive(payloadBytes)) {
            final Thread reading = new Thread(bare::read, "bare-archive-subscriber");
            reading.start();
            bare.send(Long.parseLong(args[1]));
            final double perSecond = bare.send(Long.parseLong(args[2]));
            bare.isOver = true;
            reading.join();
            System.out.println(
                    "tool=bare_archive size=%d msg_per_s=%.0f".formatted(payloadBytes, perSecond));
        }
    }

    private void read() {
        final BackoffIdleStrategy idle = new BackoffIdleStrategy();
        while (!isOver) {
            idle.idle(subscription.poll((buffer, offset, length, header) -> {}, 256));
        }
    }

    /** Sends for so long, waits until all is recorded; messages per second, that wait included. */
    private double send(final long seconds) {
        final CountersReader counters = aeron.countersReader();
        int recorded = CountersReader.NULL_COUNTER_ID;
        while (recorded == CountersReader.NULL_COUNTER_ID) {
            recorded =
                    RecordingPos.findCounterIdBySession(
                            counters, publication.sessionId(), archive.archiveId());
            Thread.onSpinWait();
        }
        final long beganNs = SystemNanoClock.INSTANCE.nanoTime();
        final long endNs = beganNs + seconds * 1_000_000_000;
        long sent = 0;
        while (SystemNanoClock.INSTANCE.nanoTime() - endNs < 0) {
            if (publication.position() - counters.getCounterValue(recorded) < WINDOW_BYTES
                    && publication.offer(message, 0, message.capacity()) > 0) {
                sent++;
            }
        }
        while (counters.getCounterValue(recorded) < publication.position()) {
            Thread.onSpinWait();
        }
        return sent * 1e9 / Math.max(1, SystemNanoClock.INSTANCE.nanoTime() - beganNs);
    }

    @Override
    public void close() {
        archive.close();
        aeron.close();
        driver.close();
        IoUtil.delete(data.toFile(), true);
    }
}

package io.tickmark.engines.aeron.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Waiting;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.StoreServer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A store whose archive is alive but silent, for example because it gets no core. */
@Timeout(120)
final class SilentArchiveTest {
    /** The driver does not give up an archive that is silent for as long as a test takes. */
    private static final String PATIENT_DRIVER = "&livenessTimeout=60s";

    private static final long PATIENCE_S = 60;

    private final ArchiveTransport transport = new ArchiveTransport();
    private StoreServer store;
    private List<ProcessHandle> processes;
    @TempDir private Path folder;

    private void silence(final String parameters) throws Exception {
        store =
                transport.store(
                        ChannelUri.parse("archive:?" + ArchiveContractTest.SMALL + parameters),
                        folder);
        store.start();
        processes =
                ProcessHandle.current()
                        .descendants()
                        .filter(child ->
                                child.info().commandLine().orElse("").contains(folder.toString()))
                        .toList();
        assertThat(processes).isNotEmpty();
        signal("STOP");
        awaitStandstill();
    }

    /**
     * A process is stopped by its main thread, which has to get a core first: others continue until
     * then.
     */
    private void awaitStandstill() throws Exception {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        for (final ProcessHandle process : processes) {
            while (!standsStill(process.pid())) {
                assertThat(System.nanoTime() - endNs).as("stopped in time").isNegative();
                TimeUnit.MILLISECONDS.sleep(1);
            }
        }
    }

    private static boolean standsStill(final long pid) throws Exception {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            for (final Path thread : threads.toList()) {
                final String status = Files.readString(thread.resolve("status"));
                if (!status.contains("State:\tT")) {
                    return false;
                }
            }
        } catch (final NoSuchFileException e) {
            return false; // a thread has ended
        }
        return true;
    }

    @AfterEach
    void close() throws Exception {
        signal("CONT");
        store.close();
    }

    private void signal(final String name) throws Exception {
        for (final ProcessHandle process : processes) {
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
        }
    }

    private DurablePublication open() {
        return transport.durablePublication(store.endpoint(), Topic.DEFAULT);
    }

    /** A publication that is being opened, and waits for the archive to record it. */
    private CompletableFuture<DurablePublication> waitingOpening() {
        final CompletableFuture<DurablePublication> opening = new CompletableFuture<>();
        final Thread opener =
                Thread.ofPlatform()
                        .start(() -> {
                            try {
                                opening.complete(open());
                            } catch (final RuntimeException e) {
                                opening.completeExceptionally(e);
                            }
                        });
        Waiting.until(
                "it waits for the archive",
                () ->
                        Stream.of(opener.getStackTrace())
                                .anyMatch(call -> call.getMethodName().equals("awaitRecording")));
        return opening;
    }

    @Test
    void shouldBeRecordedByAnArchiveThatWasSilentForAMoment() throws Exception {
        silence(PATIENT_DRIVER);
        final CompletableFuture<DurablePublication> opening = waitingOpening();
        signal("CONT");

        opening.get(PATIENCE_S, TimeUnit.SECONDS).close();
    }

    @Test
    void shouldBeAskedAgainByTheStoreWhenItDidNotAnswerTheFirstTime() throws Exception {
        silence(PATIENT_DRIVER);
        final CompletableFuture<DurablePublication> opening =
                CompletableFuture.supplyAsync(this::open);
        while (store.troubles().isEmpty() && !opening.isDone()) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        signal("CONT"); // the store has given up waiting for its answer

        opening.get(PATIENCE_S, TimeUnit.SECONDS).close();
        assertThat(store.troubles()).anyMatch(it -> it.contains("did not start recording"));
    }

    @Test
    void shouldEndTheProcessOfAnArchiveThatTheDriverGaveUpAndGoOnWithTheNext() throws Exception {
        silence("");
        assertThatThrownBy(this::open)
                .isInstanceOf(UserError.class)
                .hasMessageContaining("0 of 1 archives record");
        TimeUnit.SECONDS.sleep(5); // the driver may also be stalled before it gives it up
        signal("CONT");
        for (final ProcessHandle process : processes) {
            process.onExit().get(PATIENCE_S, TimeUnit.SECONDS);
        }
        Waiting.until(
                "the store has noticed",
                () ->
                        store.ended().stream()
                                .anyMatch(it ->
                                        it.startsWith(
                                                "Archive member 1, which tickmark started, has ended (exit"
                                                        + " status ")));

        store.restart(1);

        open().close();
    }

    @Test
    void shouldSayThatNothingRecordsWhenTheStoreEndsMeanwhile() throws Exception {
        silence("");
        final CompletableFuture<DurablePublication> opening = waitingOpening();
        signal("KILL"); // it has recorded nothing since it was stopped

        store.close();

        assertThatThrownBy(() -> opening.get(PATIENCE_S, TimeUnit.SECONDS))
                .hasCauseInstanceOf(UserError.class)
                .hasMessageContaining("archives record");
    }
}

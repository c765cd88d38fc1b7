package io.tickmark.engines.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.Topic;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;

/** Quorum queues of a single server. All of them share one log. */
class QuorumQueueContractTest extends ClassicQueueContractTest {
    private static final int FILE_HEADER_BYTES = 5;

    private Path damaged;
    private byte[] before;

    @Override
    String queue() {
        return "quorum";
    }

    private static Path log() throws IOException {
        try (Stream<Path> files = Files.walk(SharedRabbitmq.folder().resolve("data"))) {
            return files.filter(file -> file.toString().matches(".*/quorum/.*\\.wal"))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
        }
    }

    @Override
    protected void tearTail(final Path data, final Topic topic) throws IOException {
        final byte[] begun =
                Arrays.copyOfRange(
                        Files.readAllBytes(log()), FILE_HEADER_BYTES, FILE_HEADER_BYTES + 60);
        Files.write(log(), begun, StandardOpenOption.APPEND);
    }

    @Override
    protected void corrupt(final Path data, final Topic topic) throws IOException {
        damaged = log();
        before = Files.readAllBytes(damaged);
        final byte[] bytes = before.clone();
        final int at = new String(bytes, StandardCharsets.ISO_8859_1).lastIndexOf("\0".repeat(50));
        assertThat(at).isPositive();
        bytes[at + 20] ^= 1;
        Files.write(damaged, bytes);
    }

    @Override
    protected Damage damage() {
        return Damage.NOT_STARTED;
    }

    @AfterEach
    void repair() throws IOException {
        if (before != null) {
            Files.write(damaged, before);
            SharedRabbitmq.store().restart(1);
        }
    }
}

package io.openmessaging.benchmark.driver;

import java.util.concurrent.CompletableFuture;

/** As in the framework's first months: messages had no keys. */
public interface BenchmarkProducer extends AutoCloseable {
    CompletableFuture<Void> sendAsync(byte[] payload);
}

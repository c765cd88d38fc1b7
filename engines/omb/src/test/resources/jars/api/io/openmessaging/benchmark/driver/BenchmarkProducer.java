package io.openmessaging.benchmark.driver;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The framework's interface, written for tests from its public description. */
public interface BenchmarkProducer extends AutoCloseable {
    CompletableFuture<Void> sendAsync(Optional<String> key, byte[] payload);
}

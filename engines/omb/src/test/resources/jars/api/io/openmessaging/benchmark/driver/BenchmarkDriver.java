package io.openmessaging.benchmark.driver;

import java.io.File;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.bookkeeper.stats.StatsLogger;

/** The framework's interface, written for tests from its public description. */
public interface BenchmarkDriver extends AutoCloseable {
    void initialize(File configuration, StatsLogger statistics) throws IOException, InterruptedException;

    String getTopicNamePrefix();

    CompletableFuture<Void> createTopic(String topic, int partitions);

    CompletableFuture<BenchmarkProducer> createProducer(String topic);

    CompletableFuture<BenchmarkConsumer> createConsumer(
            String topic, String subscriptionName, ConsumerCallback callback);
}

package io.openmessaging.benchmark.driver;

/** The framework's interface, written for tests from its public description. */
public interface BenchmarkConsumer extends AutoCloseable {}

package io.tickmark.bench.kernel;

import io.tickmark.kernel.stamp.StampChecksum;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** The checksum of one message, in direct memory as transports keep it and in an array. */
public class ChecksumBenchmark extends KernelBenchmark {
    /** Message length in bytes, stamp included. */
    @Param({"64", "700", "8192"})
    private int payloadBytes;

    private final StampChecksum checksum = new StampChecksum();
    private UnsafeBuffer direct;
    private UnsafeBuffer array;

    /** For JMH. */
    public ChecksumBenchmark() {}

    /** Fills the messages. */
    @Setup
    public void setUp() {
        direct = new UnsafeBuffer(ByteBuffer.allocateDirect(payloadBytes));
        array = new UnsafeBuffer(new byte[payloadBytes]);
        for (int i = 0; i < payloadBytes; i++) {
            direct.putByte(i, (byte) i);
            array.putByte(i, (byte) i);
        }
    }

    /**
     * In direct memory.
     *
     * @return the checksum
     */
    @Benchmark
    public int direct() {
        return checksum.of(direct, 0, payloadBytes);
    }

    /**
     * In an array.
     *
     * @return the checksum
     */
    @Benchmark
    public int array() {
        return checksum.of(array, 0, payloadBytes);
    }
}

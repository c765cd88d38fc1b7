package io.tickmark.bench.kernel;

import io.tickmark.kernel.stamp.Stamp;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

/** Writing and reading the stamp of one message in direct memory. */
public class StampBenchmark extends KernelBenchmark {
    private final UnsafeBuffer buffer =
            new UnsafeBuffer(ByteBuffer.allocateDirect(Stamp.FULL_LENGTH));
    private int sequence;

    /** For JMH. */
    public StampBenchmark() {}

    /** A message to read. */
    @Setup
    public void setUp() {
        writeFull();
    }

    /**
     * The 16 bytes that every message has.
     *
     * @return the buffer, so that the writes are not optimised away
     */
    @Benchmark
    public UnsafeBuffer writeShort() {
        Stamp.write(buffer, 0, sequence, sequence++, 0, 1, 2);
        return buffer;
    }

    /**
     * The 28 bytes of longer messages, checksum apart.
     *
     * @return the buffer, so that the writes are not optimised away
     */
    @Benchmark
    public UnsafeBuffer writeFull() {
        Stamp.write(buffer, 0, sequence, sequence++, 0, 1, 2);
        Stamp.writeTrialId(buffer, 0, 3);
        Stamp.writeSentNs(buffer, 0, sequence);
        return buffer;
    }

    /**
     * What a receiver looks at.
     *
     * @return all of it, added up
     */
    @Benchmark
    public long read() {
        return Stamp.isStamped(buffer, 0, Stamp.FULL_LENGTH)
                ? Stamp.intendedNs(buffer, 0)
                        + Stamp.sequence(buffer, 0)
                        + Stamp.flags(buffer, 0)
                        + Stamp.step(buffer, 0)
                        + Stamp.source(buffer, 0)
                        + Stamp.sentNs(buffer, 0)
                : 0;
    }
}

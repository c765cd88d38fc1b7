package io.tickmark.engines.dds;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.tickmark.engines.dds.DdsParameters.Reception;
import io.tickmark.kernel.host.Libc;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Subscription;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A DDS reader. With a listener, the library's receive thread only increments a counter, and the
 * polling thread takes the samples: an idle poll is a read of one variable. {@link #run} goes
 * further and takes and handles samples on the receive thread itself, which avoids the hand-over to
 * another thread.
 */
final class DdsSubscription implements Subscription {
    private static final long LONGEST_WAIT_NS = 100_000_000;
    private static final long STOP_LOOK_NS = 10_000_000;

    private final DdsChannel channel;
    private final DdsReader reader;
    private final SampleReader samples;
    private final boolean listens;

    /** Number of requests to take samples; the thread that increments it to 1 takes for all. */
    private final AtomicInteger requests = new AtomicInteger();

    private volatile long arrivals;
    private volatile Thread waiting;
    private volatile MessageHandler direct;
    private volatile Thread runner;
    private KeptMessages kept = KeptMessages.NONE;
    private boolean takenByLibrary; // of the thread that takes for all
    private volatile RuntimeException failure;
    private long seen;
    private boolean closed;

    DdsSubscription(final DdsChannel channel, final Domains.Lease lease, final String topic) {
        this.channel = channel;
        listens = channel.parameters().receive() == Reception.LISTENER;
        reader = new DdsReader(channel, lease, topic, listens ? this::onData : null);
        samples = new SampleReader(reader.entity(), channel.parameters().maxPayloadBytes());
    }

    /** On the library's thread; it never makes two calls for one reader at the same time. */
    private void onData() {
        arrivals++;
        if (direct != null) {
            takeDirectly(true);
            return;
        }
        final Thread waiter = waiting;
        if (waiter != null) {
            LockSupport.unpark(waiter);
        }
    }

    /** Takes on the thread that comes first, for all that come meanwhile; throws nothing. */
    private void takeDirectly(final boolean byLibrary) {
        if (requests.getAndIncrement() != 0) {
            return;
        }
        takenByLibrary = byLibrary;
        int granted;
        do {
            granted = requests.get();
            final MessageHandler handler = direct;
            if (handler != null && failure == null) {
                takeAll(handler);
            }
        } while (!requests.compareAndSet(granted, 0));
        if (byLibrary && !kept.isEmpty()) {
            LockSupport.unpark(runner);
        }
    }

    private void takeAll(final MessageHandler handler) {
        try {
            if (!takenByLibrary) {
                kept.send();
            }
            samples.take(handler, Integer.MAX_VALUE);
        } catch (final RuntimeException e) {
            failure = e;
        } catch (final Error e) {
            failure = new IllegalStateException(e);
        }
    }

    @Override
    public int poll(final MessageHandler handler, final int limit) {
        if (closed) {
            return 0;
        }
        if (!listens) {
            return samples.take(handler, limit);
        }
        final long now = arrivals;
        if (now == seen) {
            return 0;
        }
        final int handedOver = samples.take(handler, limit);
        if (samples.isDrained()) {
            seen = now;
        }
        return handedOver;
    }

    @Override
    public void run(
            final MessageHandler handler,
            final IdleStrategy idleStrategy,
            final BooleanSupplier stop) {
        if (!listens) {
            while (!stop.getAsBoolean()) {
                idleStrategy.idle(poll(handler, Integer.MAX_VALUE));
            }
            return;
        }
        runner = Thread.currentThread();
        direct = handler;
        try {
            takeDirectly(false); // samples that arrived before
            // Handled samples are visible here, because the receive thread wrote {@code requests}
            // after them.
            while (requests.get() >= 0 && !stop.getAsBoolean() && failure == null) {
                if (kept.isEmpty()) {
                    LockSupport.parkNanos(STOP_LOOK_NS);
                } else {
                    takeDirectly(
                            false); // meanwhile the library's thread reads the acknowledgements
                    // that make room
                }
            }
        } finally {
            direct = null;
            while (requests.get() != 0) {
                Thread.onSpinWait();
            }
            seen = arrivals - 1; // poll checks again
            kept.send();
        }
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public boolean runsOnOwnThread() {
        return listens;
    }

    @Override
    public boolean wakesOnArrival() {
        return true;
    }

    @Override
    public void await(final long timeoutNs) {
        final long longestNs = Math.min(timeoutNs, LONGEST_WAIT_NS);
        if (closed) {
            LockSupport.parkNanos(longestNs);
        } else if (!listens) {
            reader.await(longestNs);
        } else {
            waiting = Thread.currentThread();
            if (arrivals == seen) {
                LockSupport.parkNanos(longestNs);
            }
            waiting = null;
        }
    }

    @Override
    public boolean isConnected() {
        return !closed && reader.matches().count() > 0;
    }

    @Override
    public long lost() {
        return closed ? 0 : reader.lost();
    }

    @Override
    public ChannelUri channel() {
        return channel.uri();
    }

    /**
     * Messages sent from within a handler of {@link #run} that the library refuses on its own
     * thread are kept there.
     */
    void keeps(final KeptMessages messages) {
        kept = messages;
    }

    /** Whether the calling handler runs on the library's thread. */
    boolean isTakenByLibrary() {
        return direct != null && takenByLibrary;
    }

    String incompatible() {
        return closed ? "" : reader.incompatible();
    }

    String otherTypes() {
        return closed ? "" : reader.writers().otherTypes();
    }

    long undecodable() {
        return reader.undecodable();
    }

    long tooLong() {
        return samples.tooLong();
    }

    /**
     * Of DDS alone: where its shared memory has no daemon, {@link DdsTransport} opens ends of
     * {@code shm} in place of this one, which report their own.
     */
    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = new TreeMap<>(ChannelFacts.of(channel));
        if (!closed) {
            facts.put("matchedWriters", reader.matches().count());
            facts.put("lostByDds", reader.lost());
            facts.put("tooLong", samples.tooLong());
            reader.addFacts(facts);
        }
        return facts;
    }

    @Override
    public boolean isCount(final String fact) {
        return fact.equals("lostByDds") || fact.equals("tooLong") || fact.equals("undecodable");
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            reader.close(); // there is no call-back after this
            samples.close();
        }
    }

    /**
     * Takes samples of a reader into its own memory, which the library fills and never keeps or
     * frees. One thread at a time; allocates nothing.
     *
     * <p>The memory is allocated with malloc and not from an arena, which would fill it with zeros:
     * parts that no message is long enough to use are never touched and cost nothing.
     */
    private static final class SampleReader implements AutoCloseable {
        private static final int BATCH = 16;

        // struct dds_sample_info of dds.h
        private static final int INFO_BYTES = 64;
        private static final int VALID_DATA_OFFSET = 12;

        private static final MethodHandle MALLOC =
                Libc.handle("malloc", FunctionDescriptor.of(ADDRESS, JAVA_LONG));
        private static final MethodHandle FREE =
                Libc.handle("free", FunctionDescriptor.ofVoid(ADDRESS));

        private final int reader;
        private final int maxPayloadBytes;
        private final MemorySegment memory;
        private final long pointers;
        private final long infos;
        private final UnsafeBuffer headers;
        private final UnsafeBuffer infoBuffer;
        private final UnsafeBuffer[] payloads = new UnsafeBuffer[BATCH];
        private long tooLong;
        private boolean drained = true;

        SampleReader(final int reader, final int maxPayloadBytes) {
            this.reader = reader;
            this.maxPayloadBytes = maxPayloadBytes;
            // One byte more than the longest message: a longer one is detected because it fills it.
            final long stride = (maxPayloadBytes + 1L + 63) & -64L;
            final long headerBytes =
                    BATCH * (ADDRESS.byteSize() + INFO_BYTES + TopicType.SAMPLE_BYTES);
            memory = allocated(headerBytes + BATCH * stride);
            final long base = memory.address();
            pointers = base;
            infos = pointers + BATCH * ADDRESS.byteSize();
            final long samples = infos + (long) BATCH * INFO_BYTES;
            final long data = base + headerBytes;
            infoBuffer = new UnsafeBuffer(infos, BATCH * INFO_BYTES);
            headers = new UnsafeBuffer(samples, BATCH * TopicType.SAMPLE_BYTES);
            headers.setMemory(0, headers.capacity(), (byte) 0);
            final UnsafeBuffer pointerBuffer =
                    new UnsafeBuffer(pointers, BATCH * (int) ADDRESS.byteSize());
            for (int i = 0; i < BATCH; i++) {
                final int sample = i * TopicType.SAMPLE_BYTES;
                pointerBuffer.putLong(i * (int) ADDRESS.byteSize(), samples + sample);
                headers.putInt(sample + TopicType.MAXIMUM_OFFSET, maxPayloadBytes + 1);
                headers.putLong(sample + TopicType.BUFFER_OFFSET, data + i * stride);
                // Over a byte buffer: checksums need one.
                payloads[i] =
                        new UnsafeBuffer(
                                memory.asSlice(headerBytes + i * stride, maxPayloadBytes)
                                        .asByteBuffer());
            }
        }

        @SuppressWarnings("restricted") // malloc has no size
        private static MemorySegment allocated(final long bytes) {
            try {
                final MemorySegment memory = (MemorySegment) MALLOC.invokeExact(bytes);
                if (memory.address() == 0) {
                    throw UserError.environment(
                            "no memory for received samples: "
                                    + bytes
                                    + " bytes are not available.");
                }
                return memory.reinterpret(bytes);
            } catch (final Throwable thrown) {
                throw Libc.unexpected(thrown);
            }
        }

        /** Delivers messages up to a limit; returns how many there were. */
        int take(final MessageHandler handler, final int limit) {
            int handedOver = 0;
            int taken;
            int asked;
            do {
                asked = Math.min(BATCH, limit - handedOver);
                taken = Cyclone.take(reader, pointers, infos, asked, asked);
                if (taken < 0) {
                    throw UserError.environment(
                            "Cyclone DDS cannot take samples: " + Cyclone.text(taken) + ".");
                }
                for (int i = 0; i < taken; i++) {
                    handedOver += handOver(handler, i);
                }
            } while (taken == asked && handedOver < limit);
            drained = taken < asked;
            return handedOver;
        }

        private int handOver(final MessageHandler handler, final int i) {
            if (infoBuffer.getByte(i * INFO_BYTES + VALID_DATA_OFFSET) == 0) {
                return 0; // a writer came or went
            }
            final int length = headers.getInt(i * TopicType.SAMPLE_BYTES + TopicType.LENGTH_OFFSET);
            if (length > maxPayloadBytes) {
                tooLong++;
                return 0;
            }
            handler.onMessage(payloads[i], 0, length);
            return 1;
        }

        /** Whether the last take left no samples. */
        boolean isDrained() {
            return drained;
        }

        /** Messages of foreign writers that were longer than the channel carries, and dropped. */
        long tooLong() {
            return tooLong;
        }

        @Override
        public void close() {
            try {
                FREE.invokeExact(memory);
            } catch (final Throwable thrown) {
                throw Libc.unexpected(thrown);
            }
        }
    }

    /** A reader of one topic with its subscriber, listener and waitset; closing it deletes them. */
    static final class DdsReader implements AutoCloseable {
        private final DdsChannel channel;
        private final String topic;
        private final Domains.Lease lease;
        private final Arena arena = Arena.ofShared();
        private final Matches matches = new Matches();
        private final Undo undo = new Undo();
        private final MemorySegment lostStatus = arena.allocate(JAVA_INT, 2);
        private final int entity;
        private final long undecodableBefore;
        private int waitset;
        private long lost;

        /**
         * Opens it.
         *
         * @param onData called on a thread of the library when samples came; null to be polled
         */
        DdsReader(
                final DdsChannel channel,
                final Domains.Lease lease,
                final String topic,
                final Runnable onData) {
            this.channel = channel;
            this.topic = topic;
            this.lease = lease;
            undecodableBefore = LogNotes.undecodable(topic);
            undo.add(lease);
            undo.add(arena);
            try {
                entity = open(onData);
            } catch (final RuntimeException e) {
                undo.close();
                throw e;
            }
        }

        private int open(final Runnable onData) {
            try (Arena names = Arena.ofConfined();
                    Qos ofGroup = Qos.ofGroup(channel, names);
                    Qos ofEnd = Qos.ofEnd(channel);
                    Listener listener = new Listener(arena)) {
                listener.onWriters(matches::count).onIncompatible(false, matches::incompatible);
                if (onData != null) {
                    listener.onData(onData);
                }
                final int created = undo.topic(channel, lease, topic);
                final int subscriber =
                        undo.entity(
                                channel,
                                "a subscriber",
                                Cyclone.createSubscriber(lease.participant(), ofGroup.segment()));
                return undo.entity(
                        channel,
                        "a reader of " + topic,
                        Cyclone.createReader(
                                subscriber, created, ofEnd.segment(), listener.segment()));
            }
        }

        int entity() {
            return entity;
        }

        Matches matches() {
            return matches;
        }

        /** Waits until there are samples or the time is over, on a DDS waitset. */
        void await(final long timeoutNs) {
            if (waitset == 0) {
                waitset =
                        undo.entity(
                                channel,
                                "a waitset",
                                Cyclone.createWaitset(lease.participant(), entity));
            }
            Cyclone.waitsetWait(waitset, timeoutNs);
        }

        /** Samples that the library knows to be lost in transit. */
        long lost() {
            if (Cyclone.sampleLostStatus(entity, lostStatus) == Cyclone.OK) {
                lost = Integer.toUnsignedLong(lostStatus.get(JAVA_INT, 0));
            }
            return lost;
        }

        /** Samples of foreign writers that were not our messages, and dropped by the library. */
        long undecodable() {
            return LogNotes.undecodable(topic) - undecodableBefore;
        }

        /** Writers on this topic. */
        Discovered writers() {
            return Discovered.writers(lease.participant(), channel, topic);
        }

        /** Name of the policy because of which a writer did not match; empty for none. */
        String incompatible() {
            return matches.incompatible().isEmpty() ? "" : writers().incompatible(matches);
        }

        void addFacts(final Map<String, Object> facts) {
            facts.put("sharedMemory", Cyclone.isSharedMemoryAvailable(entity));
            facts.put("undecodable", undecodable());
            writers().addFacts(matches, facts);
        }

        @Override
        public void close() {
            undo.close();
        }
    }
}

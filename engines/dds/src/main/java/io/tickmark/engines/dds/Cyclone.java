package io.tickmark.engines.dds;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.tickmark.kernel.host.Libc;
import io.tickmark.kernel.settings.UserError;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The functions of Cyclone DDS that are used, under their own names without {@code dds_}. Entities
 * are ints, negative ones are return codes; where a call is hot, addresses are plain longs, so that
 * it allocates nothing.
 */
@SuppressWarnings("restricted") // every call of the library goes through here
final class Cyclone {
    static final int OK = 0;
    static final int RETCODE_BAD_PARAMETER = -3;
    static final int RETCODE_PRECONDITION_NOT_MET = -4;
    static final int RETCODE_OUT_OF_RESOURCES = -5;
    static final int RETCODE_ALREADY_DELETED = -9;
    static final int RETCODE_TIMEOUT = -10;

    /** DDS_DATA_AVAILABLE_STATUS: bit 8 of the enumeration in dds.h. */
    static final int DATA_AVAILABLE_STATUS = 1 << 8;

    /** Built-in topics of dds.h: writers and readers that were discovered, ours included. */
    static final int TOPIC_OF_WRITERS = 0x7fff_0003;

    static final int TOPIC_OF_READERS = 0x7fff_0004;

    private static final MethodHandle CREATE_DOMAIN =
            handle("dds_create_domain", of(JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle CREATE_PARTICIPANT =
            handle("dds_create_participant", of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    private static final MethodHandle CREATE_TOPIC =
            handle("dds_create_topic", of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS));
    private static final MethodHandle CREATE_PUBLISHER =
            handle("dds_create_publisher", of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    private static final MethodHandle CREATE_SUBSCRIBER =
            handle("dds_create_subscriber", of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    private static final MethodHandle CREATE_WRITER =
            handle("dds_create_writer", of(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    private static final MethodHandle CREATE_READER =
            handle("dds_create_reader", of(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    private static final MethodHandle DELETE = handle("dds_delete", of(JAVA_INT, JAVA_INT));
    private static final MethodHandle STRRETCODE =
            handle(
                    "dds_strretcode",
                    of(
                            ADDRESS.withTargetLayout(
                                    MemoryLayout.sequenceLayout(256, ValueLayout.JAVA_BYTE)),
                            JAVA_INT));
    private static final MethodHandle WRITE =
            handle("dds_write", of(JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle WRITE_FLUSH =
            handle("dds_write_flush", of(JAVA_INT, JAVA_INT));
    private static final MethodHandle TAKE =
            handle("dds_take", of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final MethodHandle READ =
            handle("dds_read", of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle RETURN_LOAN =
            handle("dds_return_loan", of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle GET_SAMPLE_LOST_STATUS =
            handle("dds_get_sample_lost_status", of(JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle IS_SHARED_MEMORY_AVAILABLE =
            handle("dds_is_shared_memory_available", of(JAVA_BOOLEAN, JAVA_INT));
    private static final MethodHandle CREATE_WAITSET =
            handle("dds_create_waitset", of(JAVA_INT, JAVA_INT));
    private static final MethodHandle SET_STATUS_MASK =
            handle("dds_set_status_mask", of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle WAITSET_ATTACH =
            handle("dds_waitset_attach", of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle WAITSET_WAIT =
            handle("dds_waitset_wait", of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));

    private Cyclone() {}

    private static FunctionDescriptor of(final MemoryLayout result, final MemoryLayout... args) {
        return FunctionDescriptor.of(result, args);
    }

    /** Looks up a function that must exist. */
    static MethodHandle handle(final String name, final FunctionDescriptor descriptor) {
        final CycloneLibrary library = CycloneLibrary.get();
        return library.symbols()
                .find(name)
                .map(address -> Linker.nativeLinker().downcallHandle(address, descriptor))
                .orElseThrow(() ->
                        UserError.environment(
                                library.file()
                                        + " has no "
                                        + name
                                        + "(); it is another version of Cyclone DDS than 0.10."));
    }

    static int createDomain(final int id, final MemorySegment config) {
        try {
            return (int) CREATE_DOMAIN.invokeExact(id, config);
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    static int createParticipant(final int domainId) {
        return created(CREATE_PARTICIPANT, domainId, MemorySegment.NULL, MemorySegment.NULL);
    }

    static int createPublisher(final int participant, final MemorySegment qos) {
        return created(CREATE_PUBLISHER, participant, qos, MemorySegment.NULL);
    }

    static int createSubscriber(final int participant, final MemorySegment qos) {
        return created(CREATE_SUBSCRIBER, participant, qos, MemorySegment.NULL);
    }

    private static int created(
            final MethodHandle create,
            final int parent,
            final MemorySegment qos,
            final MemorySegment listener) {
        try {
            return (int) create.invokeExact(parent, qos, listener);
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    static int createTopic(
            final int participant,
            final MemorySegment descriptor,
            final MemorySegment name,
            final MemorySegment qos) {
        try {
            return (int)
                    CREATE_TOPIC.invokeExact(
                            participant, descriptor, name, qos, MemorySegment.NULL);
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    static int createWriter(
            final int publisher,
            final int topic,
            final MemorySegment qos,
            final MemorySegment listener) {
        return createdOn(CREATE_WRITER, publisher, topic, qos, listener);
    }

    static int createReader(
            final int subscriber,
            final int topic,
            final MemorySegment qos,
            final MemorySegment listener) {
        return createdOn(CREATE_READER, subscriber, topic, qos, listener);
    }

    private static int createdOn(
            final MethodHandle create,
            final int parent,
            final int topic,
            final MemorySegment qos,
            final MemorySegment listener) {
        try {
            return (int) create.invokeExact(parent, topic, qos, listener);
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    static int delete(final int entity) {
        try {
            return (int) DELETE.invokeExact(entity);
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /** The library's text for a return code. */
    static String text(final int code) {
        try {
            return ((MemorySegment) STRRETCODE.invokeExact(code)).getString(0);
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    static int write(final int writer, final long sample) {
        try {
            return (int) WRITE.invokeExact(writer, sample);
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    static int writeFlush(final int writer) {
        try {
            return (int) WRITE_FLUSH.invokeExact(writer);
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    static int take(
            final int reader,
            final long samples,
            final long infos,
            final long room,
            final int most) {
        try {
            return (int) TAKE.invokeExact(reader, samples, infos, room, most);
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /** Reads into memory that the library lends; to be returned with {@link #returnLoan}. */
    static int read(
            final int reader,
            final MemorySegment samples,
            final MemorySegment infos,
            final int most) {
        try {
            return (int) READ.invokeExact(reader, samples, infos, (long) most, most);
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    static int returnLoan(final int reader, final MemorySegment samples, final int count) {
        try {
            return (int) RETURN_LOAN.invokeExact(reader, samples, count);
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    static int sampleLostStatus(final int reader, final MemorySegment status) {
        try {
            return (int) GET_SAMPLE_LOST_STATUS.invokeExact(reader, status);
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    static boolean isSharedMemoryAvailable(final int entity) {
        try {
            return (boolean) IS_SHARED_MEMORY_AVAILABLE.invokeExact(entity);
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /** A waitset that wakes up when the reader has data. */
    static int createWaitset(final int participant, final int reader) {
        try {
            final int waitset = (int) CREATE_WAITSET.invokeExact(participant);
            final int masked = (int) SET_STATUS_MASK.invokeExact(reader, DATA_AVAILABLE_STATUS);
            final int attached = (int) WAITSET_ATTACH.invokeExact(waitset, reader, 0L);
            final int refused = Math.min(masked, attached);
            return waitset >= 0 && refused < 0 ? refused : waitset;
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    static int waitsetWait(final int waitset, final long timeoutNs) {
        try {
            return (int) WAITSET_WAIT.invokeExact(waitset, 0L, 0L, timeoutNs);
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }
}

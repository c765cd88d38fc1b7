package io.tickmark.engines.dds;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.tickmark.kernel.host.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Errors and warnings of the library's log: the last lines are kept for our own messages, none is
 * printed. One sink for the process, set once; any thread of the library calls it.
 */
@SuppressWarnings("restricted") // a call-back is the purpose
final class LogNotes {
    private static final int MOST_LINES = 16;
    private static final int MOST_BYTES = 1024;

    // struct dds_log_data of log.h
    private static final int MESSAGE_OFFSET = 32;
    private static final int SIZE_OFFSET = 40;
    private static final int DATA_BYTES = 56;

    /** Its text for a sample that does not match its claimed type: topic/type. */
    private static final Pattern UNDECODABLE =
            Pattern.compile("deserialization (\\S+)/\\S+ failed");

    private static final Deque<String> LINES = new ArrayDeque<>();
    private static final Map<String, Long> UNDECODABLES = new ConcurrentHashMap<>();
    private static boolean installed;

    private LogNotes() {}

    static synchronized void install() {
        if (installed) {
            return;
        }
        installed = true;
        final MethodHandle set =
                Cyclone.handle("dds_set_log_sink", FunctionDescriptor.ofVoid(ADDRESS, ADDRESS));
        try {
            final MethodHandle sink =
                    MethodHandles.lookup()
                            .findStatic(
                                    LogNotes.class,
                                    "onLine",
                                    MethodType.methodType(void.class, long.class, long.class));
            set.invokeExact(
                    Linker.nativeLinker()
                            .upcallStub(
                                    sink,
                                    FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG),
                                    Arena.global()),
                    MemorySegment.NULL);
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /** A call-back must not throw: the JVM would end. */
    private static void onLine(final long argument, final long data) {
        try {
            add(text(MemorySegment.ofAddress(data).reinterpret(DATA_BYTES)));
        } catch (final RuntimeException e) {
            add("a line of the log that cannot be read");
        }
    }

    private static String text(final MemorySegment data) {
        // The message begins after the header, whose length is not included in its own.
        final long size = Math.min(MOST_BYTES, data.get(JAVA_LONG, SIZE_OFFSET));
        final MemorySegment message =
                data.get(ADDRESS, MESSAGE_OFFSET).reinterpret(Math.max(0, size));
        return new String(message.toArray(JAVA_BYTE), StandardCharsets.UTF_8)
                .replace('\0', ' ')
                .strip();
    }

    private static void add(final String line) {
        final Matcher undecodable = UNDECODABLE.matcher(line);
        if (undecodable.find()) {
            UNDECODABLES.merge(undecodable.group(1), 1L, Long::sum);
        }
        synchronized (LINES) {
            LINES.addLast(line);
            if (LINES.size() > MOST_LINES) {
                LINES.removeFirst();
            }
        }
    }

    /**
     * Samples on a topic that the library dropped since the start, because they were not messages.
     */
    static long undecodable(final String topic) {
        return UNDECODABLES.getOrDefault(topic, 0L);
    }

    /** Discards earlier lines. */
    static void clear() {
        synchronized (LINES) {
            LINES.clear();
        }
    }

    /** Text logged since then, in one line; empty where there was none. */
    static String text() {
        synchronized (LINES) {
            return String.join("; ", LINES);
        }
    }
}

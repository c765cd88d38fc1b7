package io.tickmark.engines.dds;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.tickmark.kernel.host.Libc;
import io.tickmark.kernel.settings.SettingDescriptor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** What a channel reports about itself for the result. */
final class ChannelFacts {
    private ChannelFacts() {}

    static Map<String, Object> of(final DdsChannel channel) {
        final Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("ddsLibrary", CycloneLibrary.get().file());
        facts.put("domain", channel.domain());
        facts.put("nic", channel.network().nic());
        facts.put("discovery", word(channel.network().discovery()));
        facts.put("receive", word(channel.parameters().receive()));
        facts.put("reliability", channel.parameters().reliable() ? "reliable" : "best-effort");
        facts.put("history", channel.keepsAll() ? "keep-all" : "keep-last " + channel.depth());
        if (!channel.network().group().isEmpty()) {
            facts.put("multicast", channel.network().group());
        }
        facts.put("transport", channel.carrier().word());
        Sockets.addFacts(channel.domain(), facts);
        facts.put("threadPriorities", ThreadPriorities.priorities());
        return facts;
    }

    private static String word(final Enum<?> value) {
        return SettingDescriptor.word(value);
    }

    /**
     * How the kernel schedules the library's threads, read from /proc (proc(5)): they are
     * recognised by the library's names.
     */
    private static final class ThreadPriorities {
        private static final List<String> NAMES = List.of("recv", "dq.", "tev", "gc", "lease");
        private static final int SCHED_OTHER = 0;

        /** Fields of /proc/PID/task/TID/stat counted from the one after the name. */
        private static final int NICE_FIELD = 19 - 3;

        private static final int RT_PRIORITY_FIELD = 40 - 3;
        private static final int POLICY_FIELD = 41 - 3;

        private ThreadPriorities() {}

        /** Such as {@code recv: time sharing, nice 0}; empty where it cannot be read. */
        static String priorities() {
            final TreeSet<String> found = new TreeSet<>();
            try (DirectoryStream<Path> tasks =
                    Files.newDirectoryStream(Path.of("/proc/self/task"))) {
                for (final Path task : tasks) {
                    final List<String> fields = fields(task);
                    if (!fields.isEmpty()) {
                        found.add(text(fields));
                    }
                }
            } catch (final IOException e) {
                return "";
            }
            return String.join(", ", found);
        }

        /**
         * Name, then the fields after it; empty for other threads and those that have just ended.
         */
        private static List<String> fields(final Path task) {
            try {
                final String line = Files.readString(task.resolve("stat"));
                final int end = line.lastIndexOf(')');
                final String name = line.substring(line.indexOf('(') + 1, end);
                if (NAMES.stream().noneMatch(name::startsWith)) {
                    return List.of();
                }
                final List<String> fields = new ArrayList<>(List.of(name));
                fields.addAll(List.of(line.substring(end + 2).split(" ")));
                return fields;
            } catch (final IOException e) {
                return List.of();
            }
        }

        private static String text(final List<String> fields) {
            final int policy = Integer.parseInt(fields.get(1 + POLICY_FIELD));
            return fields.getFirst()
                    + (policy == SCHED_OTHER
                            ? " time sharing, nice " + fields.get(1 + NICE_FIELD)
                            : " real time, priority " + fields.get(1 + RT_PRIORITY_FIELD));
        }
    }

    /**
     * Buffer sizes of the library's sockets, queried from the kernel: those of this process that
     * are bound to a port of the domain (RTPS 2.5, 9.6.2.3), and the one it sends by.
     */
    private static final class Sockets {
        private static final int SOL_SOCKET = 1;
        private static final int SO_SNDBUF = 7;
        private static final int SO_RCVBUF = 8;
        private static final int SOCKADDR_BYTES = 28;
        private static final int PORT_OFFSET = 2;
        private static final short AF_INET = 2;
        private static final short AF_INET6 = 10;
        private static final int FIRST_PORT = 7400;
        private static final int PORTS_OF_DOMAIN = 250;

        /** The kernel doubles the requested size for its own bookkeeping (socket(7)). */
        private static final int KERNEL_FACTOR = 2;

        private static final Optional<MethodHandle> GETSOCKNAME =
                Libc.find(
                        "getsockname", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
        private static final Optional<MethodHandle> GETSOCKOPT =
                Libc.find(
                        "getsockopt",
                        FunctionDescriptor.of(
                                JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));

        private Sockets() {}

        /**
         * Adds the largest receive and send buffer of the domain's sockets, where they can be seen.
         */
        static void addFacts(final int domain, final Map<String, Object> facts) {
            if (GETSOCKNAME.isEmpty() || GETSOCKOPT.isEmpty()) {
                return;
            }
            int receive = 0;
            int send = 0;
            try (Arena arena = Arena.ofConfined();
                    DirectoryStream<Path> open =
                            Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
                for (final Path entry : open) {
                    final int descriptor = Integer.parseInt(entry.getFileName().toString());
                    if (isOfDomain(descriptor, domain, arena)) {
                        receive = Math.max(receive, option(descriptor, SO_RCVBUF, arena));
                        send = Math.max(send, option(descriptor, SO_SNDBUF, arena));
                    }
                }
            } catch (final IOException e) {
                return;
            }
            if (receive > 0) {
                facts.put("sendBufferBytes", send / KERNEL_FACTOR);
                facts.put("receiveBufferBytes", receive / KERNEL_FACTOR);
            }
        }

        private static boolean isOfDomain(
                final int descriptor, final int domain, final Arena arena) {
            final MemorySegment address = arena.allocate(SOCKADDR_BYTES, Long.BYTES);
            final MemorySegment length = arena.allocateFrom(JAVA_INT, SOCKADDR_BYTES);
            try {
                if ((int) GETSOCKNAME.get().invokeExact(descriptor, address, length) != 0) {
                    return false;
                }
            } catch (final Throwable thrown) {
                throw Libc.unexpected(thrown);
            }
            final short family = address.get(JAVA_SHORT, 0);
            if (family != AF_INET && family != AF_INET6) {
                return false; // a local socket has its path there: /t would be a port of domain 18
            }
            final int port =
                    Short.toUnsignedInt(Short.reverseBytes(address.get(JAVA_SHORT, PORT_OFFSET)));
            final int first = FIRST_PORT + PORTS_OF_DOMAIN * domain;
            return port >= first && port < first + PORTS_OF_DOMAIN;
        }

        private static int option(final int descriptor, final int name, final Arena arena) {
            final MemorySegment value = arena.allocate(JAVA_INT);
            final MemorySegment length = arena.allocateFrom(JAVA_INT, Integer.BYTES);
            try {
                return (int)
                                        GETSOCKOPT
                                                .get()
                                                .invokeExact(
                                                        descriptor, SOL_SOCKET, name, value, length)
                                == 0
                        ? value.get(JAVA_INT, 0)
                        : 0;
            } catch (final Throwable thrown) {
                throw Libc.unexpected(thrown);
            }
        }
    }
}

package io.tickmark.kernel.host;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Network interfaces, the kernel's socket limits, and libraries that bypass the kernel. */
final class NetworkFacts {
    private static final String NET = "/sys/class/net";
    private static final String CORE = "/proc/sys/net/core";
    private static final String IPV4 = "/proc/sys/net/ipv4";

    /** Container hosts have hundreds of virtual ones. */
    private static final int MAX_INTERFACES = 32;

    private static final Pattern BYPASS =
            Pattern.compile("/lib(onload|vma|xlio|rte_eal|dpdk|exanic|exasock|mtcp)\\.so");

    private NetworkFacts() {}

    static Facts interfaces(final HostFiles files) {
        final Facts facts = new Facts();
        final List<String> up =
                files.names(NET).stream().filter(name -> isUp(files, name)).toList();
        up.stream()
                .limit(MAX_INTERFACES)
                .forEach(name -> facts.put(name, networkInterface(files, name)));
        return facts.putNotListed(up.size() - MAX_INTERFACES);
    }

    static Facts sockets(final HostFiles files) {
        return new Facts()
                .put("receiveBufferMaxBytes", files.number(CORE + "/rmem_max"))
                .put("receiveBufferDefaultBytes", files.number(CORE + "/rmem_default"))
                .put("sendBufferMaxBytes", files.number(CORE + "/wmem_max"))
                .put("sendBufferDefaultBytes", files.number(CORE + "/wmem_default"))
                .put("tcpReceiveBufferMaxBytes", third(files, IPV4 + "/tcp_rmem"))
                .put("tcpSendBufferMaxBytes", third(files, IPV4 + "/tcp_wmem"))
                .put("tcpCongestionControl", files.text(IPV4 + "/tcp_congestion_control"))
                .put("backlogPackets", files.number(CORE + "/netdev_max_backlog"))
                .put("busyPollUs", files.number(CORE + "/busy_poll"))
                .put("busyReadUs", files.number(CORE + "/busy_read"))
                .put("kernelBypass", bypass(files));
    }

    /** Names of the libraries mapped into this process that bypass the kernel's sockets. */
    static List<String> bypass(final HostFiles files) {
        final Matcher matcher = BYPASS.matcher(files.text("/proc/self/maps").orElse(""));
        final TreeSet<String> found = new TreeSet<>();
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return List.copyOf(found);
    }

    /** A loopback interface reports {@code unknown}. */
    private static boolean isUp(final HostFiles files, final String name) {
        final String state = files.text(NET + "/" + name + "/operstate").orElse("down");
        return state.equals("up") || state.equals("unknown");
    }

    private static Map<String, Object> networkInterface(final HostFiles files, final String name) {
        final String folder = NET + "/" + name;
        return new Facts()
                .put(
                        "receiveCoalesceUs",
                        files.isThisHost() ? InterruptCoalescing.receiveUs(name) : Optional.empty())
                .put("driver", files.linkName(folder + "/device/driver"))
                .put("speedMbps", files.number(folder + "/speed").filter(mbps -> mbps > 0))
                .put("mtuBytes", files.number(folder + "/mtu"))
                .put("receiveQueues", queues(files, folder, "rx-"))
                .put("sendQueues", queues(files, folder, "tx-"))
                .put("sendQueuePackets", files.number(folder + "/tx_queue_len"))
                .put("groFlushTimeoutNs", files.number(folder + "/gro_flush_timeout"))
                .put("deferHardIrqs", files.number(folder + "/napi_defer_hard_irqs"))
                .put("threadedPolling", files.number(folder + "/threaded").map(n -> n != 0))
                .toMap();
    }

    private static long queues(final HostFiles files, final String folder, final String prefix) {
        return files.names(folder + "/queues").stream()
                .filter(name -> name.startsWith(prefix))
                .count();
    }

    private static Optional<Long> third(final HostFiles files, final String path) {
        return files.text(path)
                .map(text -> text.split("\\s+"))
                .filter(parts -> parts.length == 3)
                .flatMap(parts -> HostFiles.leadingNumber(parts[2]));
    }

    /**
     * How long a network card waits for more packets before it interrupts: the ioctl behind {@code
     * ethtool -c} (linux/ethtool.h: {@code SIOCETHTOOL}, {@code ETHTOOL_GCOALESCE}).
     */
    private static final class InterruptCoalescing {
        private static final long SIOCETHTOOL = 0x8946;
        private static final int GET_COALESCE = 0x0e;
        private static final int COALESCE_BYTES = 23 * Integer.BYTES;
        private static final int RECEIVE_US = Integer.BYTES;
        private static final int IFREQ_BYTES = 40;
        private static final int NAME_BYTES = 16;
        private static final int INET = 2;
        private static final int DATAGRAM = 2;

        private static final Optional<MethodHandle> SOCKET =
                Libc.find(
                        "socket",
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_INT));
        private static final Optional<MethodHandle> CLOSE =
                Libc.find(
                        "close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        private static final Optional<MethodHandle> IOCTL =
                Libc.find(
                        "ioctl",
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.ADDRESS),
                        Linker.Option.firstVariadicArg(2));

        private InterruptCoalescing() {}

        /** Microseconds that the card waits on receiving; empty where it does not report it. */
        static Optional<Long> receiveUs(final String networkInterface) {
            final byte[] name = networkInterface.getBytes(StandardCharsets.US_ASCII);
            if (SOCKET.isEmpty()
                    || CLOSE.isEmpty()
                    || IOCTL.isEmpty()
                    || name.length >= NAME_BYTES) {
                return Optional.empty();
            }
            try (Arena arena = Arena.ofConfined()) {
                final int socket = (int) SOCKET.get().invokeExact(INET, DATAGRAM, 0);
                if (socket < 0) {
                    return Optional.empty();
                }
                try {
                    return receiveUs(arena, socket, name);
                } finally {
                    final int _ = (int) CLOSE.get().invokeExact(socket);
                }
            } catch (final Throwable e) {
                throw Libc.unexpected(e);
            }
        }

        private static Optional<Long> receiveUs(
                final Arena arena, final int socket, final byte[] name) throws Throwable {
            final MemorySegment coalesce = arena.allocate(COALESCE_BYTES, Long.BYTES);
            coalesce.set(ValueLayout.JAVA_INT, 0, GET_COALESCE);
            final MemorySegment request = arena.allocate(IFREQ_BYTES, Long.BYTES);
            MemorySegment.copy(name, 0, request, ValueLayout.JAVA_BYTE, 0, name.length);
            request.set(ValueLayout.ADDRESS, NAME_BYTES, coalesce);
            final int failed = (int) IOCTL.get().invokeExact(socket, SIOCETHTOOL, request);
            return failed < 0
                    ? Optional.empty()
                    : Optional.of((long) coalesce.get(ValueLayout.JAVA_INT, RECEIVE_US));
        }
    }
}

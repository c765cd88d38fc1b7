package io.tickmark.kernel.host;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Network interfaces, what the kernel gives sockets, and libraries that go round the kernel. */
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
        files.names(NET).stream()
                .filter(name -> isUp(files, name))
                .limit(MAX_INTERFACES)
                .forEach(name -> facts.put(name, networkInterface(files, name)));
        return facts;
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

    /** Names of the libraries mapped into this process that take sockets away from the kernel. */
    static List<String> bypass(final HostFiles files) {
        final Matcher matcher = BYPASS.matcher(files.text("/proc/self/maps").orElse(""));
        final TreeSet<String> found = new TreeSet<>();
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return List.copyOf(found);
    }

    /** A loopback says {@code unknown}. */
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
}

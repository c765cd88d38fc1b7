package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Several machines on one: network namespaces whose interface {@code veth} hangs on a common
 * bridge, with an IPv4 and an IPv6 address each. Gone when closed. Host 0 is the bridge.
 */
final class Namespaces implements AutoCloseable {
    private static final AtomicInteger MADE = new AtomicInteger();

    private final String prefix =
            "tickmark-%d-%d-".formatted(ProcessHandle.current().pid(), MADE.incrementAndGet());
    private final int hosts;

    Namespaces(final int hosts) {
        this.hosts = hosts;
        assumeTrue(
                sh("command -v ip && command -v nft && [ $(id -u) = 0 ]") == 0,
                "network namespaces need root, iproute2 and nftables");
        assumeTrue(sh("ip netns add " + name(0)) == 0, "this machine allows no network namespaces");
        final List<String> commands = new ArrayList<>();
        commands.add("ip -n %s link add cable type veth peer name plug".formatted(name(0)));
        commands.add("ip -n %s link set cable up".formatted(name(0)));
        commands.add("ip -n %s link set plug up".formatted(name(0)));
        for (int host = 1; host <= hosts; host++) {
            commands.addAll(join(host));
        }
        for (final String command : commands) {
            if (sh(command) != 0) {
                close();
                assumeTrue(false, "this machine's kernel cannot do '" + command + "'");
            }
        }
    }

    private List<String> join(final int host) {
        final String name = name(host);
        final String wire = name(0);
        return List.of(
                "ip netns add " + name,
                "ip -n %s link set lo up".formatted(name),
                "ip -n %s link add link cable name to%d type macvlan mode bridge"
                        .formatted(wire, host),
                "ip -n %s link set to%d netns %s name veth".formatted(wire, host, name),
                "ip -n %s addr add %s/24 dev veth".formatted(name, ip4(host)),
                "ip -n %s addr add %s/64 dev veth nodad".formatted(name, ip6(host)),
                "ip -n %s link set veth up".formatted(name));
    }

    private String name(final int host) {
        return prefix + host;
    }

    static String ip4(final int host) {
        return "10.77.0." + host;
    }

    static String ip6(final int host) {
        return "fd77::" + host;
    }

    /** Gives a host one more address. */
    void address(final int host, final String ip4) {
        assertThat(sh("ip -n %s addr add %s/24 dev veth".formatted(name(host), ip4))).isZero();
    }

    /** Takes the interface's multicast away. */
    void withoutMulticast(final int host) {
        assertThat(sh("ip -n " + name(host) + " link set veth multicast off")).isZero();
    }

    /** Drops one in so many UDP datagrams that come in. */
    void lose(final int host, final int oneIn) {
        final String nft = "ip netns exec " + name(host) + " nft ";
        for (final String command :
                List.of(
                        "add table inet loss",
                        "'add chain inet loss in { type filter hook input priority 0; }'",
                        "'add rule inet loss in meta l4proto udp numgen random mod "
                                + oneIn
                                + " < 1 drop'")) {
            assertThat(sh(nft + command)).as(command).isZero();
        }
    }

    /** Counts the packets that a host sends and that nft's expression matches. */
    void count(final int host, final String name, final String expression) {
        final String nft = "ip netns exec " + name(host) + " nft ";
        for (final String command :
                List.of(
                        "add table inet count",
                        "'add chain inet count out { type filter hook output priority 0; }'",
                        "add counter inet count " + name,
                        "'add rule inet count out " + expression + " counter name " + name + "'")) {
            assertThat(sh(nft + command)).as(command).isZero();
        }
    }

    /** How many there were. */
    long counted(final int host, final String name) throws IOException, InterruptedException {
        final Process list =
                new ProcessBuilder(
                                "ip",
                                "netns",
                                "exec",
                                name(host),
                                "nft",
                                "list",
                                "counter",
                                "inet",
                                "count",
                                name)
                        .start();
        final String said =
                new String(list.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(list.waitFor()).as(said).isZero();
        final Matcher packets = Pattern.compile("packets (\\d+)").matcher(said);
        assertThat(packets.find()).as(said).isTrue();
        return Long.parseLong(packets.group(1));
    }

    /** Takes the cable away from a host, or plugs it in again. */
    void cutOff(final int host, final boolean isCut) {
        final String nft = "ip netns exec " + name(host) + " nft ";
        final List<String> commands =
                isCut
                        ? List.of(
                                "add table inet cut",
                                "'add chain inet cut in { type filter hook input priority 0; policy drop; }'",
                                "'add chain inet cut out { type filter hook output priority 0; policy drop; }'")
                        : List.of("delete table inet cut");
        for (final String command : commands) {
            assertThat(sh(nft + command)).as(command).isZero();
        }
    }

    /** The same command on one of the hosts. */
    Launch on(final int host, final Launch launch) {
        final List<String> words = new ArrayList<>(List.of("ip", "netns", "exec", name(host)));
        words.addAll(launch.command());
        return new Launch(words, launch.directory(), launch.environment());
    }

    private static int sh(final String command) {
        try {
            final Path said = Files.createTempFile("tickmark-ip", ".txt");
            try {
                return new ProcessBuilder("/bin/sh", "-c", command)
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start()
                        .waitFor();
            } finally {
                Files.delete(said);
            }
        } catch (final IOException | InterruptedException e) {
            throw new AssertionError(command, e);
        }
    }

    @Override
    public void close() {
        for (int host = hosts; host >= 0; host--) {
            sh("ip netns del " + name(host));
        }
    }
}

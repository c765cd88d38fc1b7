package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A publisher and two subscribers on three hosts, with the options of the DDS latency test. */
@ResourceLock(DdsNeeds.DOMAINS)
class DdsHostsTest {
    private static final int HOSTS = 3;
    private static final int PINGS_OF_A_TEST = 150;
    private static final String MULTICAST = "multicast";
    private static final String UNICAST = "unicast";
    private static final String DISCOVERY = "discovery";
    private static final String PINGS = "pings";
    private static final String ECHOES = "echoes";
    private static final String IP4 = "ip4";
    private static final String SIZES =
            " -subscribers 2 -numIter "
                    + PINGS_OF_A_TEST
                    + " -minSize 64 -maxSize 64 --warm-up 50ms --connect-timeout 120s --ping-timeout ";

    @TempDir private Path folder;
    private Namespaces hosts;
    private int echoer = 2;
    private String pingTimeout = "20s";

    @BeforeEach
    void makeHosts() {
        DdsNeeds.library();
        hosts = new Namespaces(HOSTS);
    }

    @AfterEach
    void removeHosts() {
        if (hosts != null) {
            hosts.close();
        }
    }

    @Test
    void shouldLoseNothingWhenStrictReliableOverALossyNetwork() throws Exception {
        hosts.lose(2, 20);
        hosts.lose(3, 20);
        hosts.count(1, MULTICAST, "ip daddr 224.0.0.0/4 meta l4proto udp");

        for (final Launch.Outcome outcome : unicast("1", " -reliable", Namespaces::ip4)) {
            assertThat(outcome.out()).contains("Passed.").doesNotContain("Lost", "no echo in time");
            assertThat(outcome.exitCode()).isZero();
        }
        assertThat(hosts.counted(1, MULTICAST)).isZero();
    }

    @Test
    void shouldCountWhatBestEffortLosesByMulticast() throws Exception {
        pingTimeout = "500ms"; // what is lost is not waited for
        hosts.lose(3, 5);
        hosts.count(1, PINGS, "ip daddr 225.3.2.1 ip ttl 1");
        hosts.count(1, UNICAST, "ip daddr " + Namespaces.ip4(3) + " meta l4proto udp");
        hosts.count(1, DISCOVERY, "ip daddr 239.255.0.1");
        hosts.count(3, ECHOES, "ip daddr 225.1.2.3 ip ttl 1");

        final List<Launch.Outcome> outcomes =
                multicast("1", "", Namespaces::ip4, "225.1.2.3", "225.3.2.1");

        assertThat(outcomes.get(2).out()).contains("Lost ");
        assertThat(outcomes.get(2).exitCode()).isEqualTo(1);
        assertThat(outcomes.get(1).out()).contains("Passed.");
        // Each side sends to the group on which the other receives; discovery stays unicast.
        assertThat(hosts.counted(1, PINGS)).isGreaterThanOrEqualTo(PINGS_OF_A_TEST);
        assertThat(hosts.counted(3, ECHOES)).isPositive();
        assertThat(hosts.counted(1, UNICAST)).isPositive();
        assertThat(hosts.counted(1, DISCOVERY)).isZero();
    }

    @Test
    void shouldMeasureOverIp6ByUnicast() throws Exception {
        hosts.count(1, PINGS, "ip6 daddr " + Namespaces.ip6(3) + " meta l4proto udp");
        hosts.count(1, IP4, "meta nfproto ipv4 meta l4proto udp");

        assertThat(unicast("8", "", Namespaces::ip6))
                .allSatisfy(outcome -> assertThat(outcome.out()).contains("Passed."));

        assertThat(hosts.counted(1, PINGS)).isGreaterThanOrEqualTo(PINGS_OF_A_TEST);
        assertThat(hosts.counted(1, IP4)).isZero();
    }

    @Test
    void shouldMeasureOverIp6ByMulticast() throws Exception {
        echoer = 1; // by hand the highest cookie need not be the one

        final List<Launch.Outcome> outcomes =
                multicast("8", " -reliable", Namespaces::ip6, "ff02::1:2:3", "ff02::3:2:1");

        assertThat(outcomes).allSatisfy(outcome -> assertThat(outcome.out()).contains("Passed."));
        assertThat(outcomes.getFirst().err()).contains("The subscriber with cookie 1 echoes.");
    }

    private interface Addresses {
        String of(int host);
    }

    private List<Launch.Outcome> unicast(
            final String transport, final String more, final Addresses addresses) throws Exception {
        return run(transport, more, addresses, "", "");
    }

    private List<Launch.Outcome> multicast(
            final String transport,
            final String more,
            final Addresses addresses,
            final String publishersGroup,
            final String subscribersGroup)
            throws Exception {
        return run(
                transport,
                more,
                addresses,
                " -mcast_rcv_addr " + publishersGroup + " -multicast_ttl 1",
                " -mcast_rcv_addr " + subscribersGroup + " -multicast_ttl 1");
    }

    /** The publisher's outcome, then each subscriber's; the last one echoes. */
    private List<Launch.Outcome> run(
            final String transport,
            final String more,
            final Addresses addresses,
            final String publishers,
            final String subscribers)
            throws Exception {
        final List<Job> jobs = new ArrayList<>();
        try {
            final String peers = " -peer " + addresses.of(2) + " -peer " + addresses.of(3);
            jobs.add(
                    start(
                            1,
                            "latency pub -domainId %d -transport %s -nic %s%s%s%s%s"
                                            .formatted(
                                                    DdsNeeds.domain(7),
                                                    transport,
                                                    addresses.of(1),
                                                    peers,
                                                    publishers,
                                                    more,
                                                    SIZES)
                                    + pingTimeout));
            for (final int cookie : IntStream.rangeClosed(1, 2).toArray()) {
                jobs.add(
                        start(
                                cookie + 1,
                                "latency sub -domainId %d -cookie %d -transport %s -nic %s -peer %s%s%s%s"
                                        .formatted(
                                                DdsNeeds.domain(7),
                                                cookie,
                                                transport,
                                                addresses.of(cookie + 1),
                                                addresses.of(1),
                                                subscribers,
                                                more,
                                                cookie == echoer ? "" : " -noecho")));
            }
            final List<Launch.Outcome> outcomes = new ArrayList<>();
            for (final Job job : jobs) {
                outcomes.add(job.await());
            }
            return outcomes;
        } finally {
            jobs.forEach(Job::close);
        }
    }

    private Job start(final int host, final String line) throws Exception {
        return Job.start(hosts.on(host, Launch.tickmark(folder, line)), folder);
    }
}

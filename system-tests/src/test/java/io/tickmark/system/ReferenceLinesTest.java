package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.cli.InProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Lines of the reference tools with the program's name exchanged: each is understood, and says what
 * is missing here: the engine, or the interface that the line names.
 */
@ResourceLock(DdsNeeds.DOMAINS)
class ReferenceLinesTest {
    /**
     * Scenarios of the DDS latency test: publisher, then its subscribers, with addresses that are
     * for documents only (RFC 5737).
     */
    private static final String DDS_LINES =
            """
            pub -domainId 88 -nic 198.51.100.1 -transport 2 -peer shmem:// -subscribers 1 -numIter 100000
            sub -domainId 88 -cookie 1 -nic 198.51.100.2 -transport 2 -peer shmem://
            pub -domainId 88 -nic 198.51.100.1 -transport 2 -peer shmem:// -subscribers 4 -numIter 100000
            sub -domainId 88 -cookie 1 -nic 198.51.100.2 -noecho -transport 2 -peer shmem://
            sub -domainId 88 -cookie 2 -nic 198.51.100.3 -noecho -transport 2 -peer shmem://
            sub -domainId 88 -cookie 3 -nic 198.51.100.4 -noecho -transport 2 -peer shmem://
            sub -domainId 88 -cookie 4 -nic 198.51.100.5 -transport 2 -peer shmem://
            pub -domainId 88 -nic 198.51.100.1 -transport 2 -peer shmem:// -subscribers 1 -numIter 100000 -reliable
            sub -domainId 88 -cookie 1 -nic 198.51.100.2 -transport 2 -peer shmem:// -reliable
            pub -domainId 88 -nic 198.51.100.1 -transport 2 -peer shmem:// -subscribers 4 -numIter 100000 -reliable
            sub -domainId 88 -cookie 1 -nic 198.51.100.2 -noecho -transport 2 -peer shmem:// -reliable
            sub -domainId 88 -cookie 2 -nic 198.51.100.3 -noecho -transport 2 -peer shmem:// -reliable
            sub -domainId 88 -cookie 3 -nic 198.51.100.4 -noecho -transport 2 -peer shmem:// -reliable
            sub -domainId 88 -cookie 4 -nic 198.51.100.5 -transport 2 -peer shmem:// -reliable
            pub -domainId 88 -nic 198.51.100.1 -transport 1 -peer 198.51.100.2 -subscribers 1 -numIter 100000
            sub -domainId 88 -cookie 1 -nic 198.51.100.2 -transport 1 -peer 198.51.100.1
            pub -domainId 88 -nic 198.51.100.1 -transport 1 -peer 198.51.100.2 -peer 198.51.100.3 -peer 198.51.100.4 \
            -peer 198.51.100.5 -subscribers 4 -numIter 100000
            sub -domainId 88 -cookie 1 -nic 198.51.100.2 -noecho -transport 1 -peer 198.51.100.1
            sub -domainId 88 -cookie 2 -nic 198.51.100.3 -noecho -transport 1 -peer 198.51.100.1
            sub -domainId 88 -cookie 3 -nic 198.51.100.4 -noecho -transport 1 -peer 198.51.100.1
            sub -domainId 88 -cookie 4 -nic 198.51.100.5 -transport 1 -peer 198.51.100.1
            pub -domainId 88 -nic 198.51.100.1 -transport 1 -peer 198.51.100.2 -peer 198.51.100.3 -peer 198.51.100.4 \
            -peer 198.51.100.5 -subscribers 4 -numIter 100000 -mcast_rcv_addr 225.1.2.3 -multicast_ttl 1
            sub -domainId 88 -cookie 1 -nic 198.51.100.2 -noecho -transport 1 -peer 198.51.100.1 \
            -mcast_rcv_addr 225.3.2.1 -multicast_ttl 1
            sub -domainId 88 -cookie 2 -nic 198.51.100.3 -noecho -transport 1 -peer 198.51.100.1 \
            -mcast_rcv_addr 225.3.2.1 -multicast_ttl 1
            sub -domainId 88 -cookie 3 -nic 198.51.100.4 -noecho -transport 1 -peer 198.51.100.1 \
            -mcast_rcv_addr 225.3.2.1 -multicast_ttl 1
            sub -domainId 88 -cookie 4 -nic 198.51.100.5 -transport 1 -peer 198.51.100.1 \
            -mcast_rcv_addr 225.3.2.1 -multicast_ttl 1
            """;

    /** Tests of the Ultra Messaging streaming tools, and their remaining options. */
    private static final String UM_LINES =
            """
            sub -x um.xml -a 2 -t topic1,topic2,topic3,topic1abc -p r
            pub -a 1 -x um.xml -m 700 -n 50000000 -r 999999999 -t topic1 -w 15,5
            pub -a 1 -x um.xml -m 700 -n 50000000 -r 550000 -t topic1 -w 15,5 -p s
            pub -a 1 -x um.xml -m 700 -n 50000000 -r 760000 -t topic1 -w 15,5 -p r
            pub -a 1 -x um.xml -m 700 -n 50000000 -r 740000 -t topic1abc -w 15,5 -p r
            pub -a 1 -x um.xml -m 700 -n 50000000 -r 999999999 -t topic1,topic2,topic3 -w 15,5 -p r
            pub -a 1 -x um.xml -m 700 -n 50000000 -r 999999999 -t topic1,topic2,topic3 -w 15,5
            pub -a 1 -x um.xml -m 1420 -n 25000000 -r 400000 -t topic1 -w 15,5 -p s
            pub -a 1 -x um.xml -m 1420 -n 25000000 -r 720000 -t topic1 -w 15,5 -p r
            pub -a 1 -x um.xml -m 1420 -n 25000000 -r 710000 -t topic1abc -w 15,5 -p r
            pub -a 1 -x um.xml -m 1420 -n 25000000 -r 750000 -t topic1,topic2,topic3 -w 15,5 -p r
            pub -c um.cfg -c more.cfg -g -H 100,50 -l 2000 -L 5 -m 64 -n 1000 -p s -r 1000 -t topic1
            sub -c um.cfg -E -s 100 -t topic1
            """;

    @TempDir private Path folder;

    @Test
    void shouldNameTheMissingInterfaceOfEachLineOfTheDdsTest() {
        shouldMiss("latency ", DDS_LINES, "198.51.100|libddsc");
    }

    @Test
    void shouldNameTheMissingEngineOfEachLineOfTheStreamingTest() {
        shouldMiss("stream ", UM_LINES, "Ultra Messaging.* missing|missing.* Ultra Messaging");
    }

    private static void shouldMiss(final String command, final String lines, final String missing) {
        lines.lines()
                .forEach(line -> {
                    final InProcess.Outcome outcome = InProcess.run((command + line).split(" "));
                    assertThat(outcome.err().lines())
                            .as(line)
                            .singleElement()
                            .asString()
                            .startsWith("tickmark: ")
                            .containsPattern(missing);
                    assertThat(outcome.out()).as(line).isEmpty();
                    assertThat(outcome.exitCode()).as(line).isEqualTo(3);
                });
    }

    /** As a user types it; the other lines go the same way without a process for each. */
    @Test
    void shouldSayItThroughTheLauncherAndLeaveNothing() {
        final Launch.Outcome outcome =
                Launch.tickmark(folder, "stream " + UM_LINES.lines().findFirst().orElseThrow())
                        .run();

        assertThat(outcome.errLines()).singleElement().asString().contains("Ultra Messaging");
        assertThat(outcome.exitCode()).isEqualTo(3);
        assertThat(folder).isEmptyDirectory();
    }
}

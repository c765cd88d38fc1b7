package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.cli.InProcess;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every command line of the documents of five reference tools, with the program's name exchanged:
 * each is understood. Those that could only measure with what is not on this machine (a vendor's
 * library, the hosts of an example) say so and nothing else; the others run, with figures changed
 * where the original takes minutes. One of the five has no command lines: it is a page.
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

    /** The ten tests of the Ultra Messaging tools in their order, and their remaining options. */
    private static final String UM_LINES =
            """
            stream sub -x um.xml -a 2 -t topic1,topic2,topic3,topic1abc -p r
            stream pub -a 1 -x um.xml -m 700 -n 50000000 -r 999999999 -t topic1 -w 15,5
            store -a 4,2,4,4,6 store_1a.xml
            stream pub -a 1 -x um.xml -m 700 -n 50000000 -r 550000 -t topic1 -w 15,5 -p s
            stream pub -a 1 -x um.xml -m 700 -n 50000000 -r 760000 -t topic1 -w 15,5 -p r
            store -a 3,1,3,3,5 store_1b.xml
            store -a 3,1,3,3,5 store_1c.xml
            stream pub -a 1 -x um.xml -m 700 -n 50000000 -r 740000 -t topic1abc -w 15,5 -p r
            store -a 3,1,3,3,5 store_2a.xml
            store -a 3,1,3,3,5 store_3a.xml
            stream pub -a 1 -x um.xml -m 700 -n 50000000 -r 999999999 -t topic1,topic2,topic3 -w 15,5 -p r
            stream pub -a 1 -x um.xml -m 700 -n 50000000 -r 999999999 -t topic1,topic2,topic3 -w 15,5
            stream pub -a 1 -x um.xml -m 1420 -n 25000000 -r 400000 -t topic1 -w 15,5 -p s
            stream pub -a 1 -x um.xml -m 1420 -n 25000000 -r 720000 -t topic1 -w 15,5 -p r
            stream pub -a 1 -x um.xml -m 1420 -n 25000000 -r 710000 -t topic1abc -w 15,5 -p r
            stream pub -a 1 -x um.xml -m 1420 -n 25000000 -r 750000 -t topic1,topic2,topic3 -w 15,5 -p r
            stream pub -c um.cfg -c more.cfg -g -H 100,50 -l 2000 -L 5 -m 64 -n 1000 -p s -r 1000 -t topic1
            stream sub -c um.cfg -E -s 100 -t topic1
            """;

    /** Chapter 7 of the market-data tools; where it sets hosts in a file, they are typed. */
    private static final String MARKET_LINES =
            """
            consumer -serviceName TEST_FEED -consumerName Perf_Consumer_1 -h adshost; adshost
            consumer -serviceName DIRECT_FEED -consumerName Perf_Consumer_1 -h providerhost; providerhost
            publisher -serviceName TEST_FEED -providerName Perf_NIProvider_1 -h adhhost; adhhost
            publisher -h adhhost -p 14003 -serviceName TEST_FEED; adhhost:14003
            publisher -h adhhost -p 14003 -serviceName TEST_FEED -updateRate 0 -latencyUpdateRate 0; adhhost
            consumer -h adshost -p 14002 -serviceName TEST_FEED -postingRate 10000 -postingLatencyRate 10; adshost:14002
            """;

    private static final String CONSUMER_OPTIONS =
            """
            -commonItemCount -consumerName -delaySteadyStateCalc -genericMsgLatencyRate -genericMsgRate -itemCount
            -itemFile -latencyFile -mainThread -msgFile -noDisplayStats -postingLatencyRate -postingRate -requestRate
            -serviceName -snapshot -statsFile -steadyStateTime -summaryFile -threads -tickRate -useUserDispatch
            -useServiceId -uname -websocket -writeStatsInterval
            """;

    private static final String PROVIDER_OPTIONS =
            """
            -genericMsgLatencyRate -genericMsgRate -latencyFile -latencyUpdateRate -mainThread -measureEncode
            -measureDecode -msgFile -nanoTime -noDisplayStats -preEnc -providerName -runTime -statsFile -summaryFile
            -threads -tickRate -updateRate -useUserDispatch -writeStatsInterval
            """;

    private static final String PUBLISHER_OPTIONS =
            """
            -itemCount -itemFile -latencyUpdateRate -mainThread -measureDecode -measureEncode -msgFile -nanoTime
            -noDisplayStats -preEnc -providerName -refreshBurstSize -runTime -serviceId -serviceName -statsFile
            -summaryFile -threads -tickRate -updateRate -useUserDispatch -writeStatsInterval
            """;

    @TempDir private Path folder;

    @Test
    void shouldNameTheMissingInterfaceOfEachLineOfTheDdsTest() {
        shouldMiss("latency ", DDS_LINES, "198.51.100|libddsc");
    }

    @Test
    void shouldNameTheMissingEngineOfEachLineOfTheStreamingTest() {
        shouldMiss("", UM_LINES, "Ultra Messaging.* missing");
    }

    /** A thousandth of its 200,000,000 passes. */
    @Test
    void shouldWatchACoreAsTheJitterToolDoes() {
        final Launch.Outcome outcome =
                Launch.tickmark(folder, "jitter -a 1 -j 200000 -s 150 --no-history").run();

        assertThat(outcome.err()).doesNotContain("unknown option");
        assertThat(outcome.out()).contains("jitter");
        assertThat(outcome.exitCode()).isZero();
    }

    /** Its options, of which the document has no example, and the two that exclude each other. */
    @Test
    void shouldSendDatagramsAsTheSocketToolsDo() {
        final Launch.Outcome outcome =
                Launch.tickmark(
                                folder,
                                "socket -g 239.192.0.77 -i lo -H 100,50 -m 700 -n 1000 -r 10000 -w 15,50 --no-history")
                        .run()
                        .passedOrWasSaturated();

        assertThat(outcome.out()).contains("mcast://239.192.0.77:0?interface=lo");
        shouldSay("socket pub -a 1 -r 1000 -s 100", 2, "-s 100 and -r 1000: ");
    }

    @Test
    void shouldNameTheMissingHostOfEachLineOfTheFanOutBenchmark() {
        shouldSay("fix consumers perf1 200", 3, "--host perf1: there is no such host");
        shouldSay("fix producers perf1 50 100000 100", 3, "--host perf1: there is no such host");
        shouldSay("fix producers perf1 50 100000 100 50", 3, "--host perf1: there is no such host");
        shouldSay("wire tcpdump.pcap 1000", 2, "tcpdump.pcap does not exist; name a capture file");
    }

    @ParameterizedTest
    @MethodSource("marketLines")
    void shouldLookForTheHostOfEachLineOfTheMarketDataTools(final String line, final String host) {
        final InProcess.Outcome outcome =
                InProcess.run(
                        ("market " + line + " --connect-timeout 300ms --out " + folder.resolve("o"))
                                .split(" "));

        assertThat((outcome.out() + outcome.err()).replaceAll("\\s+", " "))
                .contains("nothing answers at " + host);
        assertThat(outcome.exitCode()).isIn(1, 3);
    }

    static Stream<Arguments> marketLines() {
        return MARKET_LINES.lines().map(line -> Arguments.of((Object[]) line.split("; ")));
    }

    /** For a second instead of six minutes, on any port. */
    @Test
    void shouldProvideUntilItsTimeIsOver() {
        final InProcess.Outcome outcome =
                InProcess.run(
                        ("market provider -providerName Perf_Provider -runTime 1 -p 0 --out "
                                        + folder.resolve("o"))
                                .split(" "));

        assertThat(outcome.out()).contains("No consumer connected within the run time.");
        assertThat(outcome.exitCode()).isEqualTo(1);
    }

    @Test
    void shouldKnowEachOptionInTheTablesOfTheMarketDataTools() {
        shouldKnow("consumer", CONSUMER_OPTIONS);
        shouldKnow("provider", PROVIDER_OPTIONS);
        shouldKnow("publisher", PUBLISHER_OPTIONS);
    }

    private static void shouldKnow(final String tool, final String options) {
        final String help = InProcess.text("market", tool, "--help");
        assertThat(options.strip().split("\\s+"))
                .isNotEmpty()
                .allSatisfy(option -> assertThat(help).containsPattern(option + "[,= ]"));
    }

    private static void shouldSay(final String line, final int exitCode, final String sentence) {
        final InProcess.Outcome outcome = InProcess.run(line.split(" "));
        assertThat(outcome.err().lines()).as(line).singleElement().asString().contains(sentence);
        assertThat(outcome.out()).as(line).isEmpty();
        assertThat(outcome.exitCode()).as(line).isEqualTo(exitCode);
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
                Launch.tickmark(folder, UM_LINES.lines().findFirst().orElseThrow()).run();

        assertThat(outcome.errLines()).singleElement().asString().contains("Ultra Messaging");
        assertThat(outcome.exitCode()).isEqualTo(3);
        assertThat(folder).isEmptyDirectory();
    }
}

package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.tickmark.cli.InProcess;
import io.tickmark.cli.option.EmaPerfDialect;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.lab.plan.RoleCatalog;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every command line of the documents of five reference tools, with the program's name exchanged,
 * is run, and what the document says comes of it is looked for. Hosts of the documents are network
 * namespaces here, or names that a hosts file leads to this machine; figures that take minutes are
 * smaller, and processors that this machine may not have are others. Lines with a store are in
 * {@link ReferenceStoresTest}. The fifth document is of a page, without command lines.
 */
@ResourceLock(DdsNeeds.DOMAINS)
@Order(6)
class ReferenceLinesTest extends ReferenceTesting {
    /**
     * The seven scenarios of the DDS latency test: its publisher's line, then its subscribers', as
     * the table has them.
     */
    private static final Map<String, String> DDS_LINES =
            Map.of(
                    "1-1 BE over shmem",
                    """
                    -domainId 88 -nic pub_IP -transport 2 -peer shmem:// -subscribers 1 -numIter 100000
                    -domainId 88 -cookie 1 -nic sub1_IP -transport 2 -peer shmem://
                    """,
                    "1-4 BE over shmem",
                    """
                    -domainId 88 -nic pub_IP -transport 2 -peer shmem:// -subscribers 4 -numIter 100000
                    -domainId 88 -cookie 1 -nic sub1_IP -noecho -transport 2 -peer shmem://
                    -domainId 88 -cookie 2 -nic sub2_IP -noecho -transport 2 -peer shmem://
                    -domainId 88 -cookie 3 -nic sub3_IP -noecho -transport 2 -peer shmem://
                    -domainId 88 -cookie 4 -nic sub4_IP -transport 2 -peer shmem://
                    """,
                    "1-1 SR over shmem",
                    """
                    -domainId 88 -nic pub_IP -transport 2 -peer shmem:// -subscribers 1 -numIter 100000 -reliable
                    -domainId 88 -cookie 1 -nic sub1_IP -transport 2 -peer shmem:// -reliable
                    """,
                    "1-4 SR over shmem",
                    """
                    -domainId 88 -nic pub_IP -transport 2 -peer shmem:// -subscribers 4 -numIter 100000 -reliable
                    -domainId 88 -cookie 1 -nic sub1_IP -noecho -transport 2 -peer shmem:// -reliable
                    -domainId 88 -cookie 2 -nic sub2_IP -noecho -transport 2 -peer shmem:// -reliable
                    -domainId 88 -cookie 3 -nic sub3_IP -noecho -transport 2 -peer shmem:// -reliable
                    -domainId 88 -cookie 4 -nic sub4_IP -transport 2 -peer shmem:// -reliable
                    """,
                    "1-1 BE over UDP unicast",
                    """
                    -domainId 88 -nic pub_IP -transport 1 -peer sub1_IP -subscribers 1 -numIter 100000
                    -domainId 88 -cookie 1 -nic sub1_IP -transport 1 -peer pub_IP
                    """,
                    "1-4 BE over UDP unicast",
                    """
                    -domainId 88 -nic pub_IP -transport 1 -peer sub1_IP -peer sub2_IP -peer sub3_IP -peer sub4_IP \
                    -subscribers 4 -numIter 100000
                    -domainId 88 -cookie 1 -nic sub1_IP -noecho -transport 1 -peer pub_IP
                    -domainId 88 -cookie 2 -nic sub2_IP -noecho -transport 1 -peer pub_IP
                    -domainId 88 -cookie 3 -nic sub3_IP -noecho -transport 1 -peer pub_IP
                    -domainId 88 -cookie 4 -nic sub4_IP -transport 1 -peer pub_IP
                    """,
                    "1-4 BE over UDP multicast",
                    """
                    -domainId 88 -nic pub_IP -transport 1 -peer sub1_IP -peer sub2_IP -peer sub3_IP -peer sub4_IP \
                    -subscribers 4 -numIter 100000 -mcast_rcv_addr 225.1.2.3 -multicast_ttl 1
                    -domainId 88 -cookie 1 -nic sub1_IP -noecho -transport 1 -peer pub_IP -mcast_rcv_addr 225.3.2.1 \
                    -multicast_ttl 1
                    -domainId 88 -cookie 2 -nic sub2_IP -noecho -transport 1 -peer pub_IP -mcast_rcv_addr 225.3.2.1 \
                    -multicast_ttl 1
                    -domainId 88 -cookie 3 -nic sub3_IP -noecho -transport 1 -peer pub_IP -mcast_rcv_addr 225.3.2.1 \
                    -multicast_ttl 1
                    -domainId 88 -cookie 4 -nic sub4_IP -transport 1 -peer pub_IP -mcast_rcv_addr 225.3.2.1 \
                    -multicast_ttl 1
                    """);

    /** Its columns in their order. */
    private static final String[] DDS_COLUMNS = {
        "bytes", "stdev us", "ave us", "min us", "50% us", "90% us", "99% us", "99.99% us", "max us"
    };

    /** What it measures where no size is given: each power of two from 16 bytes to 8 KiB. */
    private static final int DDS_SIZES = 10;

    private static final int PINGS = 100;

    /** Sections of chapter 7, with what its first steps set in them. */
    private static final String EMA_CONFIG =
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <EmaConfig>
            <ConsumerGroup><ConsumerList><Consumer>
            <Name value="Perf_Consumer_1"/><Channel value="Perf_Channel_1"/>
            </Consumer></ConsumerList></ConsumerGroup>
            <IProviderGroup><IProviderList><IProvider>
            <Name value="Perf_Provider_1"/><Server value="Perf_Server_1"/><Directory value="Directory_2"/>
            </IProvider></IProviderList></IProviderGroup>
            <NiProviderGroup><NiProviderList><NiProvider>
            <Name value="Perf_NIProvider_1"/><Channel value="Perf_NIP_Channel_1"/><Directory value="Perf_Directory_1"/>
            </NiProvider></NiProviderList></NiProviderGroup>
            <ChannelGroup><ChannelList>
            <Channel><Name value="Perf_Channel_1"/><ChannelType value="ChannelType::RSSL_SOCKET"/>
            <Host value="adshost"/><Port value="14002"/></Channel>
            <Channel><Name value="Perf_NIP_Channel_1"/><ChannelType value="ChannelType::RSSL_SOCKET"/>
            <Host value="adhhost"/><Port value="14003"/></Channel>
            </ChannelList></ChannelGroup>
            <ServerGroup><ServerList><Server>
            <Name value="Perf_Server_1"/><ServerType value="ServerType::RSSL_SOCKET"/><Port value="17008"/>
            </Server></ServerList></ServerGroup>
            <DirectoryGroup><DirectoryList>
            <Directory><Name value="Directory_2"/><Service><Name value="SERVICE"/></Service></Directory>
            <Directory><Name value="Perf_Directory_1"/><Service><Name value="TEST_FEED"/></Service></Directory>
            </DirectoryList></DirectoryGroup>
            </EmaConfig>
            """;

    private static final String CONSUMER_COLUMNS =
            "UTC, Latency updates, Latency avg (usec), Latency std dev (usec), Latency max (usec), Latency min (usec),"
                    + " Images, Update rate (msg/sec), Posting Latency updates, Posting Latency avg (usec),"
                    + " Posting Latency std dev (usec), Posting Latency max (usec), Posting Latency min (usec),"
                    + " GenMsgs sent, GenMsgs received, GenMsg Latencies sent, GenMsg latencies received,"
                    + " GenMsg Latency avg (usec), GenMsg Latency std dev (usec), GenMsg Latency max (usec),"
                    + " GenMsg Latency min (usec), CPU usage (%), Memory (MB)\n";

    /** Options of its table 2 with their defaults, where it names any; without -useServiceId. */
    private static final String CONSUMER_OPTIONS =
            """
            -commonItemCount=0 -consumerName=Perf_Consumer_ -delaySteadyStateCalc=0 -genericMsgLatencyRate=0
            -genericMsgRate=0 -itemCount=100000 -itemFile -latencyFile -mainThread=-1 -msgFile -noDisplayStats
            -postingLatencyRate=0 -postingRate=0 -requestRate=35000 -serviceName=DIRECT_FEED -snapshot
            -statsFile=ConsStats -steadyStateTime=300 -summaryFile=ConsSummary.out -threads -tickRate=1000
            -useUserDispatch=0 -uname -websocket -writeStatsInterval=5
            """;

    /** Of its table 3. */
    private static final String PROVIDER_OPTIONS =
            """
            -genericMsgLatencyRate=0 -genericMsgRate=0 -latencyFile -latencyUpdateRate=10 -mainThread=-1
            -measureEncode -measureDecode -msgFile -nanoTime -noDisplayStats -preEnc -providerName=Perf_Provider_
            -runTime=360 -statsFile=ProvStats -summaryFile=IProvSummary.out -threads -tickRate=1000
            -updateRate=100000 -useUserDispatch=0 -writeStatsInterval=5
            """;

    /** Of its table 4; without -measureDecode, as a publisher decodes nothing. */
    private static final String PUBLISHER_OPTIONS =
            """
            -itemCount=100000 -itemFile -latencyUpdateRate=10 -mainThread=-1 -measureEncode -msgFile
            -nanoTime -noDisplayStats -preEnc -providerName=Perf_NIProvider_ -refreshBurstSize=10 -runTime=360
            -serviceId=1 -serviceName=DIRECT_FEED -statsFile=NIProvStats -summaryFile=NIProvSummary.out -threads
            -tickRate=1000 -updateRate=100000 -useUserDispatch=0 -writeStatsInterval=5
            """;

    @Override
    Launch line(final String line) {
        return super.line(line)
                .with("TICKMARK_JAVA_OPTS", "-XX:TieredStopAtLevel=1 -Djdk.net.hosts.file=hosts");
    }

    /** All names of hosts that the documents use lead to the machine itself. */
    private void nameHosts() throws IOException {
        Files.writeString(
                folder.resolve("hosts"),
                "127.0.0.1 localhost perf1 adshost adhhost providerhost "
                        + InetAddress.getLocalHost().getHostName()
                        + "\n");
    }

    // The DDS latency test.

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1-1 BE over UDP unicast",
                "1-4 BE over UDP unicast",
                "1-4 BE over UDP multicast"
            })
    void shouldMeasureEachScenarioOfTheDdsTestOverUdp(final String scenario) throws Exception {
        DdsNeeds.library();
        final List<String> lines = DDS_LINES.get(scenario).lines().toList();
        try (Namespaces hosts = new Namespaces(lines.size())) {
            final List<Launch> launches = new ArrayList<>();
            for (int host = 1; host <= lines.size(); host++) {
                launches.add(hosts.on(host, ddsLine(lines.get(host - 1))));
            }
            shouldPrintTheTableOfTheDdsTest(launches);
        }
    }

    /** All on one host, which has the addresses of all. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1-1 BE over shmem",
                "1-4 BE over shmem",
                "1-1 SR over shmem",
                "1-4 SR over shmem"
            })
    void shouldMeasureEachScenarioOfTheDdsTestOverSharedMemory(final String scenario)
            throws Exception {
        DdsNeeds.library();
        DdsNeeds.daemon();
        final List<String> lines = DDS_LINES.get(scenario).lines().toList();
        // The counter of datagrams covers the host: a separate network keeps others out of it.
        try (Namespaces alone = new Namespaces(1)) {
            for (int other = 2; other <= lines.size(); other++) {
                alone.address(1, Namespaces.ip4(other));
            }
            shouldPrintTheTableOfTheDdsTest(
                    lines.stream().map(line -> alone.on(1, ddsLine(line))).toList());
        }
        final String result = Files.readString(folder.resolve("kept/result.json"));
        assertThat(result).contains("\"sharedMemory\" : true");
        // The samples did not go by the network: only what is left of discovery did.
        // By the network each sample would be a datagram to each subscriber.
        final long subscribers = lines.size() - 1;
        assertThat(number(result, "datagramsSentByHost"))
                .isLessThan(subscribers * number(result, "samplesWritten"));
    }

    private Launch ddsLine(final String line) {
        String typed = line.replace("100000", Integer.toString(PINGS));
        typed = typed.replace("-domainId 88", "-domainId " + DdsNeeds.domain(7));
        typed = typed.replace("pub_IP", Namespaces.ip4(1));
        for (int host = 1; host <= 4; host++) {
            typed = typed.replace("sub" + host + "_IP", Namespaces.ip4(host + 1));
        }
        return line(
                line.contains("-subscribers")
                        ? "latency pub "
                                + typed
                                + " --warm-up 50ms --connect-timeout 120s --ping-timeout 10s --out kept"
                        : "latency sub " + typed + " --connect-timeout 120s");
    }

    /** Chapter 7: who waits for whom, who echoes, a row for each size, and its last line. */
    private void shouldPrintTheTableOfTheDdsTest(final List<Launch> launches) throws Exception {
        nameHosts();
        final List<Job> jobs = new ArrayList<>();
        for (final Launch launch : launches) {
            jobs.add(start(launch));
        }
        final List<Launch.Outcome> outcomes = new ArrayList<>();
        for (final Job job : jobs) {
            outcomes.add(job.await());
        }
        for (final Launch.Outcome outcome : outcomes) {
            assertThat(outcome.exitCode()).as(outcome.err() + outcome.out()).isZero();
        }
        final int subscribers = launches.size() - 1;
        final Launch.Outcome publisher = outcomes.getFirst();
        assertThat(publisher.err())
                .containsPattern("Socket send buffer \\d+ bytes; receive buffer \\d+ bytes")
                .containsPattern("recv time sharing, nice \\d+")
                .contains("Waiting for " + subscribers + " receiver", "[" + subscribers + "]")
                .contains("The subscriber with cookie " + subscribers + " echoes.");
        assertThat(outcomes.getLast().err())
                .containsPattern("Socket send buffer \\d+ bytes; receive buffer \\d+ bytes");
        assertThat(publisher.out()).containsSubsequence(DDS_COLUMNS).endsWith("Test successful!\n");
        final List<double[]> rows =
                publisher
                        .out()
                        .lines()
                        .filter(text -> text.matches(" *\\d+( +([\\d.]+|n/a)){8}"))
                        .map(text ->
                                Arrays.stream(text.strip().replace("n/a", "NaN").split(" +"))
                                        .mapToDouble(Double::parseDouble)
                                        .toArray())
                        .toList();
        assertThat(rows).as(publisher.out()).hasSize(DDS_SIZES);
        for (int row = 0; row < DDS_SIZES; row++) {
            final double[] figures = rows.get(row);
            assertThat(figures[0]).isEqualTo(16 << row);
            assertThat(figures[2]).as("average").isBetween(figures[3], figures[8]);
            assertThat(figures[4]).as("median").isBetween(figures[3], figures[5]);
            assertThat(figures[5]).as("90 %").isLessThanOrEqualTo(figures[8]);
        }
        assertThat(ResultDocument.read(folder.resolve("kept/result.json")).trials())
                .extracting(row -> row.path("sent").asInt(), row -> row.path("lost").asInt())
                .hasSize(DDS_SIZES)
                .containsOnly(tuple(PINGS, 0));
    }

    private static long number(final String json, final String name) {
        final Matcher matcher = Pattern.compile("\"" + name + "\" : (\\d+)").matcher(json);
        assertThat(matcher.find()).as(name).isTrue();
        return Long.parseLong(matcher.group(1));
    }

    // The streaming tools.

    /** A thousandth of its 200,000,000 passes. */
    @Test
    void shouldWatchACoreAsTheJitterToolDoes() {
        final Launch.Outcome outcome = line("jitter -a 1 -j 200000 -s 150 --no-history").run();

        assertThat(outcome.out().replaceAll("\\s+", " "))
                .containsPattern(
                        "o_affinity_cpu=1, o_jitter_loops=200000, o_spin_cnt=150, ts_min_ns=\\d+, ts_max_ns=\\d+,");
        assertThat(outcome.exitCode()).isZero();
    }

    /** Tests 1 and 6: publisher and subscriber meet where their configuration says. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "-a 1 -x um.xml -m 700 -n 50000000 -r 999999999 -t topic1 -w 15,5",
                "-a 1 -x um.xml -m 700 -n 50000000 -r 999999999 -t topic1,topic2,topic3 -w 15,5",
            })
    void shouldStreamBetweenTwoHostsAsTheUmToolsDo(final String line) throws Exception {
        writeUmFile();
        nameHosts();
        try (Namespaces hosts = new Namespaces(2)) {
            final Job subscriber =
                    start(hosts.on(1, line("stream sub " + UM_SUBSCRIBER.replace("-a 2", "-a 0"))));
            final Job publisher =
                    start(
                            hosts.on(
                                    2,
                                    line(
                                            "stream pub "
                                                    + line.replace("50000000", "2000")
                                                    + " --jvm-warm-up 50ms")));

            final Launch.Outcome sent = publisher.await();
            assertThat(sent.out()).containsPattern(figures(2000, "n/a"));
            assertThat(sent.err())
                    .contains("all topics go through aeron:udp?endpoint=239.101.3.1")
                    .contains("request_tcp_interface (um.xml line 7)");
            assertThat(sent.exitCode()).as(sent.out() + sent.err()).isZero();
            final Launch.Outcome received = subscriber.await();
            assertThat(received.out())
                    .as(received.err())
                    .contains("num_rx_msgs=2000, num_unrec_loss=0\n");
            assertThat(received.exitCode()).as(received.out() + received.err()).isZero();
        }
    }

    /** Its remaining options: each leaves a trace. */
    @Test
    void shouldDoWhatTheOtherOptionsOfTheUmToolsSay() throws Exception {
        Files.writeString(
                folder.resolve("um.cfg"),
                "context resolver_multicast_interface 10.77.0.0/24\n"
                        + "context resolver_multicast_address 239.101.3.3\n");
        Files.writeString(
                folder.resolve("more.cfg"), "context resolver_multicast_address 239.101.3.5\n");
        nameHosts();
        try (Namespaces hosts = new Namespaces(2)) {
            final Job subscriber =
                    start(
                            hosts.on(
                                    1,
                                    line(
                                            "stream sub -c um.cfg -c more.cfg -E -s 100 -t topic1 -p r")));
            final Job publisher =
                    start(
                            hosts.on(
                                    2,
                                    line(
                                            "stream pub -c um.cfg -c more.cfg -g -H 100,50 -l 200 -L 5 -m 64 -n 1000"
                                                    + " -r 1000 -t topic1 --jvm-warm-up 50ms --out kept")));
            final Launch.Outcome sent = publisher.await();
            assertThat(sent.err()).contains("all topics go through aeron:udp?endpoint=239.101.3.5");
            assertThat(sent.out()).as(sent.err()).contains("actual_sends=");
            final String result = Files.readString(folder.resolve("kept/result.json"));
            assertThat(result).contains("\"sendPath\" : \"offer\"");
            final Launch.Outcome received = subscriber.await();
            assertThat(received.out())
                    .as("a twentieth is numbered and not sent")
                    .containsPattern("num_rx_msgs=9\\d\\d, num_unrec_loss=[1-9]");
            assertThat(received.exitCode()).isEqualTo(1);
        }
    }

    @Test
    void shouldSendDatagramsAsTheSocketToolsDo() {
        final Launch.Outcome outcome =
                Launch.here(
                                folder,
                                "socket -g 239.192.0.77 -i lo -H 100,50 -m 700 -n 1000 -r 10000 -w 15,50"
                                        + " --no-noise --no-history --out there")
                        .passedOrWasSaturated();

        assertThat(outcome.out()).contains("mcast://239.192.0.77:0?interface=lo");
        final InProcess.Outcome both = InProcess.run("socket pub -a 1 -r 1000 -s 100".split(" "));
        assertThat(both.err()).contains("-s 100 and -r 1000: ");
        assertThat(both.exitCode()).isEqualTo(2);
    }

    // The fan-out benchmark.

    /** Its six steps on its ports, with fewer messages of each session. */
    @Test
    void shouldDoTheSixStepsOfTheFanOutBenchmark() throws Exception {
        CaptureNeeds.tcpdump(folder);
        nameHosts();
        try (Namespaces perf1 = new Namespaces(1)) {
            final Job capture = start(perf1.on(1, line("capture tcpdump.pcap")));
            capture.awaitErr("Ctrl-C ends it.");
            final Job gateway = start(perf1.on(1, line("fix gateway")));
            gateway.awaitErr("Consumers connect to 127.0.0.1:3001");
            assertThat(gateway.err()).contains("127.0.0.1:3000");
            final Job consumers = start(perf1.on(1, line("fix consumers perf1 200")));
            consumers.awaitErr("200 consumers are logged on");

            final Launch.Outcome sent =
                    perf1.on(1, line("fix producers perf1 50 50 10 --warm-up 200ms")).run();
            assertThat(sent.out()).as(sent.err()).containsPattern("all .* 2,500\n");
            sent.passedOrWasSaturated();
            // Every 50th, because there are 50 producers, to 200 consumers; a line each 1000.
            consumers.awaitErr("Received 10000 messages.");
            assertThat(consumers.err()).contains("Received 1000 messages.");
            gateway.signal("INT", false);
            assertThat(gateway.await().exitCode()).isZero();
            final Launch.Outcome received = consumers.await();
            assertThat(received.out()).as(received.err()).contains("10,000", "Passed.");
            assertThat(received.exitCode()).isZero();
            capture.signal("INT", false);
            final Launch.Outcome captured = capture.await();
            assertThat(captured.out())
                    .containsPattern("\\d+ packets captured")
                    .containsPattern("\\d+ packets received by filter")
                    .contains("0 packets dropped\n");
        }
        final Launch.Outcome report =
                Launch.here("wire " + folder.resolve("tcpdump.pcap") + " 1000");
        assertThat(report.out())
                .as(report.err())
                .containsPattern(
                        "^IN rate: \\d+ \\(msg/sec\\), OUT rate: \\d+ \\(msg/sec\\)\n"
                                + "MIN: [\\d.]+ \\(us\\), MAX: [\\d.]+ \\(us\\), MEAN: [\\d.]+ \\(us\\)\n"
                                + "25.00 percentile: [\\d.]+ \\(us\\)\n50.00 percentile: [\\d.]+ \\(us\\)\n"
                                + "75.00 percentile: [\\d.]+ \\(us\\)\n90.00 percentile: [\\d.]+ \\(us\\)\n"
                                + "99.00 percentile: [\\d.]+ \\(us\\)\n99.90 percentile: [\\d.]+ \\(us\\)\n");
        final Launch.Outcome kept =
                Launch.here("wire %s/tcpdump.pcap 1000 --out %s/kept".formatted(folder, folder));
        assertThat(kept.isOneScreen().out())
                .as(kept.err())
                .startsWith("IN rate: ")
                .contains("kept/report.html", "\nTables: ")
                .doesNotContain("sessionDirections");
        assertThat(folder.resolve("kept/summary.txt")).content().contains("sessionDirections");
    }

    // The market-data tools.

    private static final String FEWER_ITEMS = " -itemCount 100";

    /** The images have to come in as much time. */
    private static final String SHORT_STEADY_STATE = " -steadyStateTime 10 -writeStatsInterval 1";

    private static final String FEWER_UPDATES =
            " -updateRate 2000 -runTime 300 -writeStatsInterval 1 --end-with-consumers";

    /** Section 7.2, and with another service and a hub 7.1. */
    @ParameterizedTest
    @CsvSource({"DIRECT_FEED,false", "TEST_FEED,true"})
    void shouldProvideInteractivelyAsInChapter7(final String service, final boolean isThroughHub)
            throws Exception {
        nameHosts();
        Files.writeString(
                folder.resolve("EmaConfig.xml"),
                isThroughHub
                        ? EMA_CONFIG.replace("SERVICE", service)
                        : EMA_CONFIG.replace("SERVICE", service).replace("14002", "17008"));
        try (Namespaces adshost = new Namespaces(1)) {
            final Job provider =
                    start(
                            adshost.on(
                                    1,
                                    line(
                                            "market provider -providerName Perf_Provider"
                                                    + FEWER_UPDATES)));
            provider.awaitErr("Provides " + service);
            if (isThroughHub) {
                start(
                                adshost.on(
                                        1,
                                        line(
                                                "market hub -p 14002 --publisher-port -1 --providers 127.0.0.1:17008")))
                        .awaitErr("Listening");
            }
            final Launch.Outcome consumer =
                    adshost.on(
                                    1,
                                    line(
                                            "market consumer -serviceName "
                                                    + service
                                                    + " -consumerName Perf_Consumer_1 -latencyFile latencyLog"
                                                    + FEWER_ITEMS
                                                    + SHORT_STEADY_STATE))
                            .run();

            shouldLeaveTheFilesOfAConsumer(consumer, service);
            assertThat(folder.resolve("latencyLog1.csv"))
                    .content()
                    .matches(
                            "(?s)Message type, Send time, Receive time, Latency \\(usec\\)\n(Upd, \\d+, \\d+, \\d+\n)+");
            if (!isThroughHub) {
                shouldHaveMeasured(provider.await());
                assertThat(folder.resolve("ProvStats1.csv")).content().startsWith("UTC, ");
                assertThat(folder.resolve("IProvSummary.out"))
                        .content()
                        .contains(
                                "--- TEST INPUTS ---",
                                "Run Time: 300\n",
                                "Latency Update Rate: 10\n",
                                "Refresh Burst Size: 10\n",
                                "Tick Rate: 1000\n",
                                "--- OVERALL SUMMARY ---",
                                "Image requests received: 100\n",
                                "Updates sent: ",
                                "CPU Usage max (%): ",
                                "Memory Usage avg (MB): ");
                assertThat(provider.err())
                        .containsPattern(
                                "(?m)^\\d{3}: UpdRate: +\\d+, CPU: +[\\d.]+%, Mem: +[\\d.]+MB")
                        .contains(
                                "  - Received 100 item requests (total: 100), sent 100 images (total: 100)");
            }
        }
    }

    /** Whether it held the rate is the machine's to say. */
    private static void shouldHaveMeasured(final Launch.Outcome outcome) {
        assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isIn(0, 1);
        assertThat(outcome.out()).doesNotContain("Void");
    }

    /** What section 4.6 shows: summary, statistics and screen. */
    private void shouldLeaveTheFilesOfAConsumer(
            final Launch.Outcome consumer, final String service) {
        shouldHaveMeasured(consumer);
        assertThat(consumer.err())
                .containsPattern(
                        "(?m)^\\d{3}: Images: +\\d+, Posts: +\\d+, UpdRate: +\\d+, CPU: +[\\d.]+%, Mem: +[\\d.]+MB")
                .containsPattern(
                        "- Image retrieval time for 100 images: [\\d.]+s \\(\\d+ images/s\\)");
        assertThat(folder.resolve("ConsStats1.csv")).content().startsWith(CONSUMER_COLUMNS);
        assertThat(folder.resolve("ConsSummary.out"))
                .content()
                .contains(
                        "--- TEST INPUTS ---",
                        "Steady State Time: 10\n",
                        "Delay Steady State Time: 0\n",
                        "Service: " + service + "\n",
                        "useUserDispatch: 0\n",
                        "mainThread: -1\n",
                        "Thread List: -1\n",
                        "Username: (use system login name)\n",
                        "Item Count: 100\n",
                        "Common Item Count: 0\n",
                        "Request Rate: 35000\n",
                        "Request Snapshots: No\n",
                        "Generic Msg Rate: 0\n",
                        "Summary File: ConsSummary.out\n",
                        "Stats File: ConsStats\n",
                        "Tick Rate: 1000\n")
                .containsSubsequence(
                        "--- OVERALL SUMMARY ---",
                        "Startup State Statistics:",
                        "  Sampling duration (sec): ",
                        "Steady State Statistics:",
                        "  Sampling duration (sec): ",
                        "Overall Statistics:",
                        "  Sampling duration (sec): ",
                        "  CPU/Memory samples: ",
                        "  CPU Usage max (%): ",
                        "  Memory Usage avg (MB): ",
                        "Test Statistics:",
                        "  Requests sent: 100\n",
                        "  Refreshes received: 100\n",
                        "  Updates received: ",
                        "  Image retrieval time (sec): ",
                        "  Avg image rate: ",
                        "  Avg update rate: ");
    }

    /** Sections 7.3 and 7.4: a hub that is filled by one publisher after the other. */
    @Test
    void shouldPublishAndPostAsInChapter7() throws Exception {
        nameHosts();
        Files.writeString(
                folder.resolve("EmaConfig.xml"), EMA_CONFIG.replace("SERVICE", "TEST_FEED"));
        final String consumer =
                "market consumer -serviceName TEST_FEED -consumerName Perf_Consumer_1";
        final String posting =
                "market consumer -h adshost -p 14002 -serviceName TEST_FEED -postingRate 10000 -postingLatencyRate 10";
        final List<String> publishers =
                List.of(
                        "market publisher -serviceName TEST_FEED -providerName Perf_NIProvider_1 -updateRate 2000",
                        "market publisher -h adhhost -p 14003 -serviceName TEST_FEED -updateRate 0 -latencyUpdateRate 0",
                        "market publisher -h adhhost -p 14003 -serviceName TEST_FEED -updateRate 1000");
        try (Namespaces adshost = new Namespaces(1)) {
            start(adshost.on(1, line("market hub -p 14002 --publisher-port 14003")))
                    .awaitErr("Listening");
            for (final String line : publishers) {
                final boolean isFirst = line.equals(publishers.getFirst());
                final Job publisher =
                        start(
                                adshost.on(
                                        1,
                                        line(
                                                line
                                                        + " -runTime 300 -writeStatsInterval 1"
                                                        + FEWER_ITEMS)));
                publisher.awaitErr("Sent 100 images (total: 100)");
                final Launch.Outcome received =
                        adshost.on(
                                        1,
                                        line(
                                                (isFirst ? consumer : posting)
                                                        + FEWER_ITEMS
                                                        + SHORT_STEADY_STATE))
                                .run();
                shouldLeaveTheFilesOfAConsumer(received, "TEST_FEED");
                if (!isFirst) {
                    assertThat(folder.resolve("ConsSummary.out"))
                            .content()
                            .contains("Posting Rate: 10000\n", "Latency Posting Rate: 10\n")
                            .containsPattern("Posting Latency avg \\(usec\\): [\\d.]+");
                }
                publisher.signal("INT", false);
                publisher.await();
                assertThat(folder.resolve("NIProvStats1.csv"))
                        .content()
                        .startsWith("UTC, Images sent, Updates sent, CPU usage (%), Memory (MB)\n");
                assertThat(folder.resolve("NIProvSummary.out"))
                        .content()
                        .contains(
                                "Run Time: 300\n",
                                "Item Count: 100\n",
                                "Service Name: TEST_FEED\n",
                                "Pre-Encoded Updates: No\n",
                                "Images sent: 100\n",
                                "Updates sent: ");
            }
        }
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

    @ParameterizedTest
    @CsvSource({"consumer", "provider", "publisher"})
    void shouldHaveEachOptionOfTheMarketDataToolsWithItsDefault(final String tool) {
        final String options =
                switch (tool) {
                    case "consumer" -> CONSUMER_OPTIONS;
                    case "provider" -> PROVIDER_OPTIONS;
                    default -> PUBLISHER_OPTIONS;
                };
        final String help = InProcess.text("market", tool, "--help");
        final Map<String, String> defaults =
                SettingDescriptor.of(RoleCatalog.load().find("market-" + tool).settings()).stream()
                        .collect(
                                Collectors.toMap(
                                        SettingDescriptor::key, SettingDescriptor::byDefault));

        for (final String option : options.strip().split("\\s+")) {
            final String[] nameAndDefault = option.split("=");
            assertThat(help).containsPattern(nameAndDefault[0] + "[,= ]");
            if (nameAndDefault.length > 1) {
                assertThat(defaults.get(EmaPerfDialect.PROVIDER.spellings().get(nameAndDefault[0])))
                        .as(option)
                        .matches(Pattern.quote(nameAndDefault[1]) + "(1|s|ms)?");
            }
        }
    }
}

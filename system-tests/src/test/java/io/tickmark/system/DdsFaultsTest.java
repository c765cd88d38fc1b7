package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.engines.dds.DdsTransport;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Topic;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What can go wrong with DDS: a sentence and an exit code, never the end of the JVM. */
@ResourceLock(DdsNeeds.DOMAINS)
class DdsFaultsTest {
    private static final String LIBRARY = "TICKMARK_DDS_LIBRARY";

    /** Where a program with the library's own configuration finds a domain of ours on this host. */
    private static final String ON_THIS_HOST =
            "<General><Interfaces><NetworkInterface address=\"127.0.0.1\"/></Interfaces>"
                    + "<AllowMulticast>false</AllowMulticast></General>"
                    + "<Discovery><ParticipantIndex>auto</ParticipantIndex>"
                    + "<Peers><Peer address=\"127.0.0.1\"/></Peers></Discovery>";

    @TempDir private Path folder;

    @ParameterizedTest
    @CsvSource({
        "/nonexistent/libddsc.so, 'Cyclone DDS is missing (no /nonexistent/libddsc.so'",
        "libc.so.6, 'libc.so.6 is not Cyclone DDS 0.10'",
    })
    void shouldSayThatTheLibraryIsMissingOrOfAnotherVersion(final String name, final String words) {
        final Launch.Outcome outcome =
                Launch.tickmark(folder, "latency --channel dds://0").with(LIBRARY, name).run();

        assertThat(outcome.errLines()).singleElement().asString().contains(words, "libddsc0debian");
        assertThat(outcome.exitCode()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--channel dds://0?library=", "-domainId 0 --library "})
    void shouldUseTheLibraryThatIsNamed(final String named) throws Exception {
        DdsNeeds.library();
        final Launch.Outcome absent =
                Launch.here(folder, "latency " + named + "/nonexistent/libddsc.so");
        assertThat(absent.errLines())
                .singleElement()
                .asString()
                .contains("no /nonexistent/libddsc.so can be loaded", "?library=");
        assertThat(absent.exitCode()).isEqualTo(3);

        final String file = libraryFile();
        final Launch.Outcome there =
                Launch.tickmark(
                                folder,
                                "latency "
                                        + named
                                        + file
                                        + " --sizes 64 --samples 100 --no-noise --no-history --out there")
                        .with(LIBRARY, "/nonexistent/libddsc.so")
                        .run();
        assertThat(there.out()).contains("64");
        assertThat(Files.readString(folder.resolve("there/result.json")))
                .contains("\"ddsLibrary\"", file);
    }

    private static String libraryFile() {
        final ChannelUri channel = ChannelUri.parse("dds:");
        try (Exchange exchange =
                new DdsTransport().exchange(channel, Topic.DEFAULT, ExchangeSide.BIND, 0)) {
            return exchange.publication().facts().get("ddsLibrary").toString();
        }
    }

    @Test
    void shouldLeaveTheDdsSectionOutOfTheDefaultRunWithOneLine() throws Exception {
        try (Job run =
                Job.start(
                        Launch.tickmark(folder, "run --out there")
                                .with(LIBRARY, "/nonexistent/libddsc.so"),
                        folder)) {
            // Signals end a run politely from its first trial on.
            run.awaitErr("1/");
            assertThat(run.err().lines().filter(line -> line.contains("dds")))
                    .singleElement()
                    .asString()
                    .contains("no /nonexistent/libddsc.so");
            run.signal("TERM", false);
            assertThat(run.await().exitCode()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "latency --channel dds://233, 'domain 233 is out of range', 2",
        "latency pub -domainId 233, '-domainId is 233; it must be between', 2",
        "latency pub -domainId 3 -nic 198.51.100.7, 'nic 198.51.100.7 is neither an interface of this machine', 3",
        "latency pub -domainId 3 -mcast_rcv_addr 10.0.0.1, 'is not a multicast address', 2",
        "latency pub -reliable --channel udp://127.0.0.1:0, '-reliable: only valid with a DDS channel', 2",
        "latency pub -domainId 3 -transport 4, 'transport', 2",
    })
    void shouldRefuseWhatCannotBe(final String line, final String words, final int exitCode) {
        DdsNeeds.library();
        // what is wrong with the machine is found by the library, which is none of this process
        final Launch.Outcome outcome =
                exitCode == 2 ? Launch.here(line) : Launch.tickmark(folder, line).run();

        assertThat(outcome.errLines()).last().asString().startsWith("tickmark: ").contains(words);
        assertThat(outcome.exitCode()).isEqualTo(exitCode);
    }

    @Test
    void shouldSayThatAnInterfaceHasNoMulticast() {
        DdsNeeds.library();
        try (Namespaces hosts = new Namespaces(1)) {
            hosts.withoutMulticast(1);
            final Launch.Outcome outcome =
                    hosts.on(
                                    1,
                                    Launch.tickmark(
                                            folder,
                                            "latency pub -domainId 3 -nic "
                                                    + Namespaces.ip4(1)
                                                    + " -mcast_rcv_addr 225.1.2.3"))
                            .run();

            assertThat(outcome.err())
                    .contains("interface veth has no multicast", "ip link set veth");
            assertThat(outcome.exitCode()).isEqualTo(3);
        }
    }

    @Test
    void shouldGoOnWithoutASubscriberThatWasKilledAndRefuseTheOneThatCameAgain() throws Exception {
        DdsNeeds.library();
        final String common = " -domainId " + DdsNeeds.domain(5);
        try (Job publisher =
                        start(
                                "latency pub -subscribers 1 --sizes 64 --warm-up 100ms --ping-timeout 200ms --verbose --duration "
                                        + 25 * Launch.PATIENCE
                                        + "s"
                                        + common);
                Job first = start("latency sub -cookie 1" + common)) {
            publisher.awaitErr("The subscriber with cookie 1 echoes.");
            publisher.awaitErr(" 64B "); // the step that it is in, told once a second
            first.signal("KILL", false);
            try (Job again = start("latency sub -cookie 1" + common)) {
                final Launch.Outcome refused = again.await();
                assertThat(refused.err()).contains("--cookie 1: another subscriber of");
                assertThat(refused.exitCode()).isEqualTo(2);
            }
            final Launch.Outcome outcome = publisher.await();
            assertThat(outcome.out()).contains("had no echo in time");
            assertThat(outcome.exitCode()).isEqualTo(1);
        }
    }

    @Test
    void shouldRefuseASecondEchoAndATakenCookieAndMeasureInWhateverOrderTheyCome()
            throws Exception {
        DdsNeeds.library();
        final String common = " -domainId " + DdsNeeds.domain(4);
        try (Job publisher =
                start(
                        "latency pub -subscribers 2 --connect-timeout 240s --sizes 64 --samples 50 --ping-timeout 20s"
                                + common)) {
            try (Job last = start("latency sub -cookie 2" + common)) {
                publisher.awaitErr("[1]");
                final Launch.Outcome second =
                        Launch.tickmark(folder, "latency sub -cookie 1" + common).run();
                assertThat(second.err())
                        .contains("--cookie 1: another subscriber of", "sends pings back already");
                assertThat(second.exitCode()).isEqualTo(2);
                assertThat(last.isAlive()).isTrue();
                final Launch.Outcome twice =
                        Launch.tickmark(folder, "latency sub -cookie 2 -noecho" + common).run();
                assertThat(twice.err())
                        .contains("--cookie 2: another subscriber of", "has this cookie");
                assertThat(twice.exitCode()).isEqualTo(2);

                try (Job first = start("latency sub -cookie 1 -noecho" + common)) {
                    final Launch.Outcome outcome = publisher.await();
                    assertThat(outcome.err())
                            .contains(
                                    "The subscriber with cookie 2 echoes.",
                                    "Subscribers did not connect in the order of their cookies");
                    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
                    final Launch.Outcome late = first.await();
                    assertThat(late.err())
                            .contains(
                                    "--cookie 1: a subscriber with a higher cookie connected before");
                    assertThat(late.exitCode()).isZero();
                    assertThat(last.await().exitCode()).isZero();
                }
            }
        }
        try (Job publisher = start("latency pub -subscribers 1" + common);
                Job _ = start("latency sub -cookie 1 -noecho" + common)) {
            final Launch.Outcome outcome = publisher.await();
            assertThat(outcome.err()).contains("--subscribers 1: none of them sends pings back");
            assertThat(outcome.exitCode()).isEqualTo(2);
        }
    }

    /** C programs on our topic: a type that is not ours, and one that only says it is. */
    @Test
    void shouldMeasureBesideForeignWritersAndReportThem() throws Exception {
        DdsNeeds.library();
        DdsNeeds.compiler();
        final int domain = DdsNeeds.domain(2);
        try (Job other = stranger("Other", "tickmark_Other", domain);
                Job garbage = stranger("Garbage", "tickmark_Message", domain)) {
            other.awaitErr("writes");
            garbage.awaitErr("writes");
            final Launch.Outcome outcome =
                    Launch.here(
                            folder,
                            "latency --channel dds://"
                                    + domain
                                    + " --sizes 64 --samples 100 --warm-up 500ms"
                                    + " --no-noise --no-history --ping-timeout 20s --out there");

            assertThat(other.isAlive()).as(other.err()).isTrue();
            assertThat(garbage.isAlive()).as(garbage.err()).isTrue();
            assertThat(outcome.out().replaceAll("\\s+", " "))
                    .contains(
                            "Another DDS program is on this topic with type tickmark::Other",
                            "Passed.")
                    .containsPattern(
                            "samples? that claims? to be tickmark::Message and (is|are) not");
            assertThat(outcome.exitCode()).isZero();
        }
    }

    private Job stranger(final String idl, final String type, final int domain) throws Exception {
        return program(
                idl,
                "stranger",
                "-DSTRANGER_HEADER='\"%1$s.h\"' -DSTRANGER_TYPE=%2$s -DSTRANGER_DESCRIPTOR=%2$s_desc"
                        .formatted(idl, type),
                domain + " 60000");
    }

    /** A program in C, compiled from a source and the types of an IDL file. */
    private Job program(
            final String idl, final String source, final String defines, final String arguments)
            throws Exception {
        final Path sources = Launch.ROOT.resolve("engines/dds/src/test/c");
        final String line =
                "idlc -l c %1$s/%2$s.idl && gcc -I . %4$s -o %2$s %1$s/%3$s.c %2$s.c -lddsc && exec ./%2$s %5$s";
        return Job.start(
                Launch.of(
                                Path.of("/bin/sh"),
                                "-c",
                                line.formatted(sources, idl, source, defines, arguments))
                        .in(folder)
                        .with("CYCLONEDDS_URI", ON_THIS_HOST),
                folder);
    }

    /** It reads the topic and writes the reply, as the docs say; the two were swapped. */
    @ParameterizedTest
    @CsvSource({"reliable, ?reliable", "best-effort, ''"})
    void shouldMeasureAnEchoInC(final String kind, final String parameters) throws Exception {
        DdsNeeds.library();
        DdsNeeds.compiler();
        final int domain = DdsNeeds.domain(1);
        try (Job echo = program("Message", "peer", "", domain + " " + kind + " echo")) {
            final Launch.Outcome outcome =
                    Launch.tickmark(
                                    folder,
                                    "latency pub --echo external --channel dds://"
                                            + domain
                                            + parameters
                                            + " --sizes 64 --samples 200 --warm-up 50ms --connect-timeout 60s"
                                            + " --ping-timeout 20s --json")
                            .run();

            assertThat(echo.isAlive()).as(echo.err()).isTrue();
            assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isZero();
            final JsonNode trial = ResultDocument.parse(outcome.out()).trial();
            assertThat(trial.path("received").asInt()).isEqualTo(200);
            assertThat(trial.at("/roundTripNs/count").asInt()).isEqualTo(200);
        }
    }

    @Test
    void shouldSayThatTheQualityOfServiceOfTheOtherSideDoesNotFit() throws Exception {
        DdsNeeds.library();
        final int domain = DdsNeeds.domain(3);
        try (Job publisher =
                start("latency pub -subscribers 1 --connect-timeout 240s -domainId " + domain)) {
            publisher.awaitErr("Publishing on dds://" + domain);
            final Launch.Outcome outcome =
                    Launch.tickmark(
                                    folder,
                                    "latency sub -cookie 1 -reliable --connect-timeout 30s -domainId "
                                            + domain)
                            .run();

            assertThat(outcome.err())
                    .contains("no publisher answered within 30s")
                    .contains("an incompatible reliability");
            assertThat(outcome.exitCode()).isEqualTo(3);
        }
    }

    private Job start(final String line) throws Exception {
        return Job.start(Launch.tickmark(folder, line), folder);
    }
}

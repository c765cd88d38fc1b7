package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each mistake has one sentence and an exit code, and nothing is begun. */
class BadInputTest {
    private static final int USAGE = 2;
    private static final int ENVIRONMENT = 3;

    @TempDir private Path folder;

    @ParameterizedTest(name = "{1}: {0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    latency --channel nonesuch://here          | 2 | no transport for scheme 'nonesuch'; known here: aeron
                    latency --channel udp                      | 2 | 'udp' is not a channel; write scheme://address
                    latency --channel mcast://10.0.0.1:0       | 2 | '10.0.0.1' is not a multicast group; use 224.0.0.0
                    latency --channel shm://a/b                | 2 | 'a/b' is not a name; use up to 64 letters
                    latency --channel null: --channel shm:     | 2 | some of the channels work within one process only
                    latency --topic a/b                        | 2 | 'a/b' is not a topic's name
                    `latency --channel aeron:udp?endpoint=127.0.0.1:0|unicast=true --subscribers 2` |2| reaches one subscriber
                    `stream --channel aeron:udp?endpoint=127.0.0.1:0|unicast=true --subscribers 3` |2| reaches one subscriber
                    `stream pub --channel aeron:udp?endpoint=127.0.0.1:0|unicast=true --subscribers 2` |2| reaches one subscriber
                    `latency pub --channel aeron:udp?endpoint=127.0.0.1:0|unicast=true --subscribers 2` |2| reaches one subscriber
                    stream --topics a,a                        | 2 | names 'a' twice; give it once
                    stream --pace poisson                      | 2 | --pace poisson: spreads a rate; give one with --rate
                    stream pub --pace sleep -r 10              | 2 | --pace sleep: does not keep to a rate; leave -r out
                    stream -r 10 --sleep 1ms                   | 2 | --sleep: belongs to --pace sleep; give it, or leave
                    run calibrate --set channel=shm:           | 2 | a calibration measures the delays and faults that it
                    latency pubb                               | 2 | unexpected argument 'pubb'; did you mean pub?
                    latency --channel udp://127.0.0.1:99999    | 2 | '99999' is not a port; use 1 to 65535
                    latency --channel tcp://nohost.invalid:1   | 2 | 'nohost.invalid'
                    latency --channel nats://127.0.0.1:x --json | 2 | 'x' is not a port
                    latency --channel nats:?subjects=a         | 2 | ?subjects is not a setting here; did you mean ?subject?
                    stream --store jetstream:?replicas=3&members=1 | 2 | ?replicas=3 needs that many servers
                    stream --store archive:?deletion=acknowledged --subscribers 2 | 2 | a topic has one subscriber
                    stream --channel kafka:?deletion=kept      | 2 | ?deletion has no effect on messages that go through no store
                    stream --store rabbitmq-stream:?keepBytes=20000000 | 2 | ?keepBytes has no effect on messages that go through
                    latency --channel artemis:?sync=false      | 2 | ?sync has no effect on messages that go through no store
                    stream --store nats:                       | 2 | nats keeps no messages
                    run ten-tests --store nats:                | 2 | nats keeps no messages
                    run ten-tests --store redis: --channel nats: | 2 | --store: --channel is given too
                    run fix --store redis:                     | 2 | has no test whose store
                    stream --channel kafka:?acks=2             | 2 | ?acks is "2"
                    latency --channel mqtt://127.0.0.1:1?user=a&passwordFile=/nowhere | 2 | ?passwordFile=/nowhere cannot be read
                    latency --channel artemis://127.0.0.1:1?user=a&passwordFile=/nowhere | 2 | ?passwordFile=/nowhere cannot
                    stream --store rabbitmq://127.0.0.1:1?user=a&passwordFile=/nowhere | 2 | ?passwordFile=/nowhere cannot
                    latency --channel pulsar://127.0.0.1:1?tokenFile=/nowhere/token | 2 | ?tokenFile=/nowhere/token cannot be read
                    latency --channel grpc://127.0.0.1:0?tokenFile=/nowhere/token | 2 | ?tokenFile=/nowhere/token cannot be read
                    latency --channel omb:/nowhere/driver.yaml | 2 | /nowhere/driver.yaml is not a file; give the path
                    stream -x um.xml                           | 2 | um.xml: there is no such file; name
                    latency --chanel shm:                      | 2 | unknown option '--chanel'; did you mean --channel?
                    latency --channel udp://127.0.0.1:0?bath=2 | 2 | ?bath is not a setting here; did you mean ?batch?
                    latency --channel tcp://127.0.0.1:0?bath=2 | 2 | ?bath is not a setting here; known are
                    latency --channel udp://127.0.0.1:0?batch=two | 2 | ?batch is "two", which is not a number
                    latency --sizes 64,100000                  | 2 | --sizes 100000: udp://127.0.0.1:0 carries at most 65507 bytes
                    stream -m 70000                            | 2 | --payload-bytes 70000: udp://127.0.0.1:0 carries at most
                    stream --send-path claim                   | 2 | udp://127.0.0.1:0 has no claims
                    latency --samples ten                      | 2 | --samples is "ten", which is not a number
                    latency -numIter ten                       | 2 | -numIter is "ten", which is not a number
                    stream --rate -5                           | 2 | --rate
                    stream --duration 5                        | 2 | --duration is 5 without a unit; write for example 5s
                    stream --noise 1h                          | 2 | --noise is 1h
                    socket -g 10.0.0.1                         | 2 | 10.0.0.1: is not a multicast group; use 224.0.0.0
                    socket -r 1000 -s 100                      | 2 | -s 100 and -r 1000: a publisher keeps to a rate or sleeps
                    socket pub --channel shm:                  | 2 | unknown option '--channel'
                    latency --metrics ten                      | 2 | --metrics is "ten"; write a port from 0 to 65535
                    latency --metrics 192.0.2.1:0 --no-noise   | 3 | cannot listen on 192.0.2.1:0 (
                    latency --otlp collector:4318              | 2 | --otlp is "collector:4318"; write the address
                    burst --sustained 2000 --rate 1000         | 2 | --rate 1000 is not above --sustained 2000
                    burst --rate 1000                          | 2 | --sustained is needed: Highest sustainable rate
                    cores nonesuch                             | 2 | 'nonesuch' is neither a shipped plan nor a file
                    latency stray                              | 2 | 'stray'
                    run latency-at-rate --vs shm: --must-see 0 | 2 | no machine can rule out every change
                    run nonesuch                               | 2 | 'nonesuch' is neither a shipped plan nor a file
                    run mesaging                               | 2 | did you mean messaging?
                    run nonesuch.yaml                          | 2 | nonesuch.yaml: there is no such file
                    latency --out /proc/none/such              | 3 | /proc/none/such cannot be written
                    run --out /dev/null                        | 3 | /dev/null cannot be written (/dev/null is a file)
                    report                                     | 2 | DIR
                    report nonesuch                            | 2 | nonesuch
                    help nonesuch                              | 2 | 'nonesuch' is not a command
                    """)
    void shouldBeExplainedInOneSentence(final String line, final int code, final String words) {
        shouldRefuse(Launch.here(line), code, words);
        assertThat(Path.of("results")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({
        "latency --channel mqtt:, TICKMARK_MOSQUITTO, Debian's package is mosquitto",
        "stream --store redis:, TICKMARK_REDIS_SERVER, Debian's package is redis-server",
        "stream --channel pulsar:, PULSAR_HOME, let PULSAR_HOME name its folder"
    })
    void shouldSayWhichServerIsNotInstalledBeforeATrial(
            final String line, final String variable, final String words) {
        shouldRefuse(
                Launch.tickmark(folder, line).with(variable, "/nowhere/server").run(),
                ENVIRONMENT,
                words);
        assertThat(folder.resolve("results")).doesNotExist();
    }

    @Test
    void shouldNameFileLineAndKeyOfAPlan() throws IOException {
        final Path plan = folder.resolve("mine.yaml");
        Files.writeString(
                plan,
                """
                schema: tickmark.plan/1
                name: mine
                tests:
                  - name: first
                    workload: latency
                    channels: ["shm:"]
                    repeats: many
                    roles: [{role: latency-pub}, {role: latency-sub}]
                """);
        final Launch.Outcome outcome = Launch.here("run " + plan);
        assertThat(outcome.errLines())
                .containsExactly(
                        "tickmark: %s line 7: tests[0].repeats is many; it must be a whole number."
                                .formatted(plan));
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.exitCode()).isEqualTo(USAGE);
        assertThat(Path.of("results")).doesNotExist();
    }

    @Test
    void shouldReadAPlanFromAPipeAndNoFolder() throws IOException {
        final Path plans = Files.createDirectory(folder.resolve("plans"));
        assertThat(Launch.here("run " + plans).errLines())
                .containsExactly("tickmark: %s: is a folder; name a plan file.".formatted(plans));
        shouldRefuse(
                Launch.here("run /dev/null"), USAGE, "/dev/null: not a plan; it must start with");
    }

    @Test
    void shouldSayThatAUdpPortIsInUse() throws IOException {
        try (DatagramSocket taken =
                new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            shouldRefuse(
                    "latency pub --channel udp://127.0.0.1:" + taken.getLocalPort(),
                    ENVIRONMENT,
                    "port " + taken.getLocalPort() + " is in use");
        }
    }

    @Test
    void shouldSayThatThePortForMetricsIsInUse() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            shouldRefuse(
                    Launch.here("stream --metrics " + taken.getLocalPort()),
                    ENVIRONMENT,
                    "cannot listen on 127.0.0.1:" + taken.getLocalPort());
        }
    }

    @Test
    void shouldSayThatATcpPortIsInUse() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            final Launch.Outcome outcome =
                    Launch.tickmark(
                                    folder,
                                    "stream --channel tcp://127.0.0.1:"
                                            + taken.getLocalPort()
                                            + " --no-noise --json")
                            .run();
            final ResultDocument result = ResultDocument.parse(outcome.out());
            assertThat(result.text("verdict")).isEqualTo("void");
            assertThat(result.reasons())
                    .singleElement()
                    .asString()
                    .contains("cannot listen on 127.0.0.1:" + taken.getLocalPort());
            assertThat(outcome.exitCode()).isEqualTo(ENVIRONMENT);
        }
    }

    @ParameterizedTest
    @CsvSource({"udp", "tcp"})
    void shouldSayThatNobodyEchoes(final String scheme) {
        shouldRefuse(
                "latency pub --echo external --quiet --connect-timeout 300ms --channel "
                        + scheme
                        + "://"
                        + LoopbackAddress.next(),
                ENVIRONMENT,
                "no echo came back within 300ms; start an echo service there");
    }

    @ParameterizedTest
    @CsvSource({"latency,udp", "stream,tcp"})
    void shouldSayThatThereIsNoPublisher(final String workload, final String scheme) {
        shouldRefuse(
                workload
                        + " sub --quiet --connect-timeout 300ms --channel "
                        + scheme
                        + "://"
                        + LoopbackAddress.next(),
                ENVIRONMENT,
                "no publisher answered within 300ms; start it, or check the address");
    }

    @Test
    void shouldSayHowManySubscribersAreMissing() {
        shouldRefuse(
                "latency pub -subscribers 2 --quiet --connect-timeout 300ms --channel udp://"
                        + LoopbackAddress.next(),
                ENVIRONMENT,
                "0 of 2 subscribers connected to udp://");
    }

    private void shouldRefuse(final String line, final int code, final String words) {
        shouldRefuse(Launch.tickmark(folder, line).run(), code, words);
        assertThat(folder).isEmptyDirectory();
    }

    private static void shouldRefuse(
            final Launch.Outcome outcome, final int code, final String words) {
        assertThat(outcome.errLines())
                .singleElement()
                .asString()
                .startsWith("tickmark: ")
                .contains(words)
                .matches(".*[.?]");
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.exitCode()).isEqualTo(code);
    }
}

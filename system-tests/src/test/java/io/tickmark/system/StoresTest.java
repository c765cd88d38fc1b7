package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Stored streams through the front door: members are processes, and are really killed. Beside a
 * killed one its clients share a process.
 */
@Order(2)
class StoresTest {
    /** A disk that others write to can hold a member up for seconds, too. */
    private static final String SMALL =
            "termBytes=1048576&segmentBytes=4194304&livenessTimeout=12s&markFile=remove";

    private static final String SHORT =
            " --payload-bytes 700 --jvm-warm-up 50ms --store-warm-up 200ms --noise 0 --no-history --json";

    private static final String FULL =
            ": it is full; make room, or give another --store-directory.";

    @TempDir private Path folder;

    @Test
    void shouldReadBackWhatTheStoreAcknowledgedAndLeaveNothingBehind() throws IOException {
        final Path data = folder.resolve("data");

        final Launch.Outcome outcome =
                Launch.here(
                        folder,
                        "stream --store archive:?"
                                + SMALL
                                + "&deletion=acknowledged --messages 2000 --store-directory "
                                + data
                                + " --out there"
                                + SHORT);

        assertThat(outcome.exitCode()).as(outcome.err() + outcome.out()).isZero();
        final JsonNode trial = ResultDocument.parse(outcome.out()).trial();
        assertThat(trial.path("lost").asInt()).isZero();
        assertThat(trial.path("received").asLong()).isGreaterThan(2000);
        assertThat(count(trial, "acknowledged")).isEqualTo(trial.path("sent").asLong());
        assertThat(count(trial, "acknowledgedNotFound")).isZero();
        assertThat(trial.path("stableNs").path("count").asLong()).isEqualTo(2000);
        assertThat(metrics(trial, "store").path("durability").asString())
                .isEqualTo("D1 page cache");
        assertThat(metrics(trial, "store").path("deletion").asString()).isEqualTo("acknowledged");
        assertThat(data.resolve("store-1")).doesNotExist();
    }

    @Test
    void shouldFindAllAgainWhenTheOnlyStoreIsKilledAndRestarted() throws IOException {
        final JsonNode trial =
                crash(
                        "archive:?" + SMALL,
                        fault(1, "1s", "kill") + ", " + fault(1, "1200ms", "restart"));

        assertThat(metrics(trial, "store").path("faults").asString())
                .contains("member 1 killed at", "member 1 restarted at", "back at");
        assertThat(metrics(trial, "stream-pub").path("timesReopened").asInt()).isPositive();
        if (!metrics(trial, "store").path("recoveries").asString().contains("at most")) {
            // on a busy machine the publisher may be behind, and no message due meanwhile
            assertThat(count(trial, "maxStableGapNs")).isGreaterThan(100_000_000);
        }
        assertThat(count(trial, "stored")).isEqualTo(trial.path("sent").asLong());
    }

    /** The mark file of the first one's former life takes ten seconds to expire. */
    @Test
    void shouldKillAMemberOnTimeWhileAnotherIsOnItsWayBack() throws IOException {
        final JsonNode trial =
                crash(
                        "archive:?members=3&" + SMALL.replace("&markFile=remove", ""),
                        fault(1, "1s", "kill")
                                + ", "
                                + fault(1, "1200ms", "restart")
                                + ", "
                                + fault(1, "2s", "kill"));

        final String faults = metrics(trial, "store").path("faults").asString();
        assertThat(faults)
                .as("the restart may be told before the kill that ends it, or after it")
                .matches(
                        "member 1 killed at \\S+; (member 1 killed at \\S+; )?"
                                + "member 1 restarted at \\S+, killed before it was back; .*");
        assertThat(metrics(trial, "store").path("recoveries").asString())
                .matches(
                        "member 1 killed at \\S+: (at most )?[0-9.]+ ms.*; member 1 killed at \\S+: (at most )?[0-9.]+ ms.*");
        assertThat(count(trial, "recovered")).isEqualTo(2);
    }

    @Test
    void shouldGoOnWhenOneOfThreeIsKilled() throws IOException {
        final JsonNode trial =
                crash(
                        "archive:?members=3&" + SMALL,
                        fault(2, "1s", "kill") + ", " + fault(2, "1200ms", "restart"));

        assertThat(metrics(trial, "store").path("durability").asString())
                .isEqualTo("D3 quorum in page cache");
        assertThat(metrics(trial, "store").path("faults").asString())
                .contains("member 2 killed at", "member 2 restarted at", "back at");
        assertThat(metrics(trial, "stream-pub").path("timesReopened").asInt()).isZero();
        assertThat(trial.path("duplicated").asInt()).isZero();
        assertThat(count(trial, "stored")).isEqualTo(trial.path("sent").asLong());
        // Whether the member that was down has a gap depends on how long it was; its count is
        // reported.
        assertThat(metrics(trial, "store").path("messagesOnMembers").asString())
                .matches("\\d+ \\d+ \\d+");
    }

    @Test
    void shouldFindAllAgainWhenTheOnlyBrokerIsKilledAndRestarted() throws IOException {
        final JsonNode trial =
                crash("kafka:", fault(1, "1s", "kill") + ", " + fault(1, "1200ms", "restart"));

        assertThat(metrics(trial, "store").path("faults").asString())
                .contains("member 1 killed at", "member 1 restarted at", "back at");
        assertThat(count(trial, "stored")).isEqualTo(trial.path("sent").asLong());
    }

    private static void require(final String program) {
        assumeTrue(
                Launch.of(Path.of("/bin/sh"), "-c", "command -v " + program).run().exitCode() == 0,
                program + " is not installed");
    }

    @Test
    void shouldFindAllAgainWhenTheOnlyNatsServerIsKilledAndRestarted() throws IOException {
        require("nats-server");

        final JsonNode trial =
                crash("jetstream:", fault(1, "1s", "kill") + ", " + fault(1, "1200ms", "restart"));

        final String faults = metrics(trial, "store").path("faults").asString();
        assertThat(faults).contains("member 1 killed at", "member 1 restarted at", "back at");
        final long awayMs =
                RunPlanTest.ms(faults, "restarted at ") - RunPlanTest.ms(faults, "killed at ");
        assertThat(count(trial, "recovered")).isEqualTo(1);
        final String recoveries = metrics(trial, "store").path("recoveries").asString();
        if (recoveries.contains("at most")) {
            // on a busy machine the publisher was behind, and no message was due meanwhile
            assertThat(trial.path("counts").has("maxRecoveryNs")).as(recoveries).isFalse();
        } else {
            assertThat(count(trial, "maxRecoveryNs") / 1_000_000)
                    .as("ms, " + faults)
                    .isGreaterThanOrEqualTo(awayMs - 1);
        }
        assertThat(count(trial, "maxStableGapNs")).isPositive();
        assertThat(count(trial, "stored")).isEqualTo(trial.path("sent").asLong());
    }

    @Test
    void shouldFindAllAgainWhenAClusterLosesAMember() throws IOException {
        final JsonNode trial =
                crash(
                        "cluster:?" + SMALL,
                        fault(1, "1s", "kill") + ", " + fault(1, "2s", "restart"));

        assertThat(metrics(trial, "store").path("acknowledgedBy").asString())
                .isEqualTo("committed by 2 of 3 members (Raft), by the leader's answer");
        assertThat(metrics(trial, "store").path("faults").asString())
                .contains("member 1 killed at", "member 1 restarted at", "back at");
        assertThat(count(trial, "stored")).isEqualTo(trial.path("sent").asLong());
    }

    private static String fault(final int member, final String at, final String what) {
        return "{role: store, member: %d, at: %s, do: %s}".formatted(member, at, what);
    }

    /** Passes: nothing that was acknowledged is missing, nothing lost. */
    private JsonNode crash(final String channel, final String faults) throws IOException {
        Files.writeString(
                folder.resolve("plan.yaml"),
                """
                schema: tickmark.plan/1
                name: crash
                tests:
                  - name: crash
                    workload: stream
                    channels: ["%s"]
                    settings:
                      {payloadBytes: 200, rate: 1000, messages: 4000, jvmWarmUp: 10ms, storeWarmUp: 100ms, storeTimeout: 180s}
                    roles:
                      - {role: store}
                      - {role: stream-pub, process: clients}
                      - {role: stream-sub, process: clients}
                    faults: [%s]
                    criteria: {maxDuplicated: 100000, minRateHeldPart: 0}
                """
                        .formatted(channel, faults));

        final Launch.Outcome outcome =
                Launch.here(folder, "run plan.yaml --noise 0 --no-history --json --out crash");

        assertThat(outcome.exitCode()).as(outcome.err() + outcome.out()).isZero();
        final JsonNode trial = ResultDocument.parse(outcome.out()).trial();
        assertThat(trial.path("lost").asInt()).isZero();
        assertThat(count(trial, "acknowledged")).isEqualTo(trial.path("sent").asLong());
        assertThat(count(trial, "acknowledgedNotFound")).isZero();
        return trial;
    }

    @Test
    void shouldStreamThroughAStoreRunByHand() throws Exception {
        try (Job store = Job.start(Launch.tickmark(folder, "store archive:?" + SMALL), folder)) {
            store.awaitErr("Store at ");
            final String endpoint = store.err().replaceFirst("(?s).*Store at (\\S+).*", "$1");
            final String through = " --store " + endpoint;

            final Launch.Outcome sent =
                    Launch.tickmark(
                                    folder,
                                    "stream pub"
                                            + through
                                            + " -m 700 -n 500 --jvm-warm-up 50ms --store-warm-up 100ms")
                            .run();
            assertThat(sent.exitCode()).as(sent.out() + sent.err()).isZero();
            final Launch.Outcome received =
                    Launch.tickmark(folder, "stream sub" + through + " --json").run();
            assertThat(received.exitCode()).as(received.err()).isZero();
            assertThat(received.out()).contains("\"received\"");

            store.signal("INT", false);
            final Launch.Outcome ended = store.await();
            assertThat(ended.err()).doesNotContain("Exception");
            assertThat(ended.out())
                    .as(ended.err())
                    .contains("Passed.", "Not compared message by message: ");
            assertThat(ended.exitCode()).as("a signal is how it ends").isZero();
        }
    }

    @Test
    void shouldSayWhatIsWrongWithAStore() {
        final Launch.Outcome none = Launch.tickmark(folder, "stream pub --store archive:").run();
        assertThat(none.err()).contains("no store runs there");
        assertThat(none.exitCode()).isEqualTo(3);

        final Launch.Outcome plain = Launch.here("store udp://127.0.0.1:0");
        assertThat(plain.err()).contains("udp keeps no messages");
        assertThat(plain.exitCode()).isEqualTo(2);

        for (final String command : List.of("stream", "stream pub", "stream sub")) {
            final Launch.Outcome unstored = Launch.here(command + " --store udp://127.0.0.1:0");
            assertThat(unstored.err())
                    .contains(
                            "--store udp://127.0.0.1:0: udp keeps no messages; name a channel of");
            assertThat(unstored.exitCode()).as(command).isEqualTo(2);
        }

        final Launch.Outcome both = Launch.here("stream -p r --store archive:?deletion=kept");
        assertThat(both.err()).contains("-p r: means deletion=acknowledged");
        assertThat(both.exitCode()).isEqualTo(2);
    }

    @Test
    void shouldFailWithASentenceWhenTheDiskIsFull() throws IOException {
        final JsonNode trial = onADiskThatFills("24m", "archive:?" + SMALL, 60_000);

        assertThat(trial.path("reasons").toString())
                .contains("the store is lost", "has 0 KiB of 24576 KiB left" + FULL);
    }

    /** Its members report nothing, so that only the disk says it. */
    @Test
    void shouldSayThatTheDiskOfAClusterIsFull() throws IOException {
        final JsonNode trial = onADiskThatFills("48m", "cluster:?" + SMALL, 60_000);

        assertThat(trial.path("reasons").toString())
                .contains("the store is lost", "has 0 KiB of 49152 KiB left" + FULL);
    }

    /** It ends itself then, and its publication cannot be opened again. */
    @Test
    void shouldReportThatARedisThatSyncsEachMessageEndedOnAFullDisk() throws IOException {
        require("redis-server");

        final JsonNode trial = onADiskThatFills("24m", "redis:?sync=always", 60_000);

        assertThat(trial.path("reasons").toString())
                .contains("the store is lost (the server has ended)")
                .contains("The engine said: Can't recover from AOF write error");
    }

    @Test
    void shouldReportInTheServersWordsThatTheDiskOfANatsServerIsFull() throws IOException {
        require("nats-server");

        final JsonNode trial = onADiskThatFills("24m", "jetstream:", 60_000);

        // the publisher's patience and the engine's end at about the same time
        assertThat(trial.path("reasons").toString())
                .containsPattern(
                        "the store is lost [(]the server refuses messages: insufficient resources; JetStream is full"
                                + "|did not become stable: the stream refuses message [0-9]+: insufficient resources")
                .contains("The engine said: JetStream resource limits exceeded");
    }

    /**
     * The cluster refuses messages, and at times the questions what it has: its files are read, and
     * what cannot be looked for is not called missing.
     */
    @Test
    void shouldNotCallLostWhatAClusterOnAFullDiskDoesNotGiveOut() throws IOException {
        require("nats-server");

        final JsonNode trial = onADiskThatFills("72m", "jetstream:?replicas=3", 60_000);

        // on a busy machine the cluster may keep all roles from their end
        assertThat(trial.path("reasons").toString())
                .containsPattern("the store is lost|did not become stable|did not end within");
    }

    /** The broker ends itself then, some refuse a message before; its files are read without it. */
    @Test
    void shouldFindWhatABrokerAcknowledgedBeforeItsDiskWasFull() throws IOException {
        final JsonNode trial = onADiskThatFills("80m", "kafka:", 200_000);

        assertThat(trial.path("reasons").toString())
                .containsPattern(
                        "the store is lost [(](the broker has ended|message [0-9]+ was refused: .+)[)]")
                .contains(
                        "has 0 KiB of 81920 KiB left" + FULL,
                        "The Kafka broker that tickmark started has ended (exit status 1)",
                        "as Kafka's does when it cannot write to its disk");
    }

    /** Its server would start, take nothing, and keep the publisher waiting. */
    @Test
    void shouldRefuseADiskOnWhichAServerWouldTakeNothing() throws IOException {
        require("rabbitmq-server");
        final Path disk = Files.createDirectory(folder.resolve("small"));
        final String mount = "mount -t tmpfs -o size=40m tmpfs '" + disk + "'";
        assumeTrue(
                inNamespace(mount).run().exitCode() == 0,
                "this machine allows no mount namespace to try a full disk in");

        final Launch.Outcome outcome =
                inNamespace(
                                "%s && exec '%s' stream --store rabbitmq: --store-directory '%s' --out full%s"
                                        .formatted(
                                                mount,
                                                Launch.ROOT.resolve("tickmark"),
                                                disk.resolve("store"),
                                                SHORT))
                        .with("JAVA_HOME", System.getProperty("java.home"))
                        .with("TICKMARK_BUILD", "never")
                        .run();

        assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(3);
        assertThat(outcome.out() + outcome.err())
                .contains(
                        " MB free, and a RabbitMQ server takes no messages with less than 50 MB; make room there, or"
                                + " name a folder on another disk with --store-directory.");
    }

    /**
     * Ends as a failure that says so: nothing that was acknowledged is missing, the subscriber has
     * reported what it received, all files are there, and no process is left.
     */
    private JsonNode onADiskThatFills(final String bytes, final String channel, final int messages)
            throws IOException {
        final Path disk = Files.createDirectory(folder.resolve("small"));
        final String mount = "mount -t tmpfs -o size=" + bytes + " tmpfs '" + disk + "'";
        assumeTrue(
                inNamespace(mount).run().exitCode() == 0,
                "this machine allows no mount namespace to try a full disk in");

        final Launch.Outcome outcome =
                inNamespace(
                                mount
                                        + " && exec '"
                                        + Launch.ROOT.resolve("tickmark")
                                        + "' stream --store '"
                                        + channel
                                        + "' --store-directory '"
                                        + disk.resolve("store")
                                        + "' --store-timeout 10s --idle-timeout 2m --out full --messages "
                                        + messages
                                        + SHORT)
                        .with("JAVA_HOME", System.getProperty("java.home"))
                        .with("TICKMARK_BUILD", "never")
                        .runInTime(folder.resolve("full"));

        assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(1);
        final JsonNode trial = ResultDocument.parse(outcome.out()).trial();
        final String reasons = trial.path("reasons").toString();
        // a cluster that answers nobody any more may keep a role from its end: then not all is
        // known, and still nothing is called lost
        final boolean isCutShort =
                reasons.contains(" did not end within ") || reasons.contains(" has said nothing ");
        assertThat(trial.path("verdict").asString())
                .as(reasons)
                .isEqualTo(isCutShort ? "void" : "fail");
        assertThat(count(trial, "acknowledgedNotFound")).isZero();
        if (!isCutShort) {
            assertThat(count(trial, "acknowledged"))
                    .isPositive()
                    .isLessThan(trial.path("sent").asLong());
            assertThat(trial.path("received").asLong()).isPositive();
        }
        for (final String role : List.of("store-1", "stream-pub-1", "stream-sub-1")) {
            assertThat(folder.resolve("full/roles").toFile().list())
                    .anyMatch(name -> name.endsWith(role));
        }
        assertThat(folder.resolve("full/report.html")).exists();
        assertThat(ProcessHandle.allProcesses())
                .noneMatch(process ->
                        process.info().commandLine().orElse("").contains(disk.toString()));
        return trial;
    }

    @Test
    void shouldReportACorruptedSegmentInAStoreThatItGoesOnWith() throws IOException {
        final String line =
                "stream --store archive:?"
                        + SMALL
                        + " --store-directory kept --messages 2000"
                        + SHORT
                        + " --out ";
        final Launch.Outcome first = Launch.here(folder, line + "first --keep-stored");
        assertThat(first.exitCode()).as(first.err() + first.out()).isZero();
        final Path segment = folder.resolve("kept/store-1/data/member-1/0-0.rec");
        try (FileChannel file = FileChannel.open(segment, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap("XXXX".getBytes(StandardCharsets.US_ASCII)), 100_000);
        }

        final Launch.Outcome other = Launch.here(folder, line + "other");
        final Launch.Outcome goingOn = Launch.here(folder, line + "going-on --keep-stored");

        assertThat(other.out()).contains("it holds the store of another run (archive)");
        assertThat(other.exitCode()).isEqualTo(3);
        assertThat(goingOn.out()).contains("check found 1 corrupted messages of topic tickmark");
        assertThat(goingOn.exitCode()).as(goingOn.err()).isZero();
    }

    private Launch inNamespace(final String script) {
        return Launch.of(Path.of("/usr/bin/unshare"), "-rm", "/bin/sh", "-c", script).in(folder);
    }

    private static long count(final JsonNode trial, final String name) {
        return trial.path("counts").path(name).asLong();
    }

    private static JsonNode metrics(final JsonNode trial, final String role) {
        return trial.path("roles")
                .valueStream()
                .filter(one -> one.path("role").asString().equals(role))
                .findFirst()
                .orElseThrow()
                .path("metrics");
    }
}

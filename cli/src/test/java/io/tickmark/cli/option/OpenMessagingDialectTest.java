package io.tickmark.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.PlanLibrary;
import io.tickmark.lab.plan.PlanYaml;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.search.SearchGoal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenMessagingDialectTest {
    private static final String WORKLOAD =
            """
            name: 2 topics / 1 kB, 100k
            topics: 2
            partitionsPerTopic: 16
            messageSize: 1024
            payloadFile: "payload/payload-1Kb.data"
            subscriptionsPerTopic: 3
            consumerPerSubscription: 4
            producersPerTopic: 5
            producerRate: 1_000
            consumerBacklogSizeGB: 0
            testDurationMinutes: 15
            """;

    @TempDir private Path folder;

    private OpenMessagingDialect.Imported imported(final String text) throws IOException {
        return OpenMessagingDialect.plan(
                Files.writeString(folder.resolve("my-workload.yaml"), text),
                "driver-kafka/kafka.yaml",
                List.of("lib"));
    }

    private UserError refused(final String text) {
        final UserError error = catchThrowableOfType(UserError.class, () -> imported(text));
        assertThat(error).isNotNull();
        return error;
    }

    private static String with(final String line) {
        final String key = line.substring(0, line.indexOf(':') + 1);
        return WORKLOAD.lines()
                .filter(each -> !each.startsWith(key))
                .reduce(line, (before, each) -> before + "\n" + each);
    }

    @Test
    void shouldMeasureWhatAWorkloadSays() throws IOException {
        final Plan plan = imported(WORKLOAD).plan();

        assertThat(plan.name()).isEqualTo("2-topics-1-kB-100k");
        assertThat(plan.description())
                .isEqualTo("2 topics / 1 kB, 100k, a workload of the OpenMessaging Benchmark.");
        final TestPlan test = plan.tests().getFirst();
        assertThat(test.channels())
                .containsExactly(
                        "omb:driver-kafka/kafka.yaml?jars=lib|partitions=16|producers=5|consumers=4");
        assertThat(test.settings())
                .containsOnly(
                        Map.entry("payloadBytes", 1024),
                        Map.entry("topics", List.of("topic-1", "topic-2")),
                        Map.entry("subscribers", 3),
                        Map.entry("rate", 1000L),
                        Map.entry("duration", "15m"),
                        Map.entry("warmUpMessages", List.of(60_000L, 1000L)));
        assertThat(test.roles().get(1).count()).isEqualTo(3);
        assertThat(test.search()).isNull();
    }

    @Test
    void shouldWriteAPlanThatIsReadAsTheSameOne() throws IOException {
        final Plan plan = imported(WORKLOAD).plan();
        final Path file =
                Files.writeString(
                        folder.resolve("plan.yaml"), "# a remark\n" + PlanYaml.write(plan));

        final Plan read = new PlanLibrary(RoleCatalog.load()).find(file.toString());

        assertThat(PlanYaml.write(read)).isEqualTo(PlanYaml.write(plan));
    }

    @Test
    void shouldSearchForTheHighestRateWhereTheWorkloadNamesNone() throws IOException {
        final OpenMessagingDialect.Imported imported = imported(with("producerRate: 0"));

        final TestPlan test = imported.plan().tests().getFirst();
        assertThat(test.search()).isEqualTo(SearchGoal.DEFAULT);
        assertThat(test.settings()).doesNotContainKeys("rate", "duration", "warmUpMessages");
        assertThat(imported.remarks())
                .anyMatch(remark ->
                        remark.contains("producerRate is 0: the highest rate that holds is")
                                && remark.endsWith(
                                        "testDurationMinutes and warmupDurationMinutes are not used."));
    }

    @Test
    void shouldWarmUpForATimeWhereSoManyMessagesMayNotBeSent() throws IOException {
        final OpenMessagingDialect.Imported high =
                imported(with("producerRate: 10000000\nwarmupDurationMinutes: 2"));
        final OpenMessagingDialect.Imported usual = imported(with("producerRate: 50000"));

        assertThat(high.plan().tests().getFirst().settings())
                .containsEntry("jvmWarmUp", "2m")
                .containsEntry("rate", 10_000_000L)
                .doesNotContainKey("warmUpMessages");
        assertThat(high.remarks())
                .anyMatch(remark ->
                        remark.contains("producerRate is 10000000, which the framework's")
                                && remark.contains("write producerRate: 0"));
        assertThat(usual.plan().tests().getFirst().settings())
                .containsEntry("jvmWarmUp", "1m")
                .doesNotContainKey("warmUpMessages");
        assertThat(usual.remarks()).noneMatch(remark -> remark.contains("producerRate"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "keyDistributor: NO_KEY          | omb:driver-kafka/kafka.yaml?jars=lib",
                "keyDistributor: KEY_ROUND_ROBIN | omb:driver-kafka/kafka.yaml?jars=lib&keys=10000",
                "messageSize: 2000000            | omb:driver-kafka/kafka.yaml?jars=lib&maxPayloadBytes=2000000",
            })
    void shouldSayInTheChannelWhatTheDriverIsToDo(final String line, final String channel)
            throws IOException {
        final String plain = with(line).replaceAll("(?m)^(.*Per.*): .*$", "$1: 1");

        assertThat(imported(plain).plan().tests().getFirst().channels())
                .containsExactly(channel.replace('&', '|'));
    }

    @Test
    void shouldReportWhatIsDoneInAnotherWay() throws IOException {
        final String text =
                with("keyDistributor: RANDOM_NANO")
                        + "\nwarmupDurationMinutes: 2\nrandomBytesRatio: 0.5\n";

        assertThat(imported(text).remarks())
                .hasSize(3)
                .allMatch(remark -> remark.startsWith(folder + "/my-workload.yaml line "))
                .allMatch(remark -> remark.endsWith("."))
                .anyMatch(remark -> remark.contains("payloadFile is ignored: messages have"))
                .anyMatch(remark -> remark.contains("randomBytesRatio is ignored: messages"))
                .anyMatch(
                        remark -> remark.contains("keyDistributor is RANDOM_NANO: that many keys"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "consumerBacklogSizeGB: 10       | consumerBacklogSizeGB is a backlog that builds up while consumers pause",
                "producersPerTopics: 2           | is not a key of a workload that is known here; did you mean producersPerTopic",
                "acceptableBacklog: 100          | acceptableBacklog is not a key of a workload that is known here; take it out.",
                "topics: many                    | topics is many; write a whole number from 1 to 10000 here.",
                "messageSize: 10                 | messageSize is 10; write a whole number from 16 to 16777216 here.",
                "subscriptionsPerTopic: 0        | subscriptionsPerTopic is 0; write a whole number from 1 to 1024 here.",
                "testDurationMinutes: ${t:-15}   | testDurationMinutes is ${t:-15}; write a whole number from 1 to 1440",
                "keyDistributor: [NO_KEY]        | keyDistributor holds a list; write a single value here.",
                "topics: [1, 2]                  | topics holds a list; write a single value here.",
                "producerRate: {a: 1}            | producerRate holds keys of its own; write a single value here.",
                "warmupDurationMinutes: [1]      | warmupDurationMinutes holds a list; write a single value here.",
                "keyDistributor: SOME            | keyDistributor is SOME; write NO_KEY, KEY_ROUND_ROBIN or RANDOM_NANO.",
            })
    void shouldRefuseWhatCannotBeDoneHere(final String line, final String sentence) {
        final UserError error = refused(with(line));

        assertThat(error.kind()).isEqualTo(UserError.Kind.USAGE);
        assertThat(error)
                .hasMessageContaining("my-workload.yaml line 1: ")
                .hasMessageContaining(sentence);
        assertThat(error.getMessage().lines()).as("nothing is told twice").hasSize(1);
    }

    @Test
    void shouldReportAllThatIsWrongAtOnce() {
        assertThat(refused("name: none\nmessageRate: 7\n").getMessage().lines())
                .hasSize(9)
                .anyMatch(line -> line.endsWith("my-workload.yaml has 8 problems:"))
                .anyMatch(line -> line.contains("line 2: messageRate is not a key"))
                .anyMatch(line ->
                        line.endsWith(
                                "topics is missing; add it, as a whole number from 1 to 10000."));
        assertThat(refused("text"))
                .hasMessageEndingWith(
                        "not a workload of the OpenMessaging Benchmark; it must start with 'name: '.");
    }

    @Test
    void shouldSayThatAWorkloadIsNotThere() {
        final Path none = folder.resolve("none.yaml");

        assertThat(
                        catchThrowableOfType(
                                UserError.class,
                                () -> OpenMessagingDialect.plan(none, "d.yaml", List.of())))
                .hasMessageStartingWith(none + ": cannot be read (");
        assertThat(
                        catchThrowableOfType(
                                UserError.class,
                                () ->
                                        OpenMessagingDialect.plan(
                                                Files.writeString(none, WORKLOAD),
                                                "what?.yaml",
                                                List.of())))
                .hasMessageStartingWith("--driver what?.yaml: cannot be used in a channel's URI;");
        assertThat(
                        catchThrowableOfType(
                                UserError.class,
                                () ->
                                        OpenMessagingDialect.plan(
                                                none, "d.yaml", List.of("lib", "more|jars"))))
                .hasMessageStartingWith("--jars lib,more|jars: cannot be used in a channel's URI;");
    }
}

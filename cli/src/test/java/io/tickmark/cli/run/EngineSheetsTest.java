package io.tickmark.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.lab.compare.Side;
import io.tickmark.transport.Transport;
import io.tickmark.transport.Transports;
import io.tickmark.transport.store.DurableTransport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What stands beside the figures of engines, so that a reader sees what each did for them. */
class EngineSheetsTest {
    private final EngineSheets sheets = new EngineSheets();

    private Map<String, String> plain(final String channel) {
        return sheets.values(List.of(channel), false, false);
    }

    private static final Path ENGINES = Path.of("../engines");
    private static final String FILE = "plain-messages.txt";

    /** What is built in; each engine has a file of such lines in its folder. */
    private static final String BUILT_IN =
            """
            udp://127.0.0.1:0 | D0 memory | none | drops, counted
            mcast://239.192.0.77:0?interface=lo | D0 memory | none | drops, counted
            tcp://127.0.0.1:0 | D0 memory | none | pushes back
            ws://127.0.0.1:0 | D0 memory | none | pushes back
            shm: | D0 memory | none | pushes back
            """;

    /** Channel, durability, who acknowledges, what becomes of a slow receiver. */
    private static List<String[]> declared() {
        final List<String[]> declared = new ArrayList<>();
        try (Stream<Path> folders = Files.list(ENGINES)) {
            final List<Path> files =
                    folders.map(folder -> folder.resolve(FILE)).filter(Files::exists).toList();
            for (final Path file : files) {
                Files.readAllLines(file).stream()
                        .filter(line -> !line.startsWith("#"))
                        .forEach(line -> declared.add(line.split(" *[|] *")));
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        BUILT_IN.lines().forEach(line -> declared.add(line.split(" *[|] *")));
        return declared;
    }

    @ParameterizedTest
    @MethodSource("declared")
    void shouldSayWhatBecomesOfPlainMessages(
            final String channel,
            final String durability,
            final String acknowledged,
            final String slowReceiver) {
        assertThat(plain(channel).get("durability")).startsWith(durability);
        assertThat(plain(channel).get("acknowledged")).contains(acknowledged);
        assertThat(plain(channel).get("slow receiver")).contains(slowReceiver);
    }

    @Test
    void shouldBeDeclaredForEveryKindThatIsCompared() {
        assertThat(declared().stream().map(words -> words[0]))
                .containsAll(
                        new Transports()
                                .kinds().stream()
                                        .filter(Transport.Kind::isCompared)
                                        .map(Transport.Kind::channel)
                                        .toList());
    }

    @Test
    void shouldSayWhatAStoreKeepsOnlyWhereThereIsOne() {
        for (final String channel : List.of("artemis:", "rabbitmq:", "redis:", "pulsar:")) {
            assertThat(plain(channel)).containsEntry("synced", "none");
            assertThat(sheets.values(List.of(channel), true, false).get("durability"))
                    .as(channel)
                    .startsWith("D")
                    .isNotEqualTo("D0 memory");
        }
    }

    @Test
    void shouldSayThatAStoreDeliversAllOfAnEngineThatOtherwiseDoesNot() {
        for (final String channel : List.of("rabbitmq-stream:", "redis:", "pulsar:")) {
            assertThat(plain(channel)).containsEntry("delivery", "best effort");
            assertThat(sheets.values(List.of(channel), true, false))
                    .containsEntry("delivery", "all");
        }
    }

    /** With {@code stored: true} no role of the test starts the store. */
    @Test
    void shouldSayOfAStoreThatSomebodyElseRunsWhatItPromises() {
        final String channel = "rabbitmq://10.0.0.1:5672";

        assertThat(sheetOf(channel, Map.of(Counts.ACKNOWLEDGED, 0L)))
                .containsAllEntriesOf(sheets.values(List.of(channel), true, false));
        assertThat(sheetOf(channel, Map.of())).containsAllEntriesOf(plain(channel));
    }

    /** A server that does not report its settings may be another one than the channel says. */
    @Test
    void shouldSayThatADurabilityIsOnlyClaimed() {
        final String channel = "rabbitmq://10.0.0.1:5672";
        final Map<String, Long> counts = Map.of(Counts.ACKNOWLEDGED, 0L);
        final String claimed = sheetOf(channel, counts).get("durability") + ", claimed";

        assertThat(
                        sheetOf(
                                channel,
                                counts,
                                new TrialResult.RoleSummary(
                                        "stream-pub", 1, Map.of("durability", claimed), List.of())))
                .containsEntry("durability", claimed);
    }

    private Map<String, String> sheetOf(
            final String channel,
            final Map<String, Long> counts,
            final TrialResult.RoleSummary... roles) {
        final TrialResult trial =
                new TrialResult(
                        "test",
                        "stream",
                        channel,
                        1,
                        0,
                        "",
                        64,
                        1,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        counts,
                        1,
                        0,
                        0,
                        0,
                        2,
                        2,
                        Map.of(),
                        null,
                        null,
                        List.of(),
                        Verdict.FAIL,
                        List.of(),
                        List.of(roles),
                        null);
        final RunResult run =
                new RunResult(
                        RunResult.SCHEMA,
                        "",
                        "",
                        "plan",
                        Verdict.FAIL,
                        List.of(),
                        List.of(trial),
                        List.of(),
                        List.of(),
                        null,
                        Map.of(),
                        null);
        return sheets.sheet(new Side("A", Path.of("a"), run, Optional.empty())).values();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    udp://127.0.0.1:0?batch=20  | batching    | up to 20 messages in a system call
                    redis:?batch=10             | batching    | the client writes up to 10 messages together
                    kafka:?linger=5ms           | batching    | in batches of up to 16384 B, waiting 5 ms to fill
                    kafka:?compression=lz4      | compression | lz4
                    kafka:?acks=none            | acknowledged | no broker: it is in the socket
                    pulsar:?batching=false      | batching    | none
                    pulsar:?batchingDelayUs=200 | batching    | the client gathers messages for 200 us
                    mqtt:?qos=1                 | batching    | none
                    mqtt://10.0.0.1             | batching    | none by the client, not known of the broker
                    mqtt://10.0.0.1?qos=1       | batching    | none by the client, not known of the broker
                    """)
    void shouldSayWhatTheChannelAsksFor(
            final String channel, final String column, final String words) {
        assertThat(plain(channel)).containsEntry(column, words);
    }

    @Test
    void shouldHaveTheSameColumnsForEveryKindOfChannel() {
        final Transports transports = new Transports();

        assertThat(transports.kinds())
                .isNotEmpty()
                .allSatisfy(kind ->
                        assertThat(plain(kind.channel()))
                                .containsOnlyKeys(plain("udp://127.0.0.1:0").keySet())
                                .doesNotContainValue("n/a"));
        assertThat(transports.all().values())
                .filteredOn(DurableTransport.class::isInstance)
                .extracting(Transport::scheme)
                .isNotEmpty();
    }

    @Test
    void shouldNotSayWhatAnotherBuildMayKnow() {
        assertThat(plain("nowhere:1")).containsEntry("delivery", "n/a");
    }
}

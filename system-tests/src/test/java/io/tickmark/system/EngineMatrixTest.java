package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transport;
import io.tickmark.transport.Transports;
import io.tickmark.transport.store.DurableTransport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shipped plan over all engines, and over those that somebody names. */
class EngineMatrixTest {
    /** No channel of theirs can be named without a driver that a user brings. */
    private static final Set<String> NEEDS_FILES_OF_A_USER = Set.of("omb");

    @TempDir private Path folder;

    /** A store whose channels carry only stored messages stands in no row of the matrix. */
    private static boolean onlyStores(final Transport transport) {
        return transport instanceof final DurableTransport store && !store.carriesPlainMessages();
    }

    @Test
    void shouldKnowAKindOfEveryEngineThatDoesMoreThanStore() {
        final Transports transports = new Transports();
        final Set<String> schemes =
                transports.kinds().stream()
                        .map(kind -> ChannelUri.parse(kind.channel()).scheme())
                        .collect(Collectors.toSet());

        assertThat(transports.kinds().getFirst().channel()).isEqualTo("udp://127.0.0.1:0");
        assertThat(transports.all().values())
                .filteredOn(EngineMatrixTest::onlyStores)
                .extracting(Transport::scheme)
                .contains("archive", "cluster", "jetstream");
        assertThat(transports.all().values())
                .allMatch(transport ->
                        schemes.contains(transport.scheme())
                                != (NEEDS_FILES_OF_A_USER.contains(transport.scheme())
                                        || onlyStores(transport)));
        transports.kinds().stream()
                .map(kind -> ChannelUri.parse(kind.channel()))
                .forEach(channel ->
                        assertThat(transports.all().get(channel.scheme()).traits(channel))
                                .isNotNull());
    }

    @Test
    void shouldMeasureTheChannelsThatAreNamed() throws Exception {
        final Launch.Outcome outcome =
                Launch.tickmark(
                                folder,
                                "run engine-matrix --channel shm: --channel tcp://127.0.0.1:0 --repeats 1"
                                        + " --set duration=200ms --set rate=500 --no-noise --out result")
                        .run();

        assertThat(outcome.exitCode()).as(outcome.err() + outcome.out()).isLessThan(2);
        try (var results = Files.list(folder.resolve("result"))) {
            assertThat(
                            results.filter(Files::isDirectory)
                                    .map(each -> each.getFileName().toString())
                                    .filter(name -> name.matches("[0-9]+-.*"))
                                    .sorted()
                                    .toList())
                    .isEqualTo(List.of("1-shm", "2-tcp-127.0.0.1-0"));
        }
    }

    @Test
    void shouldRefuseChannelsThatCannotBeMeant() {
        assertRefused("--channel shm: --channel shm:", "--channel shm:: is given twice");
        assertRefused("--channel nowhere:1", "no transport for scheme 'nowhere'");
        assertRefused("--channel shm: --set channel=null:", "--set channel= is given too");
        assertRefused("--channel shm: --channel null: --vs null:", "a comparison already");
    }

    private void assertRefused(final String options, final String sentence) {
        final Launch.Outcome outcome = Launch.here("run engine-matrix " + options);
        assertThat(outcome.errLines()).singleElement().asString().contains(sentence);
        assertThat(outcome.exitCode()).isEqualTo(2);
    }
}

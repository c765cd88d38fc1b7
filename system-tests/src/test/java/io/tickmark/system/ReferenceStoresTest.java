package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.history.InMemory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Those lines of {@link ReferenceLinesTest} that stream through a store. It has no address in the
 * files of the streaming tools: its channel is typed.
 */
@ResourceLock(EnginesTest.SERVERS)
@Order(6)
class ReferenceStoresTest extends ReferenceTesting {
    /** Of streams through a store whose archive a busy machine kept off its cores for too long. */
    private static final int MOST_TRIES = 3;

    private static final String OWN_END = "Archive member 1, which tickmark started, has ended";

    /** Of a store: FOLDER is where it keeps its data. */
    private static final String STORE_XML =
            """
            <?xml version="1.0"?>
            <ume-store version="1.3">
            <stores>
            <store name="store_a_topic1" interface="10.77.0.0/24" port="12001">
            <ume-attributes>
            <option type="store" name="disk-cache-directory" value="FOLDER/cache"/>
            <option type="store" name="disk-state-directory" value="FOLDER/state"/>
            </ume-attributes>
            </store>
            </stores>
            </ume-store>
            """;

    /** The other tests: their stores' lines, and their publishers', with fewer messages, slower. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-a 4,2,4,4,6 store_1a.xml | -m 700 -n 50000000 -r 550000 -t topic1 -w 15,5 -p s",
                "-a 4,2,4,4,6 store_1a.xml | -m 700 -n 50000000 -r 760000 -t topic1 -w 15,5 -p r",
                "-a 3,1,3,3,5 store_1b.xml | -m 700 -n 50000000 -r 740000 -t topic1abc -w 15,5 -p r",
                "-a 3,1,3,3,5 store_2a.xml | -m 700 -n 50000000 -r 999999999 -t topic1,topic2,topic3 -w 15,5 -p r",
                "-a 4,2,4,4,6 store_1a.xml | -m 1420 -n 25000000 -r 400000 -t topic1 -w 15,5 -p s",
                "-a 4,2,4,4,6 store_1a.xml | -m 1420 -n 25000000 -r 720000 -t topic1 -w 15,5 -p r",
                "-a 3,1,3,3,5 store_1c.xml | -m 1420 -n 25000000 -r 710000 -t topic1abc -w 15,5 -p r",
                "-a 3,1,3,3,5 store_3a.xml | -m 1420 -n 25000000 -r 750000 -t topic1,topic2,topic3 -w 15,5 -p r",
            })
    void shouldStreamThroughAStoreAsTheUmToolsDo(
            final String storeLine,
            final String line,
            @TempDir(factory = InMemory.class) final Path inMemory)
            throws Exception {
        writeUmFile();
        for (int tries = 1; !streamsThroughAStore(storeLine, line, inMemory, tries); tries++) {
            assertThat(tries).as("stores whose archive was given up").isLessThan(MOST_TRIES);
        }
    }

    /**
     * Whether the archive was there to the end: it is given up, and ends itself, where it gets no
     * core for five seconds, which the store says then.
     */
    private boolean streamsThroughAStore(
            final String storeLine, final String line, final Path inMemory, final int number)
            throws Exception {
        final String file = storeLine.replaceFirst(".* ", "");
        final Path place = Files.createDirectory(inMemory.resolve("store-" + number));
        Files.writeString(folder.resolve(file), STORE_XML.replace("FOLDER", place.toString()));
        final String topics = line.replaceFirst(".* -t (\\S+) .*", "$1");
        final String persistence = line.replaceFirst(".*(?= -p)", "");
        final Job store =
                start(
                        line(
                                "store "
                                        + storeLine.replaceFirst("-a \\S+", "-a 0,1,0,0,1")
                                        + persistence
                                        + " -t "
                                        + topics));
        store.awaitErr("Store at ");
        assertThat(place.resolve("cache")).isNotEmptyDirectory();
        assertThat(place.resolve("state")).isNotEmptyDirectory();
        assertThat(store.err())
                .contains("interface (" + file + " line 4), port (" + file)
                .contains(file + ": is one store on its own; several files make no quorum,")
                .contains("'tickmark store archive:?members=3' does.");
        final String channel = store.err().replaceFirst("(?s).*Store at (\\S+).*", "$1");

        final Job subscriber =
                start(
                        line(
                                "stream sub --store %s %s"
                                        .formatted(
                                                channel, UM_SUBSCRIBER.replace("-a 2", "-a 0"))));
        final Launch.Outcome sent =
                line("stream pub --store %s -a 1 -x um.xml %s --jvm-warm-up 50ms --store-warm-up 100ms"
                                .formatted(
                                        channel,
                                        line.replaceFirst("-n \\d+ -r \\d+", "-n 1000 -r 5000")))
                        .run();
        if (sent.out().contains("actual_sends=1000,")) {
            subscriber.await();
        }
        store.signal("INT", false);
        final Launch.Outcome ended = store.await();
        if ((ended.out() + ended.err()).replaceAll("\\s+", " ").contains(OWN_END)) {
            subscriber.close();
            return false;
        }
        assertThat(sent.out()).as(sent.err()).containsPattern(figures(1000, "\\d+"));
        sent.passedOrWasSaturated();
        final Launch.Outcome received = subscriber.await();
        assertThat(received.out())
                .as(received.err())
                .containsPattern("num_rx_msgs=\\d+, num_unrec_loss=0\n");
        assertThat(received.exitCode()).as(received.out() + received.err()).isZero();
        assertThat(ended.out()).as(ended.err()).contains("Passed.");
        assertThat(ended.exitCode()).isZero();
        return true;
    }
}

package io.tickmark.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UmPerfDialectTest {
    @TempDir private Path folder;

    private static Map<String, Object> stream(final Map<String, Object> typed) {
        return UmPerfDialect.STREAM.meant(typed, key -> "-" + key);
    }

    @ParameterizedTest
    @CsvSource({"r,acknowledged", "s,kept"})
    void shouldMeanAStoreAndWhenItDeletesByPersistence(final String mode, final String deletion) {
        assertThat(stream(Map.of("persist", mode, "rate", "5")))
                .isEqualTo(
                        Map.of(
                                "channel",
                                "archive:?deletion=" + deletion,
                                "rate",
                                "5",
                                "stored",
                                true));
        assertThat(stream(Map.of("persist", mode, "channel", "archive:?members=3")))
                .isEqualTo(
                        Map.of(
                                "channel",
                                "archive:?members=3|deletion=" + deletion,
                                "stored",
                                true));
    }

    @Test
    void shouldStreamWithoutPersistence() {
        assertThat(stream(Map.of("persist", "", "channel", "shm:")))
                .isEqualTo(Map.of("channel", "shm:"));
    }

    @Test
    void shouldCopyEachMessageOfAGenericSource() {
        assertThat(stream(Map.of("generic", "true"))).isEqualTo(Map.of("sendPath", "offer"));
        assertThat(stream(Map.of("generic", "true", "sendPath", "offer")))
                .isEqualTo(Map.of("sendPath", "offer"));
        assertThat(stream(Map.of("generic", "false", "sendPath", "batch")))
                .isEqualTo(Map.of("sendPath", "batch"));
        assertThatThrownBy(() -> stream(Map.of("generic", "true", "sendPath", "batch")))
                .isInstanceOf(UserError.class)
                .hasMessage("-generic: means -sendPath offer, and batch is given; leave one out.");
    }

    @Test
    void shouldRefuseAStoreWhereTheChannelHasNoneOrDeletesOtherwise() {
        assertThatThrownBy(() -> stream(Map.of("persist", "r", "channel", "shm:")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("asks for a store, and shm: has none");
        assertThatThrownBy(
                        () -> stream(Map.of("persist", "r", "channel", "archive:?deletion=kept")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("means deletion=acknowledged");
        assertThatThrownBy(() -> stream(Map.of("persist", "x")))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("-persist x: is not a kind of persistence");
    }

    @Test
    void shouldLetASubscriberConformToItsSource() {
        assertThat(
                        UmPerfDialect.SUBSCRIBER.meant(
                                Map.of("persist", "r", "channel", "shm:"), key -> "-" + key))
                .isEqualTo(Map.of("channel", "shm:"));
        assertThat(
                        UmPerfDialect.SUBSCRIBER.meant(
                                Map.of("persist", "r", "channel", "archive:?deletion=kept"),
                                key -> "-" + key))
                .isEqualTo(Map.of("channel", "archive:?deletion=kept"));
        assertThatThrownBy(() ->
                        UmPerfDialect.SUBSCRIBER.meant(
                                Map.of("persist", "x", "channel", "shm:"), key -> "-" + key))
                .hasMessageStartingWith("-persist x: is not a kind of persistence");
    }

    private static final String UM_XML =
            """
            <?xml version="1.0" encoding="UTF-8" ?>
            <um-configuration version="1.0">
            <templates>
            <template name="site">
            <options type="context">
            <option name="resolver_multicast_interface" default-value="10.29.4.0/24"/>
            <option name="request_tcp_interface" default-value="10.29.4.0/24"/>
            <option name="resolver_multicast_address" default-value="239.101.3.1"/>
            </options>
            </template>
            </templates>
            <applications>
            <application name="um_perf" template="site">
            <contexts><context><sources>
            <topic topicname="topic1"><options type="source">
            <option name="transport_lbtrm_multicast_address" default-value="239.101.3.2"/>
            </options></topic>
            </sources></context></contexts>
            </application>
            <application name="um_perf_rpp" template="site"/>
            </applications>
            </um-configuration>
            """;

    @Test
    void shouldTakeTheGroupAndTheInterfaceOfAnXmlConfiguration() throws IOException {
        final String file = file("um.xml", UM_XML);
        final String channel = "aeron:udp?endpoint=239.101.3.1:12965|interface=10.29.4.0/24";

        assertThat(stream(Map.of("xmlConfig", file))).isEqualTo(Map.of("channel", channel));
        assertThat(
                        UmPerfDialect.SUBSCRIBER.meant(
                                Map.of("xmlConfig", file, "persist", "r"), key -> key))
                .as("-p r chooses another application of the file")
                .isEqualTo(Map.of("channel", channel));
        assertThat(stream(Map.of("xmlConfig", file, "channel", "shm:")))
                .as("what is typed counts")
                .isEqualTo(Map.of("channel", "shm:"));
        assertThat(UmPerfDialect.STREAM.notes(Map.of("xmlConfig", file), key -> key))
                .singleElement()
                .asString()
                .contains(
                        "all topics go through " + channel,
                        "request_tcp_interface (%s line 7)".formatted(file),
                        "transport_lbtrm_multicast_address (%s line 16)".formatted(file))
                .doesNotContain("resolver_multicast_interface (");
    }

    @Test
    void shouldTakeTheGroupOfTheLastOfSeveralConfigurations() throws IOException {
        final String first =
                file("um.cfg", "context resolver_multicast_address 239.1.1.1 # of the lab\n");
        final String second =
                file(
                        "more.cfg",
                        "# both\n\ncontext resolver_multicast_address 239.1.1.3\n"
                                + "context resolver_multicast_port 14400\nsource ume_retention 5\n");

        assertThat(stream(Map.of("config", List.of(first, second))))
                .isEqualTo(Map.of("channel", "aeron:udp?endpoint=239.1.1.3:14400"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "missing.xml | | there is no such file; name",
                "um.xml | <other/> | this is <other>, not the <um-configuration> such a file begins with",
                "um.xml | <um-configuration> | cannot be read as XML",
                "um.xml | <um-configuration/> | there is no application um_perf among []; add it",
                "um.xml | <um-configuration><application name='um_perf'/></um-configuration> | has no resolver_multicast_address",
                "um.xml | <!DOCTYPE x SYSTEM '/etc/passwd'><um-configuration>&x;</um-configuration> | cannot be read as XML",
            })
    void shouldSayWhatIsWrongWithAConfiguration(
            final String name, final String text, final String sentence) throws IOException {
        final String file = text == null ? name : file(name, text);
        assertThatThrownBy(() -> stream(Map.of("xmlConfig", file)))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith(file + ": ")
                .hasMessageContaining(sentence);
    }

    @Test
    void shouldSayWhichLineOfAConfigurationIsNone() throws IOException {
        final String file = file("um.cfg", "context\n");
        assertThatThrownBy(() -> stream(Map.of("config", file)))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith(file + " line 1: ");
    }

    private String file(final String name, final String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    @Test
    void shouldPinTheThreadsOfAStore() {
        assertThat(
                        UmPerfDialect.STORE.meant(
                                Map.of("storeCores", "4,2,4,4,6", "channel", "archive:?members=3"),
                                key -> key))
                .isEqualTo(Map.of("channel", "archive:?members=3|cores=4,2,4,4,6"));
    }

    @Test
    void shouldTakeTheFoldersOfTheFileOfAStore() throws IOException {
        final String file =
                file(
                        "store_1a.xml",
                        """
                        <ume-store version="1.3"><stores>
                        <store name="store_a_topic1" interface="10.29.4.0/24" port="12001">
                        <ume-attributes>
                        <option type="store" name="disk-cache-directory" value="/data/cache1a"/>
                        <option type="store" name="disk-state-directory" value="/data/state1a"/>
                        </ume-attributes></store></stores></ume-store>
                        """);
        final Map<String, Object> typed =
                Map.of("storeCores", "4,2", "persist", "r", "channel", file);

        assertThat(UmPerfDialect.STORE.meant(typed, key -> key))
                .isEqualTo(
                        Map.of(
                                "channel",
                                "archive:?stateDir=/data/state1a|deletion=acknowledged|cores=4,2",
                                "storeDirectory",
                                "/data/cache1a"));
        assertThat(UmPerfDialect.STORE.notes(typed, key -> key))
                .satisfiesExactly(
                        alone ->
                                assertThat(alone)
                                        .startsWith(file)
                                        .contains("no quorum", "archive:?members=3"),
                        ignored ->
                                assertThat(ignored)
                                        .contains(
                                                "interface (%s line 2), port (%s line 2)."
                                                        .formatted(file, file)));
    }
}

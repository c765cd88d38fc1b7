package io.tickmark.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UmPerfDialectTest {
    private static Map<String, Object> stream(final Map<String, Object> typed) {
        return UmPerfDialect.STREAM.meant(typed, key -> "-" + key);
    }

    @ParameterizedTest
    @CsvSource({"r,acknowledged", "s,kept"})
    void shouldMeanAStoreAndWhenItDeletesByPersistence(final String mode, final String deletion) {
        assertThat(stream(Map.of("persist", mode, "rate", "5")))
                .isEqualTo(Map.of("channel", "archive:?deletion=" + deletion, "rate", "5"));
        assertThat(stream(Map.of("persist", mode, "channel", "archive:?members=3")))
                .isEqualTo(Map.of("channel", "archive:?members=3|deletion=" + deletion));
    }

    @Test
    void shouldStreamWithoutPersistence() {
        assertThat(stream(Map.of("persist", "", "channel", "shm:")))
                .isEqualTo(Map.of("channel", "shm:"));
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

    @ParameterizedTest
    @CsvSource({"xmlConfig,um.xml", "config,um.cfg"})
    void shouldNameTheMissingEngineOfAConfiguration(final String key, final String file) {
        assertThatThrownBy(() -> stream(Map.of(key, file, "persist", "r")))
                .isInstanceOfSatisfying(
                        UserError.class,
                        e -> assertThat(e.kind()).isEqualTo(UserError.Kind.ENVIRONMENT))
                .hasMessageStartingWith("-%s %s: this configures Ultra Messaging", key, file);
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
    void shouldNameTheMissingEngineOfTheFileOfAStore() {
        assertThatThrownBy(() ->
                        UmPerfDialect.STORE.meant(
                                Map.of("storeCores", "4,2", "channel", "store_1a.xml"), key -> key))
                .isInstanceOfSatisfying(
                        UserError.class,
                        e -> assertThat(e.kind()).isEqualTo(UserError.Kind.ENVIRONMENT))
                .hasMessageStartingWith("store_1a.xml: this configures a store of Ultra Messaging");
    }
}

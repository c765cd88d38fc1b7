package io.tickmark.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretFileTest {
    private static final ChannelUri CHANNEL = ChannelUri.parse("mine://127.0.0.1:1");

    @TempDir Path folder;

    @Test
    void shouldReadTheFirstLineAlone() throws IOException {
        final Path file = Files.writeString(folder.resolve("secret"), "pass word\r\nnot this\n");

        assertThat(SecretFile.read(CHANNEL, "passwordFile", file.toString()))
                .isEqualTo("pass word");
    }

    @Test
    void shouldTakeALineWithoutAnEndAndAnEmptyFile() throws IOException {
        final Path one = Files.writeString(folder.resolve("one"), "word");
        final Path none = Files.writeString(folder.resolve("none"), "");

        assertThat(SecretFile.read(CHANNEL, "tokenFile", one.toString())).isEqualTo("word");
        assertThat(SecretFile.read(CHANNEL, "tokenFile", none.toString())).isEmpty();
        assertThat(SecretFile.read(CHANNEL, "tokenFile", "")).isEmpty();
    }

    @Test
    void shouldNameTheParameterAndTheFileThatCannotBeRead() {
        assertThatThrownBy(() -> SecretFile.read(CHANNEL, "tokenFile", folder + "/absent"))
                .isInstanceOfSatisfying(
                        UserError.class,
                        error -> assertThat(error.kind()).isEqualTo(UserError.Kind.USAGE))
                .hasMessageContaining(
                        "--channel mine://127.0.0.1:1: ?tokenFile=" + folder + "/absent")
                .hasMessageContaining("first line");
    }

    @Test
    void shouldRefuseALineThatIsNoSecret() throws IOException {
        final Path file = Files.writeString(folder.resolve("large"), "x".repeat(100_000));

        assertThatThrownBy(() -> SecretFile.read(CHANNEL, "passwordFile", file.toString()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("longer than 4096 characters");
    }
}

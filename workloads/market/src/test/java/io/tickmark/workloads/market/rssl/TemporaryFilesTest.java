package io.tickmark.workloads.market.rssl;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.settings.Settings;
import io.tickmark.workloads.market.DictionarySettings;
import io.tickmark.workloads.market.Peer;
import io.tickmark.workloads.market.data.FieldDictionary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A role that is killed deletes nothing at its end: what it needs for a moment goes before. */
class TemporaryFilesTest {
    @TempDir Path folder;

    @Test
    void shouldDeleteTheConfigurationOfTheLibraryWhenItWasRead() {
        final Path path;
        try (EmaFile file =
                EmaFile.consumer(
                        Settings.read(ConnectionSettings.class, Map.of(), key -> key),
                        new EmaFile.Calling(new Peer("127.0.0.1", 14_002), 1000, 100, 1000),
                        Optional.empty())) {
            path = Path.of(file.path());
            assertThat(path).isRegularFile();
        }
        assertThat(path).doesNotExist();
    }

    @Test
    void shouldDeleteTheFilesOfOurDictionaryWhenTheyWereRead() {
        final Path fields;
        final Path enums;
        try (DictionarySettings.Files files =
                Settings.read(DictionarySettings.class, Map.of(), key -> key).files()) {
            fields = files.fields();
            enums = files.enums();
            assertThat(fields).isRegularFile();
            assertThat(enums).isRegularFile();
        }
        assertThat(fields).doesNotExist();
        assertThat(enums).doesNotExist();
        assertThat(fields.getParent()).doesNotExist();
    }

    @Test
    void shouldNotDeleteTheDictionaryOfTheUser() throws IOException {
        FieldDictionary.writeOwn(folder);
        final Path given = folder.resolve(FieldDictionary.FIELD_FILE);
        final Path enums = folder.resolve(FieldDictionary.ENUM_FILE);
        try (DictionarySettings.Files files =
                Settings.read(
                                DictionarySettings.class,
                                Map.of(
                                        "fieldDictionary",
                                        given.toString(),
                                        "enumDictionary",
                                        enums.toString()),
                                key -> key)
                        .files()) {
            assertThat(files.fields()).isEqualTo(given);
        }
        assertThat(Files.exists(given)).isTrue();
        assertThat(Files.exists(enums)).isTrue();
    }
}

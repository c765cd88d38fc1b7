package io.tickmark.workloads.market;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.MessageFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.agrona.IoUtil;

/**
 * Which message content and dictionary a role works with.
 *
 * @param messageFile message content file, empty for our own
 * @param fieldDictionary field dictionary file
 * @param enumDictionary enumerations file
 */
public record DictionarySettings(
        @Setting(
                        help = "Message content file, MsgData.xml (default: tickmark's own).",
                        label = "FILE")
                String messageFile,
        @Setting(
                        help =
                                "Field dictionary file (RDMFieldDictionary); default: a consumer takes the provider's, "
                                        + "others tickmark's own.",
                        label = "FILE")
                String fieldDictionary,
        @Setting(
                        help = "Enumeration file (enumtype.def), beside the field dictionary.",
                        label = "FILE")
                String enumDictionary) {
    /** Both files or none. */
    public DictionarySettings {
        if (fieldDictionary.isEmpty() != enumDictionary.isEmpty()) {
            throw UserError.usage(
                    "--field-dictionary and --enum-dictionary belong together; name both or none.");
        }
    }

    /**
     * The same messages with a dictionary.
     *
     * @param files of it
     * @return settings
     */
    public DictionarySettings with(final Files files) {
        return new DictionarySettings(
                messageFile, files.fields().toString(), files.enums().toString());
    }

    /**
     * The dictionary from files, or our own.
     *
     * @return the dictionary
     */
    public FieldDictionary dictionary() {
        return fieldDictionary.isEmpty()
                ? FieldDictionary.own()
                : FieldDictionary.read(Path.of(fieldDictionary), Path.of(enumDictionary));
    }

    /**
     * Refuses a missing message file; its content is checked once the dictionary is known.
     *
     * @throws UserError naming the file
     */
    public void requireMessageFile() {
        if (!messageFile.isEmpty()) {
            MessageFile.require(Path.of(messageFile));
        }
    }

    /**
     * The dictionary as files, for a library that reads only files.
     *
     * @return the user's files, or ours in a folder that is deleted when they are closed
     */
    public Files files() {
        return fieldDictionary.isEmpty()
                ? own()
                : new Files(Path.of(fieldDictionary), Path.of(enumDictionary));
    }

    private static Files own() {
        try {
            final Path folder = java.nio.file.Files.createTempDirectory("tickmark-dictionary");
            folder.toFile().deleteOnExit(); // a process may end while a library connects
            FieldDictionary.writeOwn(folder);
            final Path fields = folder.resolve(FieldDictionary.FIELD_FILE);
            final Path enums = folder.resolve(FieldDictionary.ENUM_FILE);
            fields.toFile().deleteOnExit();
            enums.toFile().deleteOnExit();
            return new Files(fields, enums, Optional.of(folder));
        } catch (final IOException e) {
            throw UserError.environment(
                    "The field dictionary cannot be written to %s: %s."
                            .formatted(System.getProperty("java.io.tmpdir"), e.getMessage()),
                    e);
        }
    }

    /**
     * Files of a dictionary.
     *
     * @param fields in the format of RDMFieldDictionary
     * @param enums in the format of enumtype.def
     * @param temporary folder of both that is deleted when this is closed; empty where they are the
     *     user's
     */
    public record Files(Path fields, Path enums, Optional<Path> temporary)
            implements AutoCloseable {
        /**
         * Files of the user.
         *
         * @param fields in the format of RDMFieldDictionary
         * @param enums in the format of enumtype.def
         */
        public Files(final Path fields, final Path enums) {
            this(fields, enums, Optional.empty());
        }

        @Override
        public void close() {
            temporary.ifPresent(folder -> IoUtil.delete(folder.toFile(), true));
        }
    }

    /**
     * The message content.
     *
     * @param dictionary against which it is checked
     * @return the messages
     */
    public MessageFile messages(final FieldDictionary dictionary) {
        return messageFile.isEmpty()
                ? MessageFile.own(dictionary)
                : MessageFile.read(Path.of(messageFile), dictionary);
    }
}

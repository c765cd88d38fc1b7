package io.tickmark.workloads.market;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.MessageFile;
import java.nio.file.Path;

/**
 * Which message content and dictionary a role works with.
 *
 * @param messageFile message content file, empty for our own
 * @param fieldDictionary field dictionary file
 * @param enumDictionary enumerations file
 */
public record DictionarySettings(
        @Setting(
                        help = "Message content file (MsgData.xml); tickmark's own where left out.",
                        aliases = {"-msgFile"},
                        label = "FILE")
                String messageFile,
        @Setting(
                        help =
                                "Field dictionary file (RDMFieldDictionary); a consumer takes the "
                                        + "provider's where left out, others tickmark's own.",
                        label = "FILE")
                String fieldDictionary,
        @Setting(
                        help = "Enumeration file (enumtype.def), beside the field dictionary.",
                        label = "FILE")
                String enumDictionary) {
    /** Both files or none. */
    public DictionarySettings {
        if (fieldDictionary.isEmpty() != enumDictionary.isEmpty()) {
            throw io.tickmark.kernel.settings.UserError.usage(
                    "--field-dictionary and --enum-dictionary belong together; name both or none.");
        }
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

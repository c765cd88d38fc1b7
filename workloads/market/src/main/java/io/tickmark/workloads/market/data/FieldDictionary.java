package io.tickmark.workloads.market.data;

import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataDictionary;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.DictionaryEntry;
import com.refinitiv.eta.transport.Error;
import com.refinitiv.eta.transport.TransportFactory;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A field dictionary with its enumerations: which fields there are and of which type. Immutable;
 * any thread may look fields up.
 */
public final class FieldDictionary {
    /** Name of our own field file, and of all others. */
    public static final String FIELD_FILE = "RDMFieldDictionary";

    /** Name of our own file of enumerations, and of all others. */
    public static final String ENUM_FILE = "enumtype.def";

    private static final String OWN = "/tickmark/market/";
    private static final int IDS = 1 << Short.SIZE;
    private static final long MAX_FILE_BYTES = 64L << 20;

    /** Contents that the library silently refuses. */
    private static final String NO_REASON =
            "the library does not say why; it accepts at most 2500 values in an enumeration.";

    private final DataDictionary codec;
    private final byte[] types = new byte[IDS];

    private FieldDictionary(final DataDictionary codec) {
        this.codec = codec;
        for (int fieldId = Short.MIN_VALUE; fieldId <= Short.MAX_VALUE; fieldId++) {
            final DictionaryEntry entry = codec.entry(fieldId);
            types[fieldId & IDS - 1] = entry == null ? 0 : (byte) entry.rwfType();
        }
    }

    /**
     * Our own small dictionary: the fields of our own message file, the tracking fields, our own
     * fields, and one field of every primitive type.
     *
     * @return the dictionary
     */
    public static FieldDictionary own() {
        try {
            final Path folder = Files.createTempDirectory("tickmark-dictionary");
            try {
                writeOwn(folder);
                return read(folder.resolve(FIELD_FILE), folder.resolve(ENUM_FILE));
            } finally {
                Files.deleteIfExists(folder.resolve(FIELD_FILE));
                Files.deleteIfExists(folder.resolve(ENUM_FILE));
                Files.deleteIfExists(folder);
            }
        } catch (final IOException e) {
            throw UserError.environment(
                    "The field dictionary cannot be unpacked into the folder for temporary files"
                            + " (java.io.tmpdir): "
                            + e.getMessage(),
                    e);
        }
    }

    /**
     * Writes the files of our own dictionary, for foreign peers.
     *
     * @param folder exists; its {@link #FIELD_FILE} and {@link #ENUM_FILE} must not
     * @throws IOException if they cannot be written
     */
    public static void writeOwn(final Path folder) throws IOException {
        for (final String name : new String[] {FIELD_FILE, ENUM_FILE}) {
            try (InputStream in = FieldDictionary.class.getResourceAsStream(OWN + name)) {
                Files.copy(in, folder.resolve(name));
            }
        }
    }

    /**
     * Reads dictionary files.
     *
     * @param fields in the format of RDMFieldDictionary
     * @param enums in the format of enumtype.def
     * @return the dictionary
     * @throws UserError if a file is not there, or not such a file, with the line where it fails
     */
    public static FieldDictionary read(final Path fields, final Path enums) {
        final DataDictionary codec = CodecFactory.createDataDictionary();
        final Error error = TransportFactory.createError();
        checkFile(fields, "field dictionary", "--field-dictionary");
        if (codec.loadFieldDictionary(fields.toString(), error) < CodecReturnCodes.SUCCESS) {
            throw unreadable(fields, "field dictionary", error);
        }
        checkFile(enums, "dictionary of enumerations", "--enum-dictionary");
        if (codec.loadEnumTypeDictionary(enums.toString(), error) < CodecReturnCodes.SUCCESS) {
            throw unreadable(enums, "dictionary of enumerations", error);
        }
        if (codec.numberOfEntries() == 0) {
            throw UserError.usage(fields + ": there is no field in this field dictionary.");
        }
        return new FieldDictionary(codec);
    }

    /**
     * A dictionary received over a channel.
     *
     * @param codec with all its parts; not changed from now on
     * @return the dictionary
     */
    public static FieldDictionary of(final DataDictionary codec) {
        return new FieldDictionary(codec);
    }

    private static void checkFile(final Path file, final String what, final String option) {
        if (!Files.isRegularFile(file)) {
            throw UserError.usage(
                    "%s: there is no such file; name the %s with %s, or leave it out to use"
                                    .formatted(file, what, option)
                            + " tickmark's own.");
        }
        try {
            if (Files.size(file) > MAX_FILE_BYTES) {
                throw UserError.usage(
                        "%s: this file is larger than %d bytes, so it is not a %s."
                                .formatted(file, MAX_FILE_BYTES, what));
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static UserError unreadable(final Path file, final String what, final Error error) {
        return UserError.usage(
                "%s: this %s cannot be read: %s"
                        .formatted(
                                file,
                                what,
                                error.text() == null ? NO_REASON : error.text().strip()));
    }

    /**
     * The dictionary of the codec.
     *
     * @return for reading only
     */
    public DataDictionary codec() {
        return codec;
    }

    /**
     * The type of a field.
     *
     * @param fieldId any
     * @return one of {@link DataTypes}; {@link DataTypes#UNKNOWN} where there is no such field
     */
    public int typeOf(final int fieldId) {
        return types[fieldId & IDS - 1];
    }

    /**
     * Whether messages can carry the intended time of their tick.
     *
     * @return false where response times cannot be measured
     */
    public boolean hasIntendedTime() {
        return typeOf(Fields.INTENDED_TIME) == DataTypes.UINT;
    }

    /**
     * Whether messages can say whose clock their times are of.
     *
     * @return false where the address of the sender must do
     */
    public boolean hasHost() {
        return typeOf(Fields.HOST) == DataTypes.UINT;
    }

    /**
     * Whether messages can carry their number.
     *
     * @return false where loss can be derived from totals only
     */
    public boolean hasSequences() {
        return typeOf(Fields.UPDATE_SEQUENCE) == DataTypes.UINT
                && typeOf(Fields.POST_SEQUENCE) == DataTypes.UINT
                && typeOf(Fields.GENERIC_SEQUENCE) == DataTypes.UINT;
    }

    /**
     * Whether messages of a kind can carry the time taken before encoding.
     *
     * @param kind of message
     * @return false where service times cannot be measured
     */
    public boolean hasTime(final MessageKind kind) {
        return typeOf(kind.timeField()) == DataTypes.UINT;
    }
}

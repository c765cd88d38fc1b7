package io.tickmark.workloads.market.hub.cache;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.Codec;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.DecodeIterator;
import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.codec.FieldEntry;
import com.refinitiv.eta.codec.FieldList;
import com.refinitiv.eta.codec.FieldListFlags;
import com.refinitiv.eta.codec.LocalFieldSetDefDb;
import com.refinitiv.eta.codec.Map;
import com.refinitiv.eta.codec.MapEntry;
import com.refinitiv.eta.codec.MapEntryActions;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.Real;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;

/**
 * Makes images from refreshes, merges updates into them, encodes them. Single-threaded; merging a
 * field list allocates nothing once every field has its slot. Content other than field lists and
 * maps of field lists cannot be merged, which is reported with null or false.
 */
public final class ImageCodec {
    private static final int FIRST_FIELDS = 64;
    private static final int REAL_BYTES = 16;

    private final ImageLayouts layouts = new ImageLayouts();
    private final DecodeIterator iterator = CodecFactory.createDecodeIterator();
    private final FieldList list = CodecFactory.createFieldList();
    private final FieldEntry entry = CodecFactory.createFieldEntry();
    private final Buffer value = CodecFactory.createBuffer();
    private final Real real = CodecFactory.createReal();
    private final EncodeIterator realIterator = CodecFactory.createEncodeIterator();
    private final Buffer realBuffer = CodecFactory.createBuffer();
    private final java.nio.ByteBuffer realBytes = java.nio.ByteBuffer.allocate(REAL_BYTES);
    private final BookCodec books = new BookCodec(this);
    private final FieldWalk walk = new FieldWalk();
    private String failure = "";
    private int[] fieldIds = new int[FIRST_FIELDS];
    private int[] positions = new int[FIRST_FIELDS];
    private int[] lengths = new int[FIRST_FIELDS];
    private int[] slots = new int[FIRST_FIELDS];

    /** Knows no layout yet. */
    public ImageCodec() {}

    /**
     * Makes an image.
     *
     * @param message with an image's content, just decoded
     * @param majorVersion of its channel
     * @param minorVersion of its channel
     * @return the image; null where the content cannot be merged, or is not what it says, which
     *     {@link #failure} tells
     */
    public ItemImage image(final Msg message, final int majorVersion, final int minorVersion) {
        failure = "";
        try {
            begin(message, majorVersion, minorVersion);
            return switch (message.containerType()) {
                case DataTypes.FIELD_LIST -> fields(message.encodedDataBody());
                case DataTypes.MAP -> books.image(iterator);
                case DataTypes.NO_DATA -> new FieldImage(layouts.empty());
                default -> null;
            };
        } catch (final RuntimeException e) { // how the codec reports that lengths do not match
            failure = "its lengths do not fit (" + e + ")";
            return null;
        }
    }

    /**
     * Why the last image could not be created, or the last merge not be done, where its content is
     * malformed.
     *
     * @return empty where all was well, or the content is of a kind that is not cached
     */
    public String failure() {
        return failure;
    }

    /** Keeps the reason. */
    private boolean fail(final String why) {
        failure = why;
        return false;
    }

    /** Keeps a code of the library as the reason. */
    private boolean fail(final String what, final int code) {
        return fail(what + " cannot be decoded (" + CodecReturnCodes.toString(code) + ")");
    }

    private void begin(final Msg message, final int majorVersion, final int minorVersion) {
        iterator.clear();
        iterator.setBufferAndRWFVersion(message.encodedDataBody(), majorVersion, minorVersion);
    }

    /** Lays all fields out at once, so that the bytes of an image are allocated once. */
    private FieldImage fields(final Buffer body) {
        if (body.length() == 0) {
            return new FieldImage(layouts.empty());
        }
        final int code = list.decode(iterator, null);
        if (code == CodecReturnCodes.NO_DATA) {
            return new FieldImage(layouts.empty());
        }
        if (code < CodecReturnCodes.SUCCESS) {
            fail("its field list", code);
            return null;
        }
        if (list.checkHasSetData()) {
            return null; // sets of a dictionary: no sender is known to use them
        }
        layouts.begin();
        int fields = 0;
        entry.clear();
        for (int result = entry.decode(iterator);
                result != CodecReturnCodes.END_OF_CONTAINER;
                result = entry.decode(iterator)) {
            if (result < CodecReturnCodes.SUCCESS) {
                fail("a field of it", result);
                return null;
            }
            if (fields == fieldIds.length) {
                fieldIds = java.util.Arrays.copyOf(fieldIds, 2 * fields);
                positions = java.util.Arrays.copyOf(positions, 2 * fields);
                lengths = java.util.Arrays.copyOf(lengths, 2 * fields);
                slots = java.util.Arrays.copyOf(slots, 2 * fields);
            }
            fieldIds[fields] = entry.fieldId();
            positions[fields] = entry.encodedData().position();
            lengths[fields] = entry.encodedData().length();
            slots[fields] = layouts.add(fieldIds[fields], lengths[fields]);
            fields++;
        }
        final FieldImage image = new FieldImage(layouts.layout());
        for (int i = 0; i < fields; i++) {
            image.put(slots[i], fieldIds[i], body.data(), positions[i], lengths[i]);
        }
        return image;
    }

    /**
     * Merges an update.
     *
     * @param image to change
     * @param message with the changes, just decoded
     * @param majorVersion of its channel
     * @param minorVersion of its channel
     * @return false where they do not go together; the image may be changed in part then
     */
    public boolean merge(
            final ItemImage image,
            final Msg message,
            final int majorVersion,
            final int minorVersion) {
        return merge(
                image,
                message.containerType(),
                message.encodedDataBody(),
                majorVersion,
                minorVersion);
    }

    /**
     * Merges the content of an update, or a further part of an image, into an image.
     *
     * @param image to change
     * @param containerType of the content
     * @param body the content
     * @param majorVersion of its channel
     * @param minorVersion of its channel
     * @return false where they do not go together; the image may be changed in part then
     */
    public boolean merge(
            final ItemImage image,
            final int containerType,
            final Buffer body,
            final int majorVersion,
            final int minorVersion) {
        failure = "";
        if (containerType == DataTypes.NO_DATA || body.length() == 0) {
            return true;
        }
        if (containerType != containerType(image)) {
            return fail(
                    "%s do not go into an image that is %s"
                            .formatted(
                                    DataTypes.toString(containerType),
                                    DataTypes.toString(containerType(image))));
        }
        try {
            iterator.clear();
            iterator.setBufferAndRWFVersion(body, majorVersion, minorVersion);
            return switch (image) {
                case final FieldImage fields -> mergeFields(fields, body);
                case final BookImage book -> books.merge(book, iterator);
            };
        } catch (final RuntimeException e) { // how the codec reports that lengths do not match
            return fail("its lengths do not fit (" + e + ")");
        }
    }

    /**
     * Whether a merge would go through, so that an image is not changed by half of a message from
     * an untrusted sender.
     *
     * @param image that it is for; not changed
     * @param message with the changes, just decoded
     * @param majorVersion of its channel
     * @param minorVersion of its channel
     * @return false where {@link #merge} would fail
     */
    public boolean canMerge(
            final ItemImage image,
            final Msg message,
            final int majorVersion,
            final int minorVersion) {
        final Buffer body = message.encodedDataBody();
        if (image instanceof FieldImage
                && message.containerType() == DataTypes.FIELD_LIST
                && body.length() > 0) {
            try {
                if (walk.canWalk(body)) {
                    return walk.fits(body) || fail("its lengths do not fit");
                }
            } catch (final RuntimeException e) { // how a buffer reports that lengths do not match
                return fail("its lengths do not fit (" + e + ")");
            }
        }
        return merge(emptyLike(image), message, majorVersion, minorVersion);
    }

    private ItemImage emptyLike(final ItemImage image) {
        return image instanceof final BookImage book
                ? new BookImage(book.keyType(), emptyImage())
                : emptyImage();
    }

    private boolean mergeFields(final FieldImage image, final Buffer body) {
        if (walk.canWalk(body)) {
            return walk.merge(image, body) || fail("its lengths do not fit");
        }
        return mergeList(image, iterator, null);
    }

    /** Puts the fields of the list at the iterator into an image. */
    boolean mergeList(
            final FieldImage image, final DecodeIterator at, final LocalFieldSetDefDb sets) {
        list.clear();
        int result = list.decode(at, sets);
        if (result == CodecReturnCodes.NO_DATA) {
            return true;
        }
        if (result < CodecReturnCodes.SUCCESS) {
            return fail("its field list", result);
        }
        final boolean hasSet = list.checkHasSetData();
        if (hasSet && sets == null) {
            return fail("its fields are in a set of a dictionary, which the hub does not have");
        }
        entry.clear();
        for (result = entry.decode(at);
                result != CodecReturnCodes.END_OF_CONTAINER;
                result = entry.decode(at)) {
            if (result < CodecReturnCodes.SUCCESS) {
                return fail("a field of it", result);
            }
            image.put(
                    entry.fieldId(),
                    hasSet && entry.dataType() == DataTypes.REAL ? real(at) : entry.encodedData());
        }
        return true;
    }

    /** A price of a set is packed specially; all other types are encoded as usual. */
    private Buffer real(final DecodeIterator at) {
        if (real.decode(at) < CodecReturnCodes.SUCCESS || real.isBlank()) {
            realBuffer.clear();
            return realBuffer;
        }
        realBuffer.clear();
        realBuffer.data(realBytes, 0, REAL_BYTES);
        realIterator.clear();
        realIterator.setBufferAndRWFVersion(realBuffer, Codec.majorVersion(), Codec.minorVersion());
        real.encode(realIterator);
        return realBuffer;
    }

    /** The layouts of the images made here. */
    ImageLayouts layouts() {
        return layouts;
    }

    /** An image without fields. */
    FieldImage emptyImage() {
        return new FieldImage(layouts.empty());
    }

    /**
     * The container an image is encoded as.
     *
     * @param image any
     * @return one of {@link DataTypes}
     */
    public static int containerType(final ItemImage image) {
        return image instanceof BookImage ? DataTypes.MAP : DataTypes.FIELD_LIST;
    }

    /**
     * Encodes the content of an image.
     *
     * @param image any
     * @param to inside a message whose container type is {@link #containerType}
     * @return {@link CodecReturnCodes#SUCCESS} or less
     */
    public int encode(final ItemImage image, final EncodeIterator to) {
        return switch (image) {
            case final FieldImage fields -> encodeFields(fields, to);
            case final BookImage book -> books.encode(book, to);
        };
    }

    int encodeFields(final FieldImage fields, final EncodeIterator to) {
        return fields.encode(to, list, entry, value);
    }

    /**
     * Merges the entries of a field list as encoded on the wire: a field id in two bytes, a length
     * in one (or three, from 254 on), the value. The hub only stores values: the set-up of the
     * library's decoder for each field is not needed here. Single-threaded; allocates nothing once
     * every field has its slot.
     */
    private static final class FieldWalk {
        private static final int USUAL =
                FieldListFlags.HAS_STANDARD_DATA | FieldListFlags.HAS_FIELD_LIST_INFO;
        private static final int LONG_LENGTH = 0xfe;
        private static final int FIRST_GUESSES = 64;

        /** By the slot of the field before, plus one: where the next field was the last time. */
        private int[] guesses = new int[FIRST_GUESSES];

        /** Whether the list has only single fields, without sets. */
        boolean canWalk(final Buffer list) {
            final int flags = list.data().get(list.position());
            return (flags & FieldListFlags.HAS_STANDARD_DATA) != 0 && (flags & ~USUAL) == 0;
        }

        /** Whether {@link #merge} would take the whole list. */
        boolean fits(final Buffer list) {
            return walk(null, list);
        }

        /** Puts all fields into the image; false where the list does not end where it should. */
        boolean merge(final FieldImage image, final Buffer list) {
            return walk(image, list);
        }

        private boolean walk(final FieldImage image, final Buffer list) {
            final ByteBuffer from = list.data();
            final int end = list.position() + list.length();
            int at = list.position() + 1;
            if ((from.get(list.position()) & FieldListFlags.HAS_FIELD_LIST_INFO) != 0) {
                at += 1 + (from.get(at) & 0xff);
            }
            int left = from.getShort(at) & 0xffff;
            at += Short.BYTES;
            int before = 0;
            for (; left > 0; left--) {
                final int fieldId = from.getShort(at);
                int length = from.get(at + Short.BYTES) & 0xff;
                at += Short.BYTES + 1;
                if (length >= LONG_LENGTH) {
                    length = from.getShort(at) & 0xffff;
                    at += Short.BYTES;
                }
                if (at + length > end) {
                    return false;
                }
                if (image != null) {
                    final int slot = image.put(guesses[before], fieldId, from, at, length);
                    guesses[before] = slot;
                    before = slot + 1;
                    if (before >= guesses.length) { // the first field of a list may be any slot's
                        guesses = Arrays.copyOf(guesses, 2 * before);
                    }
                }
                at += length;
            }
            return true;
        }
    }

    /**
     * Reads, merges and writes maps of field lists. Single-threaded; an entry that is new
     * allocates.
     */
    private static final class BookCodec {
        private final ImageCodec fields;
        private final Map map = CodecFactory.createMap();
        private final MapEntry entry = CodecFactory.createMapEntry();
        private final Buffer key = CodecFactory.createBuffer();
        private final LocalFieldSetDefDb sets = CodecFactory.createLocalFieldSetDefDb();
        private int code;

        BookCodec(final ImageCodec fields) {
            this.fields = fields;
        }

        /** The book at the iterator; null where it holds no field lists. */
        BookImage image(final DecodeIterator iterator) {
            if (!decode(iterator)) {
                return null;
            }
            final BookImage book = new BookImage(map.keyPrimitiveType(), fields.emptyImage());
            return rows(book, iterator) ? book : null;
        }

        boolean merge(final BookImage book, final DecodeIterator iterator) {
            if (!decode(iterator)) {
                return fields.fail("its map", code);
            }
            return map.keyPrimitiveType() == book.keyType()
                    ? rows(book, iterator)
                    : fields.fail("its keys", CodecReturnCodes.INVALID_DATA);
        }

        private boolean decode(final DecodeIterator iterator) {
            sets.clear();
            map.clear();
            code = map.decode(iterator);
            if (code < CodecReturnCodes.SUCCESS) {
                return fields.fail("its map", code);
            }
            if (map.containerType() != DataTypes.FIELD_LIST) {
                code = CodecReturnCodes.UNSUPPORTED_DATA_TYPE;
                return false;
            }
            if (map.checkHasSetDefs()) {
                code = sets.decode(iterator);
                return code >= CodecReturnCodes.SUCCESS || fields.fail("the sets of its map", code);
            }
            return true;
        }

        private boolean rows(final BookImage book, final DecodeIterator iterator) {
            if (map.checkHasSummaryData() && !fields.mergeList(book.summary(), iterator, sets)) {
                return false;
            }
            entry.clear();
            for (int result = entry.decode(iterator, null);
                    result != CodecReturnCodes.END_OF_CONTAINER;
                    result = entry.decode(iterator, null)) {
                if (result < CodecReturnCodes.SUCCESS) {
                    return fields.fail("an entry of its map", result);
                }
                if (!row(book, iterator)) {
                    return false;
                }
            }
            return true;
        }

        private boolean row(final BookImage book, final DecodeIterator iterator) {
            final ByteBuffer id = ByteBuffer.allocate(entry.encodedKey().length());
            if (entry.encodedKey().length() > 0) {
                entry.encodedKey()
                        .data()
                        .get(entry.encodedKey().position(), id.array(), 0, id.capacity());
            }
            if (entry.action() == MapEntryActions.DELETE) {
                book.rows().remove(id);
                return true;
            }
            if (entry.action() == MapEntryActions.ADD) {
                book.rows().put(id, fields.emptyImage());
            }
            return fields.mergeList(
                    book.rows().computeIfAbsent(id, any -> fields.emptyImage()), iterator, sets);
        }

        int encode(final BookImage book, final EncodeIterator to) {
            map.clear();
            map.containerType(DataTypes.FIELD_LIST);
            map.keyPrimitiveType(book.keyType());
            if (book.summary().fields() > 0) {
                map.applyHasSummaryData();
            }
            int result = map.encodeInit(to, 0, 0);
            if (result >= CodecReturnCodes.SUCCESS && book.summary().fields() > 0) {
                result = fields.encodeFields(book.summary(), to);
                if (result >= CodecReturnCodes.SUCCESS) {
                    result = map.encodeSummaryDataComplete(to, true);
                }
            }
            for (final java.util.Map.Entry<ByteBuffer, FieldImage> row : book.rows().entrySet()) {
                if (result >= CodecReturnCodes.SUCCESS) {
                    result = encodeRow(row.getKey(), row.getValue(), to);
                }
            }
            return result < CodecReturnCodes.SUCCESS ? result : map.encodeComplete(to, true);
        }

        private int encodeRow(final ByteBuffer id, final FieldImage row, final EncodeIterator to) {
            entry.clear();
            entry.action(MapEntryActions.ADD);
            key.data(id.duplicate(), 0, id.capacity()); // the map's key must keep its position
            entry.encodedKey(key);
            int result = entry.encodeInit(to, 0);
            if (result >= CodecReturnCodes.SUCCESS) {
                result = fields.encodeFields(row, to);
            }
            return result < CodecReturnCodes.SUCCESS ? result : entry.encodeComplete(to, true);
        }
    }

    /** The last state of an order book: the fields of each entry, by key, and of the summary. */
    static final class BookImage implements ItemImage {
        private final int keyType;
        private final FieldImage summary;
        private final java.util.Map<ByteBuffer, FieldImage> rows = new LinkedHashMap<>();

        BookImage(final int keyType, final FieldImage summary) {
            this.keyType = keyType;
            this.summary = summary;
        }

        int keyType() {
            return keyType;
        }

        FieldImage summary() {
            return summary;
        }

        /** Entries by their encoded keys, in the order of arrival. */
        java.util.Map<ByteBuffer, FieldImage> rows() {
            return rows;
        }

        @Override
        public int maxBytes() {
            int bytes = 32 + summary.maxBytes();
            for (final java.util.Map.Entry<ByteBuffer, FieldImage> row : rows.entrySet()) {
                bytes += 16 + row.getKey().capacity() + row.getValue().maxBytes();
            }
            return bytes;
        }
    }
}

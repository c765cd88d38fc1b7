package io.tickmark.workloads.market.hub.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.Codec;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.DecodeIterator;
import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.codec.FieldEntry;
import com.refinitiv.eta.codec.FieldList;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Our walk over the fields of an update, held against the library's decoder. */
class FieldWalkTest {
    private static final int ROUNDS = 2_000;
    private static final int MOST_BYTES = 1 << 16;

    private final ImageCodec codec = new ImageCodec();
    private final FieldImage walked = codec.emptyImage();
    private final FieldImage decoded = codec.emptyImage();
    private final Random random = new Random(42);

    private static Buffer buffer(final byte[] bytes, final int offset) {
        final Buffer buffer = CodecFactory.createBuffer();
        final ByteBuffer data = ByteBuffer.allocate(offset + bytes.length);
        data.put(offset, bytes);
        buffer.data(data, offset, bytes.length);
        return buffer;
    }

    private byte[] list(final int fields, final boolean hasInfo) {
        return list(fields, 40, hasInfo);
    }

    private byte[] list(final int fields, final int ids, final boolean hasInfo) {
        final Buffer buffer = CodecFactory.createBuffer();
        buffer.data(ByteBuffer.allocate(MOST_BYTES));
        final EncodeIterator iterator = CodecFactory.createEncodeIterator();
        iterator.setBufferAndRWFVersion(buffer, Codec.majorVersion(), Codec.minorVersion());
        final FieldList list = CodecFactory.createFieldList();
        list.applyHasStandardData();
        if (hasInfo) {
            list.applyHasInfo();
            list.dictionaryId(1);
            list.fieldListNum(65);
        }
        assertThat(list.encodeInit(iterator, null, 0)).isEqualTo(CodecReturnCodes.SUCCESS);
        final FieldEntry entry = CodecFactory.createFieldEntry();
        for (int i = 0; i < fields; i++) {
            entry.clear();
            entry.fieldId(random.nextInt(ids) - 10);
            entry.dataType(DataTypes.BUFFER);
            final byte[] value =
                    new byte[random.nextInt(8) == 0 ? 250 + random.nextInt(20) : random.nextInt(9)];
            random.nextBytes(value);
            entry.encodedData(buffer(value, 3));
            assertThat(entry.encode(iterator)).isEqualTo(CodecReturnCodes.SUCCESS);
        }
        assertThat(list.encodeComplete(iterator, true)).isEqualTo(CodecReturnCodes.SUCCESS);
        final byte[] bytes = new byte[buffer.length()];
        buffer.data().get(0, bytes);
        return bytes;
    }

    private boolean walk(final byte[] list) {
        return codec.merge(
                walked,
                DataTypes.FIELD_LIST,
                buffer(list, 7),
                Codec.majorVersion(),
                Codec.minorVersion());
    }

    private boolean decode(final byte[] list) {
        final DecodeIterator iterator = CodecFactory.createDecodeIterator();
        iterator.setBufferAndRWFVersion(
                buffer(list, 7), Codec.majorVersion(), Codec.minorVersion());
        try {
            return codec.mergeList(decoded, iterator, null);
        } catch (final RuntimeException e) { // how the codec says that lengths do not fit
            return false;
        }
    }

    private byte[] encoded(final FieldImage image) {
        final Buffer buffer = CodecFactory.createBuffer();
        buffer.data(ByteBuffer.allocate(MOST_BYTES));
        final EncodeIterator iterator = CodecFactory.createEncodeIterator();
        iterator.setBufferAndRWFVersion(buffer, Codec.majorVersion(), Codec.minorVersion());
        assertThat(codec.encodeFields(image, iterator)).isEqualTo(CodecReturnCodes.SUCCESS);
        final byte[] bytes = new byte[buffer.length()];
        buffer.data().get(0, bytes);
        return bytes;
    }

    @Test
    void shouldMergeWhatTheLibraryWouldDecode() {
        for (int round = 0; round < ROUNDS; round++) {
            final byte[] list = list(random.nextInt(30), round % 3 == 0);
            assertThat(walk(list)).isEqualTo(decode(list)).isTrue();
            assertThat(encoded(walked)).isEqualTo(encoded(decoded));
        }
    }

    /** A feed's images have hundreds of fields, and its updates begin anywhere among them. */
    @Test
    void shouldMergeIntoImagesOfHundredsOfFields() {
        assertThat(walk(list(900, 700, false))).isTrue();
        for (int round = 0; round < ROUNDS / 10; round++) {
            final ImageCodec fresh = new ImageCodec(); // which has not walked over any slot yet
            final FieldImage image = fresh.emptyImage();
            for (int field = 0; field < 65 + round; field++) {
                image.put(field, buffer(new byte[] {1}, 0));
            }
            final byte[] update = list(1 + random.nextInt(5), 700, false);
            assertThat(
                            fresh.merge(
                                    image,
                                    DataTypes.FIELD_LIST,
                                    buffer(update, 7),
                                    Codec.majorVersion(),
                                    Codec.minorVersion()))
                    .as("%d fields", 65 + round)
                    .isTrue();
        }
    }

    @Test
    void shouldRefuseListsThatEndTooEarly() {
        final byte[] list = list(20, true);
        for (int length = 1; length < list.length; length++) {
            assertThat(walk(java.util.Arrays.copyOf(list, length)))
                    .as("%d bytes", length)
                    .isFalse();
        }
    }

    @Test
    void shouldSurviveWhateverAnUpdateHolds() {
        for (int round = 0; round < ROUNDS; round++) {
            final byte[] list = list(random.nextInt(10), round % 2 == 0);
            for (int i = 0; i < 3; i++) {
                list[random.nextInt(list.length)] = (byte) random.nextInt();
            }
            assertThat(walk(list)).isIn(true, false);
        }
    }
}

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
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.MsgClasses;
import com.refinitiv.eta.codec.RefreshMsg;
import com.refinitiv.eta.codec.StreamStates;
import com.refinitiv.eta.rdm.DomainTypes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How images share the positions of their fields. */
class ImageLayoutsTest {
    private static final int FIELDS = 60;
    private static final int BYTES = 1 << 14;

    private final ImageCodec codec = new ImageCodec();

    /** A field with a value of that many bytes, all alike. */
    private record Field(int id, int length) {}

    private static EncodeIterator into(final Buffer buffer) {
        buffer.data(ByteBuffer.allocate(BYTES));
        final EncodeIterator iterator = CodecFactory.createEncodeIterator();
        iterator.setBufferAndRWFVersion(buffer, Codec.majorVersion(), Codec.minorVersion());
        return iterator;
    }

    private static DecodeIterator from(final Buffer buffer) {
        final DecodeIterator iterator = CodecFactory.createDecodeIterator();
        iterator.setBufferAndRWFVersion(buffer, Codec.majorVersion(), Codec.minorVersion());
        return iterator;
    }

    private static Msg refresh(final List<Field> fields) {
        final Buffer buffer = CodecFactory.createBuffer();
        final EncodeIterator iterator = into(buffer);
        final Msg message = CodecFactory.createMsg();
        message.msgClass(MsgClasses.REFRESH);
        message.domainType(DomainTypes.MARKET_PRICE);
        message.containerType(DataTypes.FIELD_LIST);
        ((RefreshMsg) message).state().streamState(StreamStates.OPEN);
        final FieldList list = CodecFactory.createFieldList();
        list.applyHasStandardData();
        assertThat(message.encodeInit(iterator, 0)).isNotNegative();
        assertThat(list.encodeInit(iterator, null, 0)).isNotNegative();
        final FieldEntry entry = CodecFactory.createFieldEntry();
        for (final Field each : fields) {
            entry.clear();
            entry.fieldId(each.id());
            entry.dataType(DataTypes.BUFFER);
            final Buffer value = CodecFactory.createBuffer();
            value.data(ByteBuffer.wrap(value(each)));
            entry.encodedData(value);
            assertThat(entry.encode(iterator)).isEqualTo(CodecReturnCodes.SUCCESS);
        }
        assertThat(list.encodeComplete(iterator, true)).isNotNegative();
        assertThat(message.encodeComplete(iterator, true)).isNotNegative();
        final Msg decoded = CodecFactory.createMsg();
        assertThat(decoded.decode(from(buffer))).isEqualTo(CodecReturnCodes.SUCCESS);
        return decoded;
    }

    private static byte[] value(final Field field) {
        final byte[] value = new byte[field.length()];
        java.util.Arrays.fill(value, (byte) (field.id() + field.length()));
        return value;
    }

    private ItemImage image(final List<Field> fields) {
        return codec.image(refresh(fields), Codec.majorVersion(), Codec.minorVersion());
    }

    /** The lengths by id, whose values must be right. */
    private Map<Integer, Integer> lengths(final ItemImage image) {
        final Buffer buffer = CodecFactory.createBuffer();
        assertThat(codec.encode(image, into(buffer))).isEqualTo(CodecReturnCodes.SUCCESS);
        final DecodeIterator iterator = from(buffer);
        final FieldList list = CodecFactory.createFieldList();
        assertThat(list.decode(iterator, null)).isEqualTo(CodecReturnCodes.SUCCESS);
        final FieldEntry entry = CodecFactory.createFieldEntry();
        final Map<Integer, Integer> lengths = new LinkedHashMap<>();
        while (entry.decode(iterator) == CodecReturnCodes.SUCCESS) {
            final byte[] value = new byte[entry.encodedData().length()];
            entry.encodedData().data().get(entry.encodedData().position(), value);
            assertThat(value).isEqualTo(value(new Field(entry.fieldId(), value.length)));
            lengths.put(entry.fieldId(), value.length);
        }
        return lengths;
    }

    private static List<Field> fields(final int firstLength) {
        final List<Field> fields = new ArrayList<>();
        fields.add(new Field(3, firstLength));
        while (fields.size() < FIELDS) {
            fields.add(new Field(-fields.size(), 5));
        }
        return fields;
    }

    @Test
    void shouldShareOneLayoutAmongItemsOfAKind() {
        for (int i = 0; i < 100; i++) {
            assertThat(lengths(image(fields(20 + i % 10)))).containsEntry(3, 20 + i % 10);
        }
        assertThat(codec.layouts().sharedFields()).isEqualTo(FIELDS);
    }

    /** Three strings of many lengths: 100,000 items of real data have that many kinds, and more. */
    @Test
    void shouldKeepABoundedNumberOfLayoutsWhereLengthsDiffer() {
        final int kinds = ImageLayouts.MOST_SHARED_FIELDS / FIELDS + 500;
        ItemImage last = null;
        final Map<Integer, Integer> wanted = new LinkedHashMap<>();
        for (int i = 0; i < kinds; i++) {
            final List<Field> fields = fields(16 * (1 + i % 20));
            fields.set(1, new Field(-1, 16 * (1 + i / 20 % 20)));
            fields.set(2, new Field(-2, 16 * (1 + i / 400)));
            last = image(fields);
            wanted.clear();
            fields.forEach(each -> wanted.put(each.id(), each.length()));
        }
        assertThat(codec.layouts().sharedFields())
                .isBetween(
                        ImageLayouts.MOST_SHARED_FIELDS - FIELDS, ImageLayouts.MOST_SHARED_FIELDS);
        assertThat(lengths(last)).isEqualTo(wanted);
        merge(last, new Field(-2, 400), new Field(77, 3), new Field(-5, 1));
        wanted.putAll(Map.of(-2, 400, 77, 3, -5, 1));
        assertThat(lengths(last)).isEqualTo(wanted);
    }

    private void merge(final ItemImage image, final Field... fields) {
        assertThat(
                        codec.merge(
                                image,
                                refresh(List.of(fields)),
                                Codec.majorVersion(),
                                Codec.minorVersion()))
                .isTrue();
    }

    @Test
    void shouldHoldTheLastValueOfAFieldThatIsNamedTwice() {
        final ItemImage image =
                image(List.of(new Field(1, 4), new Field(2, 5), new Field(1, 30), new Field(2, 3)));
        assertThat(lengths(image)).isEqualTo(Map.of(1, 30, 2, 3));
    }
}

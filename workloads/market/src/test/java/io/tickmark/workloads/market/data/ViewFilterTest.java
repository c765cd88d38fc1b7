package io.tickmark.workloads.market.data;

import static org.assertj.core.api.Assertions.assertThat;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.Codec;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.DecodeIterator;
import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.MsgClasses;
import com.refinitiv.eta.rdm.DomainTypes;
import io.tickmark.workloads.market.Books;
import io.tickmark.workloads.market.data.FieldView.ViewFilter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is left of messages of all kinds, read by the decoder of our consumer. */
class ViewFilterTest {
    private static final FieldDictionary DICTIONARY = FieldDictionary.own();
    private static final MessageFile FILE = MessageFile.own(DICTIONARY);
    private static final FieldView NUMBER_ALONE = new FieldView(List.of(Fields.UPDATE_SEQUENCE));

    private final ViewFilter filter = new ViewFilter();

    @TempDir private Path folder;

    private static Buffer image() {
        return image(FILE.messages(DomainTypes.MARKET_PRICE).refresh());
    }

    private Buffer book() throws IOException {
        return image(
                MessageFile.read(
                                Files.writeString(folder.resolve("books.xml"), Books.FILE),
                                DICTIONARY)
                        .messages(DomainTypes.MARKET_BY_ORDER)
                        .refresh());
    }

    private static Buffer image(final MessageTemplate template) {
        final Buffer buffer = CodecFactory.createBuffer();
        buffer.data(ByteBuffer.allocate(template.maxBytes(10)));
        final EncodeIterator iterator = CodecFactory.createEncodeIterator();
        iterator.setBufferAndRWFVersion(buffer, Codec.majorVersion(), Codec.minorVersion());
        final ImageHeader header = new ImageHeader().of(ImageHeader.nameOf("A"), 1).as(true, true);
        assertThat(
                        new MessageEncoder(DICTIONARY, TimeUnit.MICROSECONDS)
                                .refresh(iterator, template, 1, new Tracking().plain(7), header))
                .isEqualTo(CodecReturnCodes.SUCCESS);
        return buffer;
    }

    private static Buffer update(final int containerType) {
        final Msg message = CodecFactory.createMsg();
        message.msgClass(MsgClasses.UPDATE);
        message.domainType(DomainTypes.MARKET_PRICE);
        message.containerType(containerType);
        final Buffer body = CodecFactory.createBuffer();
        body.data(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        message.encodedDataBody(body);
        final Buffer buffer = CodecFactory.createBuffer();
        buffer.data(ByteBuffer.allocate(100));
        final EncodeIterator iterator = CodecFactory.createEncodeIterator();
        iterator.setBufferAndRWFVersion(buffer, Codec.majorVersion(), Codec.minorVersion());
        assertThat(message.encode(iterator)).isEqualTo(CodecReturnCodes.SUCCESS);
        return buffer;
    }

    private static PayloadDecoder decoded(final Buffer encoded) {
        final Msg message = CodecFactory.createMsg();
        final DecodeIterator iterator = CodecFactory.createDecodeIterator();
        iterator.setBufferAndRWFVersion(encoded, Codec.majorVersion(), Codec.minorVersion());
        assertThat(message.decode(iterator)).isEqualTo(CodecReturnCodes.SUCCESS);
        final PayloadDecoder decoder = new PayloadDecoder(DICTIONARY);
        assertThat(decoder.decode(message, Codec.majorVersion(), Codec.minorVersion()))
                .isGreaterThanOrEqualTo(CodecReturnCodes.SUCCESS);
        return decoder;
    }

    @Test
    void shouldFilterALongMessageAfterAShortOne() {
        final Buffer image = image();
        assertThat(filter.of(image, new FieldView(List.of(22))).length())
                .isLessThan(image.length() / 2);
        final Buffer again = filter.of(image, new FieldView(List.of(22, 25, 3, 5, 6, 11, 12)));
        assertThat(filter.isKept()).isTrue();
        assertThat(again.length()).isLessThan(image.length());
    }

    @Test
    void shouldFilterRowsOfABookWhoseFieldsAreInSets() throws IOException {
        final Buffer book = book();
        assertThat(decoded(book).sequence(MessageKind.REFRESH)).isEqualTo(7);
        final FieldView everyField = new FieldView(IntStream.range(0, 65_536).boxed().toList());
        assertThat(filter.of(book, everyField)).isSameAs(book);
        final Buffer prices = filter.of(book, new FieldView(List.of(3427, 3428, 3429)));
        assertThat(filter.isKept()).isTrue();
        assertThat(decoded(prices).fields()).isPositive();
        final Buffer left = filter.of(book, NUMBER_ALONE);
        assertThat(filter.isKept()).isTrue();
        assertThat(left.length()).isLessThan(book.length() / 2);
        assertThat(decoded(left).sequence(MessageKind.REFRESH)).isEqualTo(7);
    }

    @Test
    void shouldKeepAMessageOfWhichAllIsWanted() {
        final Buffer image = image();
        final Buffer left = filter.of(image, new FieldView(List.of(22, 25)));
        assertThat(filter.of(left, new FieldView(List.of(22, 25)))).isSameAs(left);
    }

    @Test
    void shouldSayThatFieldsCannotBeSeparated() {
        final Buffer image = image();
        final Buffer cut = CodecFactory.createBuffer();
        final byte[] bytes = new byte[image.length()];
        image.copy(bytes);
        cut.data(ByteBuffer.wrap(bytes));
        int failures = 0;
        for (int at = bytes.length - 12; at < bytes.length; at++) {
            final byte before = bytes[at];
            bytes[at] = 120; // where it is a length, that of more than is left
            filter.of(cut, new FieldView(List.of(22)));
            failures += filter.isKept() ? 0 : 1;
            bytes[at] = before;
        }
        assertThat(failures).isPositive();
    }

    @ParameterizedTest
    @ValueSource(ints = {DataTypes.VECTOR, DataTypes.SERIES, DataTypes.FILTER_LIST, DataTypes.MSG})
    void shouldSayThatItDoesNotLookIntoWhatMayHoldFields(final int containerType) {
        final Buffer update = update(containerType);
        assertThat(filter.of(update, NUMBER_ALONE)).isSameAs(update);
        assertThat(filter.isKept()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {DataTypes.OPAQUE, DataTypes.XML, DataTypes.JSON})
    void shouldTakeWhatHoldsNoFieldsForPartOfEveryView(final int containerType) {
        final Buffer update = update(containerType);
        assertThat(filter.of(update, NUMBER_ALONE)).isSameAs(update);
        assertThat(filter.isKept()).isTrue();
    }
}

package io.tickmark.workloads.market.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.refinitiv.eta.codec.Codec;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DecodeIterator;
import com.refinitiv.eta.codec.FieldEntry;
import com.refinitiv.eta.codec.FieldList;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.rdm.DomainTypes;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every primitive type from the file to the wire and back, read by the library alone. */
class PrimitiveTypesTest {
    private static final FieldDictionary DICTIONARY = FieldDictionary.own();

    private static final String EVERY_TYPE =
            """
            <fieldEntry fieldId="-3911" dataType="RSSL_DT_INT" data="-42"/>
            <fieldEntry fieldId="1" dataType="RSSL_DT_UINT" data="18446744073709551615"/>
            <fieldEntry fieldId="-3912" dataType="RSSL_DT_FLOAT" data="1.5"/>
            <fieldEntry fieldId="-3913" dataType="RSSL_DT_DOUBLE" data="-2.25"/>
            <fieldEntry fieldId="22" dataType="RSSL_DT_REAL" data="2848.560000"/>
            <fieldEntry fieldId="16" dataType="RSSL_DT_DATE" data="11/15/2005"/>
            <fieldEntry fieldId="5" dataType="RSSL_DT_TIME" data=" 15:52:12:003:007:001"/>
            <fieldEntry fieldId="-3914" dataType="RSSL_DT_DATETIME" data="15 NOV 2005 23:28:34:000"/>
            <fieldEntry fieldId="-3915" dataType="RSSL_DT_QOS" qosTimeliness="RSSL_QOS_TIME_REALTIME"
              qosRate="RSSL_QOS_RATE_TICK_BY_TICK"/>
            <fieldEntry fieldId="-3916" dataType="RSSL_DT_STATE" streamState="RSSL_STREAM_OPEN"
              dataState="RSSL_DATA_SUSPECT" code="1" text="gone"/>
            <fieldEntry fieldId="4" dataType="RSSL_DT_ENUM" data="12"/>
            <fieldEntry fieldId="-3917" dataType="RSSL_DT_BUFFER" data="bytes"/>
            <fieldEntry fieldId="-3918" dataType="RSSL_DT_ASCII_STRING" data="ascii"/>
            <fieldEntry fieldId="-3919" dataType="RSSL_DT_UTF8_STRING" data="Größe"/>
            <fieldEntry fieldId="-3920" dataType="RSSL_DT_RMTES_STRING" data="rmtes"/>
            <fieldEntry fieldId="25" dataType="RSSL_DT_REAL" data=""/>
            <fieldEntry fieldId="18" dataType="RSSL_DT_TIME" data=""/>
            """;

    @TempDir Path folder;

    private Wire encoded(final String fields) throws IOException {
        final MessageTemplate refresh =
                MessageFile.read(
                                Files.writeString(
                                        folder.resolve("messages.xml"),
                                        MessageFileTest.file(fields)),
                                DICTIONARY)
                        .messages(DomainTypes.MARKET_PRICE)
                        .refresh();
        final ImageHeader header = new ImageHeader().of(ImageHeader.nameOf("A"), 1).as(true, true);
        final MessageEncoder encoder = new MessageEncoder(DICTIONARY, TimeUnit.MICROSECONDS);
        return new Wire()
                .write(
                        refresh.maxBytes(1),
                        it -> encoder.refresh(it, refresh, 1, new Tracking().plain(0), header));
    }

    /** What the library reads, as text by field. */
    private static Map<Integer, String> read(final Wire wire) {
        final Msg message = wire.read();
        final DecodeIterator iterator = CodecFactory.createDecodeIterator();
        iterator.setBufferAndRWFVersion(
                message.encodedDataBody(), Codec.majorVersion(), Codec.minorVersion());
        final FieldList list = CodecFactory.createFieldList();
        final FieldEntry entry = CodecFactory.createFieldEntry();
        assertThat(list.decode(iterator, null)).isEqualTo(CodecReturnCodes.SUCCESS);
        final Map<Integer, String> fields = new LinkedHashMap<>();
        while (entry.decode(iterator) != CodecReturnCodes.END_OF_CONTAINER) {
            fields.put(entry.fieldId(), DecodedText.of(DICTIONARY, entry, iterator));
        }
        return fields;
    }

    @Test
    void shouldCarryEveryPrimitiveType() throws IOException {
        assertThat(read(encoded(EVERY_TYPE)))
                .containsEntry(-3911, "-42")
                .containsEntry(1, "18446744073709551615")
                .containsEntry(-3912, "1.5")
                .containsEntry(-3913, "-2.25")
                .containsEntry(22, "2848.56")
                .containsEntry(16, "2005-11-15")
                .containsEntry(5, "15:52:12.003007001")
                .containsEntry(-3914, "2005-11-15 23:28:34")
                .containsEntry(-3915, "1/1")
                .containsEntry(-3916, "1/2/1/gone")
                .containsEntry(4, "12")
                .containsEntry(-3917, "bytes")
                .containsEntry(-3918, "ascii")
                .containsEntry(-3919, "Größe")
                .containsEntry(-3920, "rmtes")
                .containsEntry(25, "blank")
                .containsEntry(18, "blank")
                .hasSize(17);
    }

    @Test
    void shouldDecodeEveryPrimitiveType() throws IOException {
        final PayloadDecoder decoder = new PayloadDecoder(DICTIONARY);

        encoded(EVERY_TYPE).read(decoder);

        assertThat(decoder.fields()).isEqualTo(17);
        assertThat(decoder.unknownFields()).isZero();
    }

    @Test
    void shouldRefuseAQualityOfServiceThatSpecifiesNothing() {
        assertThatThrownBy(() ->
                        encoded(
                                "<fieldEntry fieldId='-3915' dataType='RSSL_DT_QOS'"
                                        + " qosTimeliness='RSSL_QOS_TIME_UNSPECIFIED'/>"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("must specify qosTimeliness and qosRate");
    }
}

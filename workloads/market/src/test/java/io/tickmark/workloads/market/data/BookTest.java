package io.tickmark.workloads.market.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.refinitiv.ema.access.MapEntry;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.rdm.DomainTypes;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.market.Books;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Order books: maps with field sets, as in the guide's section on MarketByOrder. */
class BookTest {
    private static final FieldDictionary DICTIONARY = FieldDictionary.own();

    private final MessageEncoder encoder = new MessageEncoder(DICTIONARY, TimeUnit.MICROSECONDS);
    private final PayloadDecoder decoder = new PayloadDecoder(DICTIONARY);

    @TempDir Path folder;

    private MessageFile.Messages read(final String text) throws IOException {
        return MessageFile.read(Files.writeString(folder.resolve("books.xml"), text), DICTIONARY)
                .messages(DomainTypes.MARKET_BY_ORDER);
    }

    @Test
    void shouldCarryABookWithFieldSets() throws IOException {
        final MessageTemplate refresh = read(Books.FILE).refresh();
        final ImageHeader header = new ImageHeader().of(ImageHeader.nameOf("A"), 1).as(true, true);

        final Msg read =
                new Wire()
                        .write(
                                refresh.maxBytes(1),
                                it ->
                                        encoder.refresh(
                                                it, refresh, 1, new Tracking().plain(4), header))
                        .read(decoder);

        assertThat(read.domainType()).isEqualTo(DomainTypes.MARKET_BY_ORDER);
        assertThat(decoder.fields()).isEqualTo(5 + 6 + 1);
        assertThat(decoder.sequence(MessageKind.REFRESH)).isEqualTo(4);
    }

    @Test
    void shouldCarryTimesOfABookInItsSummary() throws IOException {
        final MessageTemplate update = read(Books.FILE).updates().getFirst();

        new Wire()
                .write(
                        update.maxBytes(0),
                        it -> encoder.update(it, update, 1, new Tracking().timed(5, 7_000, 6_999)))
                .read(decoder);

        assertThat(decoder.fields()).isEqualTo(1 + 4);
        assertThat(decoder.taken(MessageKind.UPDATE)).isEqualTo(7);
        assertThat(decoder.intendedNs()).isEqualTo(6_999);
        assertThat(decoder.sequence(MessageKind.UPDATE)).isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource({"70000", "''"})
    void shouldNameTheLineOfAValueThatDoesNotFitTheTypeOfItsSet(final String value) {
        assertThatThrownBy(() -> read(Books.FILE.replace("data=\"500\"", "data=\"" + value + "\"")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(
                        "books.xml line 16: the <mapEntry> that ends here cannot be sent")
                .hasMessageContaining("its field set");
    }

    @Test
    void shouldNameTheLineOfAMessageWithATextThatIsTooLong() {
        assertThatThrownBy(() ->
                        read(
                                Books.FILE.replace(
                                        "data=\"MarketMaker1\"",
                                        "data=\"" + "x".repeat(70_000) + "\"")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(
                        "books.xml line 16: the <mapEntry> that ends here cannot be sent");
    }

    @ParameterizedTest
    @CsvSource({
        "INT,-5",
        "UINT,5",
        "FLOAT,1.5",
        "DOUBLE,1.5",
        "REAL,1.5",
        "DATE,20 NOV 2026",
        "TIME,14:32:11",
        "DATETIME,20 NOV 2026 14:32:11",
        "ENUM,5",
        "BUFFER,a",
        "ASCII_STRING,a",
        "UTF8_STRING,a",
        "RMTES_STRING,a"
    })
    void shouldCarryKeysOfEachType(final String type, final String key) throws IOException {
        final MessageTemplate update =
                read(Books.FILE
                                .replace("<map>", "<map keyPrimitiveType=\"RSSL_DT_" + type + "\">")
                                .replaceAll("key=\"\\d+\"", "key=\"" + key + "\""))
                        .updates()
                        .getFirst();
        new Wire()
                .write(
                        update.maxBytes(0),
                        it -> encoder.update(it, update, 1, new Tracking().plain(5)))
                .read(decoder);
        assertThat(decoder.fields()).isEqualTo(1 + 1);
        final MapEntry row =
                ((com.refinitiv.ema.access.Map)
                                new EmaContent(DICTIONARY, TimeUnit.MICROSECONDS)
                                        .of(update, new Tracking().plain(5)))
                        .iterator()
                        .next();
        assertThat(row.action()).isEqualTo(MapEntry.MapAction.UPDATE);
    }

    @Test
    void shouldNameTheLineOfAListThatDoesNotFitItsSet() {
        assertThatThrownBy(
                        () -> read(Books.FILE.replaceFirst("<fieldEntry fieldId=\"3429\".*\n", "")))
                .hasMessageContaining("books.xml line 15: field set 0 has field 3429 in place 2");
        assertThatThrownBy(() ->
                        read(
                                Books.FILE.replaceFirst(
                                        "fieldList setId=\"0\"", "fieldList setId=\"3\"")))
                .hasMessageContaining("field set 3 is not defined");
        assertThatThrownBy(() -> read(Books.FILE.replace("MPEA_DELETE", "MPEA_DROP")))
                .hasMessageContaining("action=\"RSSL_MPEA_DROP_ENTRY\" is not known");
    }
}

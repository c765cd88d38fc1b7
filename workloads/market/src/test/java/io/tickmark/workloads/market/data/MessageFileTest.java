package io.tickmark.workloads.market.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.refinitiv.eta.rdm.DomainTypes;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class MessageFileTest {
    private static final FieldDictionary DICTIONARY = FieldDictionary.own();

    /** A list of one refresh and one update, with the fields given in the refresh's line 5. */
    static String file(final String fields) {
        return """
        <msgFormat>
        <marketPriceMsgList>
        <refreshMsg><dataBody>
        <fieldList entryCount="1">
        %s
        </fieldList></dataBody></refreshMsg>
        <updateMsg><dataBody><fieldList/></dataBody></updateMsg>
        </marketPriceMsgList>
        </msgFormat>
        """
                .formatted(fields);
    }

    /** In no name of a temporary folder, which holds random digits and appears in messages. */
    private static final String SECRET = "what nobody is to read";

    @TempDir Path folder;

    private MessageFile read(final String text) throws IOException {
        return MessageFile.read(
                Files.writeString(folder.resolve("messages.xml"), text), DICTIONARY);
    }

    @Test
    void shouldReadTheFileThatComesWithTickmark() {
        final MessageFile.Messages messages =
                MessageFile.own(DICTIONARY).messages(DomainTypes.MARKET_PRICE);

        assertThat(messages.updates()).hasSize(2);
        assertThat(messages.posts()).hasSize(2);
        assertThat(messages.generics()).hasSize(2);
        assertThat(messages.refresh().kind()).isEqualTo(MessageKind.REFRESH);
    }

    @Test
    void shouldNameTheLineOfAMessageThatNoMessageOfTheApiCanHold() {
        final String text =
                "<fieldEntry fieldId=\"3\" dataType=\"RSSL_DT_RMTES_STRING\" data=\"%s\"/>"
                        .formatted("x".repeat(70_000));
        assertThatThrownBy(() -> read(file(text)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(
                        "messages.xml line 6: the <refreshMsg> that ends here cannot be sent")
                .hasMessageContaining("too long");
    }

    @Test
    void shouldReadTheGuidesFormatWithPostsThatHoldUpdates() throws IOException {
        final MessageFile file =
                read(
                        """
                        <?xml version="1.0"?>
                        <!-- a comment -->
                        <msgFormat><marketPriceMsgList updateMsgCount="1" postMsgCount="2">
                        <refreshMsg><dataBody><fieldList entryCount="1">
                          <fieldEntry fieldId="22" dataType="RSSL_DT_REAL" data="1.5"/>
                        </fieldList></dataBody></refreshMsg>
                        <updateMsg><dataBody><fieldList/></dataBody></updateMsg>
                        <postMsg><updateMsg><dataBody><fieldList/></dataBody></updateMsg></postMsg>
                        <postMsg><dataBody><fieldList/></dataBody></postMsg>
                        <genericMsg><dataBody><fieldList/></dataBody></genericMsg>
                        </marketPriceMsgList></msgFormat>
                        """);

        assertThat(file.messages(DomainTypes.MARKET_PRICE).posts()).hasSize(2);
        assertThat(file.messages(DomainTypes.MARKET_PRICE).generics()).hasSize(1);
        assertThat(file.has(DomainTypes.MARKET_BY_ORDER)).isFalse();
    }

    static Stream<Arguments> wrongFields() {
        return Stream.of(
                Arguments.of(
                        "<fieldEntry fieldId='22' dataType='RSSL_DT_UINT' data='1'/>",
                        "line 5: field 22 is RSSL_DT_UINT here and RSSL_DT_REAL in the field"
                                + " dictionary."),
                Arguments.of(
                        "<fieldEntry fieldId='4711' dataType='RSSL_DT_UINT' data='1'/>",
                        "line 5: field 4711 is not in the field dictionary"),
                Arguments.of(
                        "<fieldEntry fieldId='3902' dataType='RSSL_DT_UINT' data='1'/>",
                        "line 5: field 3902 carries the times"),
                Arguments.of(
                        "<fieldEntry fieldId='22' dataType='RSSL_DT_REAL' data='x'/>",
                        "line 5: data=\"x\" of field 22 is not of type RSSL_DT_REAL."),
                Arguments.of(
                        "<fieldEntry fieldId='16' dataType='RSSL_DT_DATE' data='31 FEB 2026'/>",
                        "line 5: data=\"31 FEB 2026\" of field 16 is not of type RSSL_DT_DATE."),
                Arguments.of(
                        "<fieldEntry fieldId='1' dataType='RSSL_DT_UINT' data='-1'/>",
                        "line 5: data=\"-1\" of field 1 is not of type RSSL_DT_UINT."),
                Arguments.of(
                        "<fieldEntry fieldId='22' dataType='RSSL_DT_PRICE' data='1'/>",
                        "line 5: dataType=\"RSSL_DT_PRICE\" is not known; use one of"
                                + " RSSL_DT_ASCII_STRING"),
                Arguments.of(
                        "<fieldEntry fieldId='22' dataType='RSSL_DT_REAL'/>",
                        "line 5: <fieldEntry> has no data=\"...\"."),
                Arguments.of(
                        "<fieldEntry fieldId='40000' dataType='RSSL_DT_REAL' data='1'/>",
                        "line 5: fieldId=\"40000\" is not a whole number from -32768 to 32767."),
                Arguments.of("<field/>", "line 5: <field> is not expected among the fields"),
                Arguments.of("22=1.5", "line 6: there is text between the elements: \"22=1.5\"."),
                Arguments.of("<fieldEntry", "this is not well-formed XML"));
    }

    @ParameterizedTest
    @MethodSource("wrongFields")
    void shouldNameFileAndLineOfAWrongField(final String field, final String sentence) {
        assertThatThrownBy(() -> read(file(field)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("messages.xml line ")
                .hasMessageContaining(sentence);
    }

    @Test
    void shouldRefuseDocumentTypesSoThatNoEntityIsEverRead() throws IOException {
        final Path secret = Files.writeString(folder.resolve("secret.txt"), SECRET);
        final String entity =
                "<!DOCTYPE msgFormat [<!ENTITY e SYSTEM \"%s\">]>\n".formatted(secret.toUri())
                        + file("<fieldEntry fieldId='1' dataType='RSSL_DT_UINT' data='1'/>&e;");

        assertThatThrownBy(() -> read(entity))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("document types and entities are not supported")
                .hasMessageNotContaining(SECRET);
    }

    @Test
    void shouldAskForARefreshAndAnUpdate() {
        assertThatThrownBy(() ->
                        read(
                                "<msgFormat><marketPriceMsgList>"
                                        + "</marketPriceMsgList></msgFormat>"))
                .hasMessageContaining("needs one <refreshMsg> and at least one <updateMsg>");
        assertThatThrownBy(() -> read("<itemList/>"))
                .hasMessageContaining("line 1: this is <itemList>, not the <msgFormat>");
    }

    @Test
    void shouldSayWhichOptionNeedsAMessageThatTheFileLacks() throws IOException {
        final MessageFile file = read(file(""));

        assertThatThrownBy(() ->
                        file.need(DomainTypes.MARKET_PRICE, MessageKind.POST, "--posting-rate"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("there is no <postMsg> for the domain MARKET_PRICE")
                .hasMessageContaining("which --posting-rate needs");
        assertThatThrownBy(() -> file.messages(DomainTypes.MARKET_BY_ORDER))
                .hasMessageContaining("no messages for the domain MARKET_BY_ORDER");
    }

    @Test
    void shouldNameAFileThatIsNotThere() {
        assertThatThrownBy(() -> MessageFile.read(folder.resolve("none.xml"), DICTIONARY))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("none.xml: there is no such file")
                .hasMessageContaining("--message-file");
    }
}

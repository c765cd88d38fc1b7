package io.tickmark.workloads.fix.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FixTemplateTest {
    private static final String TEXT =
            "8=FIX.4.2|9=5|35=W|49=A|56=B|34=7|52=x|262=1|55=IBM|268=1|269=0|270=1|10=000|";

    @TempDir Path folder;

    private static String text(final byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1).replace('\u0001', '|');
    }

    @Test
    void shouldKeepTypeAndFieldsBehindTheHeader() {
        final FixTemplate template = FixTemplate.parse(TEXT, "file");
        assertThat(text(template.type())).isEqualTo("W");
        assertThat(text(template.fields())).isEqualTo("262=1|55=IBM|268=1|269=0|270=1|");
    }

    @Test
    void shouldReadSohAsWell() {
        final FixTemplate template = FixTemplate.parse(TEXT.replace('|', '\u0001') + "\n", "file");
        assertThat(text(template.fields())).isEqualTo("262=1|55=IBM|268=1|269=0|270=1|");
    }

    @Test
    void shouldPutANumberedSymbolFirst() {
        final FixTemplate template = FixTemplate.parse(TEXT, "file");
        assertThat(text(template.fieldsWithNumberedSymbol()))
                .isEqualTo("55=SYM000000|262=1|268=1|269=0|270=1|");
    }

    @Test
    void shouldNotSendTheFieldsOfALoadTwice() {
        final FixTemplate template =
                FixTemplate.parse("35=W|9700=Y|9703=5|9705=ab|55=IBM|268=0|9706=mine|", "file");
        assertThat(text(template.fields())).isEqualTo("55=IBM|268=0|9706=mine|");
    }

    @Test
    void shouldReadTheFileOfAUserAndItsOwn() throws Exception {
        final Path file = Files.writeString(folder.resolve("message.fix"), TEXT);
        assertThat(text(FixTemplate.read(file.toString()).fields())).startsWith("262=1|");
        assertThat(text(FixTemplate.read("").fields())).contains("|268=10|269=0|");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "35=W|55|268=0|; is expected at byte 5, not '55'",
                "35=W|x=1|; is expected at byte 5",
                "35=W|55=|; is expected at byte 5",
                "55=IBM|; has no message type",
                "35=W|49=A|; has no message type (35=) or no fields after the header",
                "35=W|55=A|10=000|8=FIX.4.4|35=W|55=B|; holds more than one message",
                "35=0|112=x|; 35=0 is a message of the session itself",
            })
    void shouldSayWhatIsWrong(final String text, final String sentence) {
        assertThatThrownBy(() -> FixTemplate.parse(text, "some.fix"))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("--message some.fix: ")
                .hasMessageContaining(sentence);
    }

    @Test
    void shouldSayThatThereIsNoFile() {
        assertThatThrownBy(() -> FixTemplate.read(folder.resolve("none").toString()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("cannot be read");
    }
}

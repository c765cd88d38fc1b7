package io.tickmark.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is put into the page's elements. */
class HtmlFileTest {
    @ParameterizedTest
    @ValueSource(strings = {"'</script>'", "a</b></SCRIPT x", "</Script"})
    void shouldRefuseAScriptThatWouldEndItsOwnElement(final String script) {
        assertThatThrownBy(() -> HtmlFile.inlined(script, "script"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the built page would end its own script");
    }

    @Test
    void shouldTakeAScriptThatEndsOtherElements() {
        final String script = "'</div></scr' + '</style>' + 'ipt'";

        assertThat(HtmlFile.inlined(script, "script")).isEqualTo(script);
    }
}

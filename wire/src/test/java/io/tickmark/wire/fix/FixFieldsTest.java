package io.tickmark.wire.fix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FixFieldsTest {
    private final FixFields fields = new FixFields();

    @Test
    void shouldGoThroughFieldsInOrder() {
        final UnsafeBuffer bytes = FixText.buffer("..35=W|55=EUR|58=|9002=a=b|");
        final List<String> seen = new ArrayList<>();
        fields.wrap(bytes, 2, bytes.capacity());
        while (fields.next()) {
            seen.add(fields.tag() + " " + value(bytes));
        }

        assertThat(seen).containsExactly("35 W", "55 EUR", "58 ", "9002 a=b");
        assertThat(fields.isMalformed()).isFalse();
        assertThat(fields.position()).isEqualTo(bytes.capacity());
    }

    @ParameterizedTest
    @CsvSource({"x=1|", "=1|", "35|", "35=W", "0=1|", "999999999=1|", "-5=1|", "3 5=1|"})
    void shouldStopAtWhatIsNoField(final String text) {
        final UnsafeBuffer bytes = FixText.buffer("49=A|" + text);
        fields.wrap(bytes, 0, bytes.capacity());

        assertThat(fields.next()).isTrue();
        assertThat(fields.next()).isFalse();
        assertThat(fields.isMalformed()).isTrue();
        assertThat(fields.position()).isEqualTo(5);
    }

    @Test
    void shouldTakeDataWithFieldEndsInIt() {
        final UnsafeBuffer bytes = FixText.buffer("95=5|96=a|b|c|58=x|");
        fields.wrap(bytes, 0, bytes.capacity());
        fields.next();
        fields.next();

        assertThat(fields.skipTo(5)).isTrue();
        assertThat(value(bytes)).isEqualTo("a\u0001b\u0001c");
        assertThat(fields.next()).isTrue();
        assertThat(fields.tag()).isEqualTo(58);
    }

    @ParameterizedTest
    @CsvSource({"-1", "2", "9", "10", "2147483647"})
    void shouldRefuseDataThatDoesNotEndWithAFieldEnd(final int length) {
        final UnsafeBuffer bytes = FixText.buffer("96=a|b|c|d|");
        fields.wrap(bytes, 0, bytes.capacity());
        fields.next();

        assertThat(fields.skipTo(length)).isFalse();
        assertThat(fields.isMalformed()).isTrue();
        assertThat(fields.next()).isFalse();
    }

    private String value(final UnsafeBuffer bytes) {
        return bytes.getStringWithoutLengthAscii(fields.valueBegin(), fields.valueLength());
    }
}

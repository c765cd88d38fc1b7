package io.tickmark.kernel.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class NearestWordTest {
    private static final List<String> KNOWN = List.of("batch", "payloadBytes", "ttl");

    @Test
    void shouldFindAWordInSpiteOfATypo() {
        assertThat(NearestWord.to("bacth", KNOWN)).contains("batch");
        assertThat(NearestWord.to("payload-bytes", KNOWN)).contains("payloadBytes");
        assertThat(NearestWord.to("TTL", KNOWN)).contains("ttl");
    }

    @Test
    void shouldNotGuessWhereNothingIsNear() {
        assertThat(NearestWord.to("multicast", KNOWN)).isEmpty();
        assertThat(NearestWord.to("x".repeat(100_000), KNOWN)).isEmpty();
        assertThat(NearestWord.to("ttl", List.of())).isEmpty();
    }

    /** A line of hundreds of words is too long to read. */
    @Test
    void shouldNameAFewOfManyWords() {
        final java.util.List<String> many =
                java.util.stream.IntStream.range(0, 250)
                        .mapToObj(i -> i == 99 ? "payloadBytes" : "setting" + i)
                        .toList();

        assertThat(NearestWord.hint("paylodBytes", many)).isEqualTo("did you mean payloadBytes?");
        assertThat(NearestWord.hint("bytes", many))
                .startsWith("nearest of 250 are payloadBytes, ")
                .hasSizeLessThan(100);
        assertThat(NearestWord.hint("x", java.util.List.of("one", "two")))
                .isEqualTo("known are one, two.");
    }
}

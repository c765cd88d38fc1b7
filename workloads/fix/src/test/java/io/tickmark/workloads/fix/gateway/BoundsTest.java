package io.tickmark.workloads.fix.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Limits of the memory that arbitrary symbols, long messages and many requests may use. */
class BoundsTest {
    private static FanOutMessage message(final String symbol, final int length) {
        final byte[] body = new byte[length];
        final byte[] text = symbol.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(text, 0, body, 0, text.length);
        final FanOutMessage message = new FanOutMessage();
        message.set(body, 0, length, 0, text.length, -1, 0);
        return message;
    }

    @Test
    void shouldKeepTheNewestMessagesUpToABound() {
        final Book book = new Book(1000);
        final int a = book.update(message("A", 600));
        final int b = book.update(message("B", 600));
        assertThat(book.newest(a)).isNotNull();
        assertThat(b).isNotEqualTo(a);
        assertThat(book.newest(b)).as("no room").isNull();

        book.update(message("A", 500));
        assertThat(book.newest(a).body().length()).isEqualTo(500);
        book.update(message("A", 1001));
        assertThat(book.newest(a)).as("the one before is not the newest").isNull();
        book.update(message("B", 600));
        assertThat(book.newest(b)).as("there is room again").isNotNull();
    }

    @Test
    void shouldBoundTheBytesOfSymbols() {
        final Book.SymbolTable symbols = new Book.SymbolTable();
        final byte[] text = new byte[Book.SymbolTable.MOST_BYTES / 8];
        for (int i = 0; i < 8; i++) {
            text[0] = (byte) i;
            assertThat(symbols.idOf(text, 0, text.length)).isEqualTo(i);
        }
        text[0] = 8;
        assertThat(symbols.idOf(text, 0, text.length)).isEqualTo(-1);
        text[0] = 7;
        assertThat(symbols.idOf(text, 0, text.length)).as("known").isEqualTo(7);
    }

    @Test
    void shouldBoundTheSymbolsOfAllRequestsOfASession() {
        final SubscriptionList subscriptions = new SubscriptionList();
        subscriptions.add("many", new int[SubscriptionList.MOST_SYMBOLS - 1], false);
        assertThat(subscriptions.isTooMuch(1)).isFalse();
        assertThat(subscriptions.isTooMuch(2)).isTrue();

        subscriptions.remove("many");
        assertThat(subscriptions.isTooMuch(SubscriptionList.MOST_SYMBOLS)).isFalse();
    }
}

package io.tickmark.workloads.market.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.market.Books;
import io.tickmark.workloads.market.RunningRoles;
import io.tickmark.workloads.market.consumer.MarketConsumer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rates of messages for which the message file or the item list has nothing. */
class MessageContentTest {
    @TempDir private Path folder;

    private Path books;

    @BeforeEach
    void writeMessages() throws IOException {
        books = Files.writeString(folder.resolve("books.xml"), Books.FILE);
    }

    private Map<String, Object> consumer(final String itemFlags, final String rate)
            throws IOException {
        final Path list =
                Files.writeString(
                        folder.resolve("items.xml"),
                        """
                        <itemList>
                          <item domain="MarketByOrder" name="BOOK1"/>
                          <item domain="MarketByOrder" name="BOOK2" %s/>
                        </itemList>
                        """
                                .formatted(itemFlags));
        final Map<String, Object> settings = new HashMap<>();
        settings.put("itemCount", 2);
        settings.put("itemFile", list.toString());
        settings.put("messageFile", books.toString());
        settings.put("steadyStateTime", "5s");
        settings.put(rate, 1000);
        return settings;
    }

    @ParameterizedTest
    @CsvSource({
        "postingRate,--posting-rate,post",
        "genericMsgRate,--generic-msg-rate,genMsg",
    })
    void shouldRefuseARateForWhichNoItemIsOpen(
            final String rate, final String option, final String flag) throws Exception {
        try (RunningRoles roles = new RunningRoles()) {
            final Map<String, Object> settings = consumer("", rate);
            assertThatThrownBy(() -> roles.start(new MarketConsumer.Factory(), settings))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining(option + " is 1000, but none of the 2 items of")
                    .hasMessageContaining(flag + "=\"true\"");
        }
    }

    /**
     * It is seen once the dictionary is known, and is bad input even then. The provider ends when
     * the consumer has closed its connection, or a minute later, when pings are missed.
     */
    @Timeout(50)
    @ParameterizedTest
    @CsvSource({
        "eta,postingRate,post,postMsg",
        "ema,postingRate,post,postMsg",
        "eta,genericMsgRate,genMsg,genMsg",
    })
    void shouldRefuseAMessageFileWithoutContentForAnItem(
            final String api, final String rate, final String flag, final String element)
            throws Exception {
        try (RunningRoles roles = new RunningRoles()) {
            final RunningRoles.StartedRole providing =
                    roles.start(
                            new MarketProvider.Factory(),
                            Map.of(
                                    "port",
                                    0,
                                    "updateRate",
                                    0,
                                    "messageFile",
                                    books.toString(),
                                    "endWithConsumers",
                                    true));
            final Map<String, Object> settings = consumer(flag + "=\"true\"", rate);
            settings.put("api", api);
            final RunningRoles.StartedRole consuming =
                    roles.start(new MarketConsumer.Factory(), settings);
            assertThatThrownBy(consuming::result)
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOfSatisfying(
                            UserError.class,
                            error -> assertThat(error.kind()).isEqualTo(UserError.Kind.USAGE))
                    .hasMessageContaining("books.xml: there is no <" + element + ">");
            assertThat(providing.result().metrics()).containsEntry("connections", 1L);
        }
    }

    @Test
    void shouldRefuseToProvideGenericMessagesThatADomainHasNot() throws Exception {
        try (RunningRoles roles = new RunningRoles()) {
            final Map<String, Object> settings =
                    Map.of("port", 0, "genericMsgRate", 1000, "messageFile", books.toString());
            assertThatThrownBy(() -> roles.start(new MarketProvider.Factory(), settings))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("no <genMsg> for the domain MARKET_BY_ORDER");
        }
    }
}

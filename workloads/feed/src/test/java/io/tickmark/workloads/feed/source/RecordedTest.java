package io.tickmark.workloads.feed.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.feed.source.FeedPlan.Recorded;
import io.tickmark.workloads.feed.tick.Tick;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordedTest {
    private static final String HEAD = "symbol,bid,ask,last,size\n";

    private static Recorded read(final String text) throws IOException {
        return Recorded.read(new BufferedReader(new StringReader(text)), "prices.csv");
    }

    @Test
    void shouldReplayTheFileAgainAndAgain() throws IOException {
        final Recorded recorded = read(HEAD + "ABC,10.01,10.03,10.02,300\nXYZ,5,6,5.5,100\n");
        assertThat(recorded.names()).isEqualTo(List.of("ABC", "XYZ"));
        final FeedPlan.ReplayedPrices prices = new FeedPlan.ReplayedPrices(recorded, 1, 0);
        final UnsafeBuffer message = new UnsafeBuffer(new byte[Tick.LENGTH]);
        for (int i = 0; i < 3; i++) {
            prices.next(message, 0);
        }
        assertThat(Tick.symbol(message, 0)).isZero();
        assertThat(Tick.sequence(message, 0)).isEqualTo(2);
        assertThat(Tick.bid(message, 0)).isEqualTo(1001);
        assertThat(Tick.last(message, 0)).isEqualTo(1002);
        assertThat(Tick.volume(message, 0)).isEqualTo(600);
    }

    @Test
    void shouldDivideTheSymbolsAmongThreads() throws IOException {
        final Recorded recorded = read(HEAD + "A,1,2,1,1\nB,1,2,1,1\nC,1,2,1,1\n");
        final FeedPlan.ReplayedPrices second = new FeedPlan.ReplayedPrices(recorded, 2, 1);
        final UnsafeBuffer message = new UnsafeBuffer(new byte[Tick.LENGTH]);
        for (int i = 0; i < 4; i++) {
            second.next(message, 0);
            assertThat(Tick.symbol(message, 0)).isEqualTo(1);
        }
    }

    @Test
    void shouldServeExactlyWhatTheFileSays() throws IOException {
        final Recorded recorded =
                read(HEAD + "A,1.1300,0.29,19999999.99,2e2\nB, 0 ,20000000,1.15,300.0\n");
        assertThat(recorded.messages())
                .containsExactly(
                        new Recorded.Message(0, 113, 29, 1_999_999_999, 200),
                        new Recorded.Message(1, 0, 2_000_000_000, 115, 300));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nothing|line 1: must be 'symbol,bid,ask,last,size'",
                "symbol,bid,ask,last,size|holds no message",
                "symbol,bid,ask,last,size;ABC,1,2,3|line 2: must be a symbol and four numbers",
                "symbol,bid,ask,last,size;ABC,1,2,3,4;X,1,two,3,4|line 3: 'two' is not a number",
                "symbol,bid,ask,last,size;ABC,-1,2,3,4|line 2: '-1' is not a number",
                "symbol,bid,ask,last,size;A,1,2,3,1e999999999|line 2: '1e999999999' is not a number from 0 to 20000000.",
                "symbol,bid,ask,last,size;A,1,2,3,4;EURUSD,1.08512,1.09,1.09,4|line 3: '1.08512' has more than two decimals",
                "symbol,bid,ask,last,size;A,1,2.001,3,4|line 2: '2.001' has more than two decimals",
                "symbol,bid,ask,last,size;A,1,2,1e-3,4|line 2: '1e-3' has more than two decimals",
                "symbol,bid,ask,last,size;A,1,2,3,0.5|line 2: '0.5' is not a whole number"
            })
    void shouldNameTheLineThatIsWrong(final String lines, final String words) {
        assertThatThrownBy(() -> read(lines.replace(';', '\n')))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("prices.csv")
                .hasMessageContaining(words);
    }
}

package io.tickmark.workloads.market.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.data.MessageTemplate;
import io.tickmark.workloads.market.data.Tracking;
import io.tickmark.workloads.market.measure.TickBursts;
import org.junit.jupiter.api.Test;

class ItemFeedTest {
    private static final int RATE = 1000;
    private static final int TICK_RATE = 100;
    private static final int BURST = RATE / TICK_RATE;
    private static final long SECOND_NS = 1_000_000_000L;

    private final MessageFile.Messages messages =
            MessageFile.own(FieldDictionary.own()).messages(6);
    private final ItemFeed feed =
            new ItemFeed(
                    () -> 0,
                    new TickBursts(RATE, 0, TICK_RATE, 1),
                    new TickBursts(RATE, 0, TICK_RATE, 1));
    private final Sink sink = new Sink();

    /** Takes everything. */
    private static final class Sink implements FeedSink {
        @Override
        public boolean image(final SentItem item, final Tracking tracking) {
            return true;
        }

        @Override
        public boolean message(
                final SentItem item, final MessageTemplate template, final Tracking tracking) {
            return true;
        }

        @Override
        public void flush() {}
    }

    private SentItem wanted(final int stream) {
        final SentItem item = new SentItem(stream, "ITEM" + stream, messages, true);
        feed.wantImage(item, true);
        return item;
    }

    private SentItem opened(final int stream) {
        final SentItem item = wanted(stream);
        feed.sendImages(sink, 1);
        return item;
    }

    @Test
    void shouldOweNothingOfTheTimeInWhichNoItemWasOpen() {
        final SentItem first = opened(1);
        feed.sendBursts(sink, 0, TickBursts.MOST_IN_A_TURN);
        assertThat(feed.updatesSent()).isEqualTo(BURST);

        feed.remove(first);
        feed.sendBursts(sink, SECOND_NS / 2, TickBursts.MOST_IN_A_TURN);
        assertThat(feed.nextTickNs()).isEqualTo(Long.MAX_VALUE);
        opened(2);
        feed.sendBursts(sink, SECOND_NS, TickBursts.MOST_IN_A_TURN);
        assertThat(feed.updatesSent()).isEqualTo(2 * BURST);
        assertThat(feed.genericsSent()).isEqualTo(2 * BURST);
        assertThat(feed.updates().maxLagNs()).isZero();
    }

    /** A loop that sent all of it would not come to its end before the last of it was sent. */
    @Test
    void shouldReturnToItsLoopHoweverFarItIsBehind() {
        opened(1);
        feed.sendBursts(sink, 0, TickBursts.MOST_IN_A_TURN);
        final long late = 3600 * SECOND_NS;
        feed.sendBursts(sink, late, TickBursts.MOST_IN_A_TURN);
        assertThat(feed.updatesSent()).isEqualTo(BURST + TickBursts.MOST_IN_A_TURN / 2);
        assertThat(feed.genericsSent()).isEqualTo(BURST + TickBursts.MOST_IN_A_TURN / 2);
        assertThat(feed.nextTickNs()).as("goes on at once").isLessThanOrEqualTo(late);
        feed.sendBursts(sink, late, TickBursts.MOST_IN_A_TURN);
        assertThat(feed.updatesSent()).isEqualTo(BURST + TickBursts.MOST_IN_A_TURN);
    }

    /** A consumer that reads nothing could ask for, and close, as many as it likes. */
    @Test
    void shouldReportWhatItKeepsForTheQueueOfImagesAlone() {
        wanted(1);
        feed.remove(wanted(2));
        feed.wantImage(new SentItem(3, "SNAPSHOT", messages, false), true);
        assertThat(feed.keptForImage()).isEqualTo(2);

        feed.sendImages(sink, 10);
        assertThat(feed.keptForImage()).isZero();
        assertThat(feed.imagesSent()).isEqualTo(2);
    }

    @Test
    void shouldHaveNoImagesToSendOfItemsThatWereClosed() {
        final SentItem item = wanted(1);
        assertThat(feed.hasImages()).isTrue();
        feed.remove(item);
        assertThat(feed.hasImages()).isFalse();
    }

    @Test
    void shouldKeepItsGridWhileAnItemIsOpen() {
        final SentItem first = opened(1);
        opened(2);
        feed.sendBursts(sink, 0, TickBursts.MOST_IN_A_TURN);
        feed.remove(first);
        opened(3);
        feed.sendBursts(sink, SECOND_NS, TickBursts.MOST_IN_A_TURN);
        assertThat(feed.updatesSent()).isEqualTo(RATE + BURST);
    }
}

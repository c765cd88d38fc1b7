package io.tickmark.wire.match;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.wire.fix.FixFramer;
import io.tickmark.wire.fix.FixFramer.FixFraming;
import io.tickmark.wire.fix.FixText;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageKeyTest {
    private final FixFramer framer = new FixFramer(4096);

    @Test
    void shouldKnowAMessageByItsTagWhateverElseChanges() {
        final MessageKey key = key(9002);

        assertThat(of(key, "35=W|49=A|9002=17|55=EUR|"))
                .isEqualTo(of(key, "35=W|49=B|34=5|9002=17|58=other|"))
                .isNotEqualTo(of(key, "35=W|49=A|9002=18|55=EUR|"))
                .isNotEqualTo(of(key, "35=W|49=A|9002=171|55=EUR|"));
        assertThat(key.isByBody()).isFalse();
    }

    @Test
    void shouldAskForAllTagsWhereSeveralIdentify() {
        final MessageKey key = key(11, 55);

        assertThat(of(key, "35=D|11=1|55=EUR|38=5|"))
                .isEqualTo(of(key, "35=8|55=EUR|11=1|"))
                .isNotEqualTo(of(key, "35=8|55=USD|11=1|"));
    }

    @Test
    void shouldFindATagWhereverItStandsInEightBytes() {
        final MessageKey key = key(11);
        final long expected = of(key, "35=D|11=1|");

        for (int length = 1; length <= 20; length++) {
            final String text = "x".repeat(length);
            final String ends = "\0\u0002".repeat(length);
            assertThat(of(key, "35=D|58=" + text + "|11=1|")).as(text).isEqualTo(expected);
            assertThat(of(key, "35=D|58=" + ends + "|11=1|58=" + text + "|")).isEqualTo(expected);
            assertThat(of(key, "35=D|58=" + text + "|111=1|")).isNotEqualTo(expected);
            assertThat(key.isByBody()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"9703", "55", "34", "34,55", "7777", ""})
    void shouldKnowWhatIsSentAgainWhateverIdentifiesIt(final String tags) {
        final MessageKey key =
                key(
                        Stream.of(tags.split(","))
                                .filter(tag -> !tag.isEmpty())
                                .map(Integer::valueOf)
                                .toArray(Integer[]::new));
        final String rest = "9703=1|55=EUR|";

        for (final String again :
                List.of("34=7|43=Y|122=x|", "43=Y|34=7|", "34=7|49=sender|43=Y|56=target|")) {
            of(key, "35=W|" + again + rest);
            assertThat(key.isSentAgain()).as(again).isTrue();
        }
        for (final String first : List.of("34=7|43=N|", "34=7|143=Y|", "34=7|58=43=Y|")) {
            of(key, "35=W|" + first + rest);
            assertThat(key.isSentAgain()).as(first).isFalse();
        }
    }

    @Test
    void shouldNotTakeTheTailOfATagOrAValueForTheTag() {
        final MessageKey key = key(55);

        of(key, "35=W|155=EUR|58=x55=y|");

        assertThat(key.isByBody()).isTrue();
    }

    @Test
    void shouldKnowAMessageByItsBodyWithoutWhatASessionChanges() {
        final MessageKey key = key();

        assertThat(of(key, "35=W|49=A|56=G|34=2|52=20260101-00:00:00|55=EUR|270=1.25|"))
                .isEqualTo(
                        of(
                                key,
                                "35=W|34=99|49=G|56=Z|52=20260102-01:02:03.4|43=Y|55=EUR|270=1.25|"))
                .isNotEqualTo(of(key, "35=W|49=A|56=G|34=2|55=EUR|270=1.26|"))
                .isNotEqualTo(of(key, "35=W|49=A|56=G|34=2|55=EUR|271=1.25|"));
        assertThat(key.isByBody()).isTrue();
    }

    private static MessageKey key(final Integer... tags) {
        return new MessageKey(new FixRules.Identity(List.of(tags), ""));
    }

    @Test
    void shouldWantOnlyWhatBeginsAsTheMaskSays() {
        final MessageKey key = new MessageKey(new FixRules.Identity(List.of(11), "??1"));

        of(key, "35=D|11=AB1x|");
        assertThat(key.isWanted()).isTrue();
        of(key, "35=D|11=AB2x|");
        assertThat(key.isWanted()).isFalse();
        of(key, "35=D|11=A|");
        assertThat(key.isWanted()).isFalse();
        of(key, "35=D|55=AB1|");
        assertThat(key.isWanted()).isFalse();
    }

    private long of(final MessageKey key, final String fields) {
        final UnsafeBuffer bytes = FixText.buffer(FixText.message(fields));
        assertThat(framer.frame(bytes, 0, bytes.capacity())).isEqualTo(FixFraming.MESSAGE);
        return key.of(bytes, framer.bodyBegin(), framer.bodyEnd());
    }
}

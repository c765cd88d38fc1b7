package io.tickmark.workloads.messaging.stream;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.messaging.stream.StreamSubscriber.StreamSubSettings;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StreamSubscriberTest {
    private static void together(final String channel, final String... topics) {
        final List<StreamSubSettings> all =
                Stream.of(topics)
                        .map(each ->
                                Settings.read(
                                        StreamSubSettings.class,
                                        Map.of("channel", channel, "topics", each),
                                        key -> key))
                        .toList();
        new StreamSubscriber.Factory().checkTogether(all);
    }

    @Test
    void shouldRefuseASecondReaderOfATopicWhoseMessagesAreDeleted() {
        assertThatThrownBy(() -> together("filestore:?deletion=acknowledged", "a,b", "c,b"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("topic 'b' would have several");
    }

    @Test
    void shouldLetReadersHaveTopicsOfTheirOwnAndShareWhatIsKept() {
        assertThatCode(() -> together("filestore:?deletion=acknowledged", "a,b", "c"))
                .doesNotThrowAnyException();
        assertThatCode(() -> together("filestore:", "a", "a")).doesNotThrowAnyException();
        assertThatCode(() -> together("udp://127.0.0.1:0", "a", "a")).doesNotThrowAnyException();
    }
}

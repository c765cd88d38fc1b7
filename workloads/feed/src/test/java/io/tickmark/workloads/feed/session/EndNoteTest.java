package io.tickmark.workloads.feed.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EndNoteTest {
    private static String overLimit(final long waiting) {
        return EndNote.overLimit(
                new SessionFigures(10 + waiting, 10, 0, 0, waiting, 0, 0, 0, 0), 10);
    }

    @Test
    void shouldSpeakOfOneMessageInTheSingular() {
        assertThat(overLimit(1)).contains(": 1 message after number 10 was not sent.\"");
        assertThat(overLimit(2)).contains(": 2 messages after number 10 were not sent.\"");
    }
}

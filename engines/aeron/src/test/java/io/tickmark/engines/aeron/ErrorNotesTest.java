package io.tickmark.engines.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ErrorNotesTest {
    @Test
    void shouldSayHowManyErrorsItDoesNotName() {
        final ErrorNotes notes = new ErrorNotes();
        for (int i = 1; i <= 12; i++) {
            notes.onError(new IllegalStateException("error " + i));
            notes.onError(new IllegalStateException("error 1"));
        }

        assertThat(notes.count()).isEqualTo(24);
        assertThat(notes.kept())
                .hasSize(11)
                .startsWith("error 1", "error 2")
                .endsWith("error 10", "2 more errors");
    }
}

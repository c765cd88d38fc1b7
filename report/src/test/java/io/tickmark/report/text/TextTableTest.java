package io.tickmark.report.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {
    private static TextTable table() {
        return new TextTable(
                        List.of(
                                new TextTable.Column("channel", true),
                                new TextTable.Column("first", false),
                                new TextTable.Column("second", false)),
                        1)
                .add(List.of("udp://127.0.0.1:0?batch=20", "1", "22222"));
    }

    @Test
    void shouldGoOnBelowWithItsKeysWhereItIsTooWide() {
        assertThat(table().lines(22, Ink.PLAIN))
                .containsExactly(
                        "channel       first",
                        "------------  -----",
                        "udp:/..ch=20      1",
                        "channel       second",
                        "------------  ------",
                        "udp:/..ch=20   22222");
    }

    @Test
    void shouldStandInOnePieceWhereThereIsRoom() {
        assertThat(table().lines(80, Ink.PLAIN)).hasSize(3);
    }

    @Test
    void shouldRefuseARowOfAnotherLength() {
        assertThatThrownBy(() -> table().add(List.of("one")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("1 cells for 3 columns");
    }
}

package io.tickmark.report.series;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatsRowTest {
    @TempDir Path folder;

    @Test
    void shouldFollowAHeaderThatChangesOnTheWay() throws IOException {
        final Path file = folder.resolve("stats.csv");
        Files.writeString(
                file,
                "torn\ntime,label,sent\n1,\"64 \"\"B\"\", x\",7\ntime,received,sent\n2,5,9\n3,5\n");
        final List<StatsRow> rows = new ArrayList<>();

        assertThat(StatsRow.read(file, rows::add)).isEmpty();

        assertThat(rows).extracting(row -> row.text("sent")).containsExactly("7", "9", "");
        assertThat(rows.getFirst().text("label")).isEqualTo("64 \"B\", x");
        assertThat(rows.get(1).number("received")).hasValue(5);
        assertThat(rows.get(2).number("sent")).isEmpty();
    }

    @Test
    void shouldSayThatItIsMissing() {
        assertThat(StatsRow.read(folder.resolve("stats.csv"), row -> {})).contains("is missing");
    }

    @Test
    void shouldSurviveBytesThatAreNoText() throws IOException {
        final Path file = folder.resolve("stats.csv");
        Files.write(file, new byte[] {(byte) 0xff, (byte) 0xc0, 0, '\n', 't'});

        assertThat(StatsRow.read(file, row -> {})).isEmpty();
    }
}

package io.tickmark.lab.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.TailSummary;
import io.tickmark.kernel.result.TailSummary.Undisturbed;
import io.tickmark.lab.json.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LiveLineTest {
    private static LiveLine.LeftOut leftOut(
            final double part, final String refused, final String whyNotAttributed) {
        return LiveLine.LeftOut.of(
                new TailSummary(
                        5_000,
                        5_000,
                        620,
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        new Undisturbed(part, refused, null),
                        List.of(),
                        "",
                        whyNotAttributed));
    }

    private static String row(final LiveLine.LeftOut leftOut) {
        return Json.line()
                .writeValueAsString(
                        new LiveLine.Row(
                                1, "t", "shm:", 1, "", "pass", 0, List.of(), 1, Map.of(), List.of(),
                                Map.of(), List.of(), leftOut));
    }

    @Test
    void shouldSayWhatUndisturbedFiguresLeaveOutOrWhyThereAreNone() {
        assertThat(row(leftOut(0.0125, "", "")))
                .contains("\"leftOut\":{\"part\":0.0125,\"refused\":\"\"}");
        assertThat(row(leftOut(0.3, "30.0 % of the messages would be left out", "")))
                .contains("\"refused\":\"30.0 % of the messages would be left out\"");
    }

    @Test
    void shouldNotSayThatNothingIsLeftOutWhereThatIsNotKnown() {
        assertThat(row(leftOut(0, "no thread was watched", "no thread was watched")))
                .doesNotContain("leftOut");
        assertThat(row(LiveLine.LeftOut.of(null))).doesNotContain("leftOut");
    }
}

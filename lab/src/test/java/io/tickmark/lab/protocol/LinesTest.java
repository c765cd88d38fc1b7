package io.tickmark.lab.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.record.LatencyInterval;
import io.tickmark.kernel.result.NoiseSummary;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.time.ClockSegment;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class LinesTest {
    private static final Endpoints BOUND =
            Endpoints.of(Map.of("channel", "udp://127.0.0.1:1")).boundBy("mock-sender", 1);

    @SuppressWarnings("unused") // a source of arguments
    static final List<ToRole> TO_ROLE =
            List.of(
                    new ToRole.Prepare(
                            "a-1",
                            "a",
                            1,
                            2,
                            7,
                            1,
                            Map.of("sizes", List.of(64, 256), "rate", "20k"),
                            List.of(new ToRole.ThreadPlan("sender", IdleMode.SPIN, -1)),
                            10_000_000_000L,
                            "/tmp/x y",
                            new ClockSegment(3_000_000_000_000L, 5, -200e-6)),
                    new ToRole.Steer(
                            "a-1", List.of(ClockSegment.SAME, new ClockSegment(1, -2, 1e-9))),
                    new ToRole.Connect("a-1", BOUND),
                    new ToRole.StartAt("a-1", Long.MAX_VALUE, List.of(3_000_000_000L)),
                    new ToRole.Stop("a-1", true),
                    new ToRole.Noise(List.of(-1, 0), 1),
                    new ToRole.Bye());

    @SuppressWarnings("unused") // a source of arguments
    static final List<FromRole> FROM_ROLE =
            List.of(
                    new FromRole.Hello(FromRole.PROTOCOL, 1, "25"),
                    new FromRole.Bound("a-1", BOUND),
                    new FromRole.Ready("a-1"),
                    new FromRole.Progress(
                            "a-1",
                            0,
                            "64B",
                            true,
                            5,
                            Map.of("sent", 1L << 40),
                            Map.of("lagNs", 3L),
                            Map.of(
                                    "sendNs",
                                    new LatencyInterval(
                                            2,
                                            30,
                                            OptionalLong.of(10),
                                            OptionalLong.of(20),
                                            OptionalLong.empty(),
                                            20,
                                            "KBKB"))),
                    new FromRole.Output("a-1", "Waiting \u2026 \"1\"\n"),
                    new FromRole.Result("a-1", Map.of("heard", "x"), List.of("w"), ""),
                    new FromRole.Failed("a-1", UserError.Kind.ENVIRONMENT, "no."),
                    new FromRole.Failed("a-1", null, "a defect"),
                    new FromRole.NoiseResult(new NoiseSummary(1, List.of())),
                    new FromRole.Bye());

    @Test
    void shouldUnderstandTheProgressOfABuildThatReportsLess() throws IOException {
        assertThat(
                        Lines.parse(
                                """
                                {"type":"progress","id":"a-1","step":0,"label":"","counters":{"sent":5}}\
                                """,
                                FromRole.class))
                .isEqualTo(
                        new FromRole.Progress(
                                "a-1", 0, "", false, 0, Map.of("sent", 5L), Map.of(), Map.of()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'label':'','counters':{}",
                "'id':'a','label':''",
                "'id':'a','label':'','counters':{},'more':1",
                "'id':'a','label':'','counters':[]",
                "'id':'a','label':'','counters':{'sent':'x'}",
                "'id':'a','label':'','counters':{'sent':null}",
                "'id':'a','label':'','counters':{'sent':1,'sent':2}",
                "'id':'a','label':{},'counters':{}",
                "'id':'a','step':'x','label':'','counters':{}",
                "'id':'a','label':'','counters':{},'latencies':{'x':1}",
                "'id':'a','label':'','counters':{},'latencies':{'x':{'count':1}}",
                "'id':'a','label':'','counters':{},'latencies':{'x':{'count':0,'buckets':''}}",
                "'id':'a','label':'','counters':{},'latencies':{'x':{'count':1,'buckets':'!'}}",
                "'id':'a','label':'','counters':{},'latencies':{'x':{'count':1,'buckets':'','y':1}}"
            })
    void shouldRefuseAProgressThatIsNone(final String keys) {
        final String line = ("{'type':'progress'," + keys + "}").replace('\'', '"');

        assertThatThrownBy(() -> Lines.parse(line, FromRole.class))
                .isInstanceOf(ProtocolException.class);
    }

    @Test
    void shouldReadAProgressWhoseTypeComesLast() throws IOException {
        assertThat(
                        Lines.parse(
                                """
                                {"id":"a","label":"x","counters":{"sent":5},"step":2,"type":"progress"}\
                                """,
                                FromRole.class))
                .isEqualTo(
                        new FromRole.Progress(
                                "a", 2, "x", false, 0, Map.of("sent", 5L), Map.of(), Map.of()));
    }

    @ParameterizedTest
    @FieldSource("TO_ROLE")
    void shouldReadWhatTheControllerSays(final ToRole message) throws IOException {
        assertThat(Lines.parse(sent(message), ToRole.class)).isEqualTo(message);
    }

    @ParameterizedTest
    @FieldSource("FROM_ROLE")
    void shouldReadWhatARoleSays(final FromRole message) throws IOException {
        assertThat(Lines.parse(sent(message), FromRole.class)).isEqualTo(message);
    }

    private static String sent(final Object message) throws IOException {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        Lines.send(out, message);
        final String line = out.toString(StandardCharsets.UTF_8);
        assertThat(line).endsWith("\n").containsOnlyOnce("\n");
        return line.strip();
    }

    @Test
    void shouldCarryHistogramsWhole() throws IOException {
        final Histogram histogram = new Histogram(1, 3_600_000_000_000L, 3);
        for (int i = 1; i <= 10_000; i++) {
            histogram.recordValue(i * 1_000L);
        }
        final StepResult step =
                new StepResult(
                        1,
                        "",
                        64,
                        Map.of("sent", 10L),
                        5,
                        100,
                        Double.POSITIVE_INFINITY,
                        Map.of("roundTripNs", histogram),
                        List.of("late"));

        final FromRole.Step read =
                (FromRole.Step)
                        Lines.parse(
                                sent(new FromRole.Step("a-1", StepLine.of(step))), FromRole.class);

        final StepResult back = read.step().toResult();
        assertThat(back.latencies().get("roundTripNs")).isEqualTo(histogram);
        assertThat(back.counts()).isEqualTo(step.counts());
        assertThat(back.reasons()).isEqualTo(step.reasons());
        assertThat(back.achievedRatePerSecond()).isZero();
    }

    @Test
    void shouldRefuseAHistogramThatIsNone() {
        final StepLine step =
                new StepLine(0, "", 64, Map.of(), 1, 0, 0, Map.of("x", "AAAA"), List.of());

        assertThatThrownBy(step::toResult).isInstanceOf(ProtocolException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "1",
                "{}",
                "[]",
                "hello",
                "{\"type\":\"nobody\"}",
                "{\"type\":\"ready\",\"id\":\"a\",\"more\":1}",
                "{\"type\":\"ready\",\"id\":\"a\"} trailing",
                "{\"type\":\"ready\"}",
                "{\"type\":\"hello\",\"pid\":1}",
                "{\"type\":\"bound\",\"id\":\"a\",\"endpoints\":{}}",
                "{\"type\":\"bound\",\"id\":\"a\",\"endpoints\":{\"values\":[{\"index\":1}]}}",
                "{\"type\":\"failed\",\"id\":\"a\"}"
            })
    void shouldRefuseWhatIsNoMessage(final String line) {
        assertThatThrownBy(() -> Lines.parse(line, FromRole.class))
                .isInstanceOf(ProtocolException.class);
    }

    @Test
    void shouldReadLinesToTheEnd() throws IOException {
        final Lines.Reader reader =
                new Lines.Reader(
                        new ByteArrayInputStream(
                                ("one\n\n" + "x".repeat(20_000) + "\nlast").getBytes()));

        assertThat(reader.next()).contains("one");
        assertThat(reader.next()).contains("");
        assertThat(reader.next()).contains("x".repeat(20_000));
        assertThat(reader.next()).contains("last");
        assertThat(reader.next()).isEmpty();
    }

    @Test
    void shouldBoundLinesBothWays() {
        final String tooLong = "x".repeat(Lines.MAX_BYTES + 1);
        final Lines.Reader reader = new Lines.Reader(new ByteArrayInputStream(tooLong.getBytes()));

        assertThatThrownBy(reader::next).isInstanceOf(ProtocolException.class);
        assertThatThrownBy(() ->
                        Lines.send(new ByteArrayOutputStream(), new FromRole.Output("a", tooLong)))
                .isInstanceOf(ProtocolException.class);
    }
}

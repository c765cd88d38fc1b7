package io.tickmark.report.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.RunResult;
import io.tickmark.report.Trials;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunCsvTest {
    @Test
    void shouldWriteOneHeaderAndARowForEachTrial() {
        final RunResult run =
                Trials.run(
                        Trials.closedLoop().noise(312_000).row(),
                        Trials.openLoop().row(),
                        Trials.general().row());

        final List<String> lines = RunCsv.of(run).lines().toList();

        assertThat(lines).hasSize(4);
        assertThat(lines.getFirst())
                .startsWith("test,workload,channel,repeat,step,label,payloadBytes,")
                .contains(
                        ",noiseMaxNs,",
                        ",roundTripP9999Ns,",
                        ",responseMeanNs,",
                        ",postRoundTripP50Ns,");
        assertThat(lines.get(1)).contains(",312000,pass,closed-loop,100000,8208,10032.000,");
        assertThat(lines)
                .allSatisfy(line ->
                        assertThat(line.split(",", -1)).hasSize(RunCsv.columns(run).size()));
    }

    @Test
    void shouldQuoteWhatWouldBreakARow() {
        assertThat(RunCsv.of(Trials.run(Trials.closedLoop().test("a,\"b\"\nc").row())))
                .contains("\n\"a,\"\"b\"\"\nc\",latency,");
    }
}

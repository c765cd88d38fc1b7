package io.tickmark.lab.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TailSummary;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.json.Json;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class ResultJsonTest {
    private static final List<String> KNOWN =
            List.of("roundTripNs", "responseNs", "serviceNs", "sendNs");

    private final RunResult result = ResultSamples.run();

    @Test
    void shouldReadBackWhatItWrote() {
        final String text = ResultJson.write(result);

        assertThat(ResultJson.read(text, "result.json")).isEqualTo(result);
        assertThat(ResultJson.write(ResultJson.read(text, "result.json"))).isEqualTo(text);
    }

    /** Results of 0.1.0 say less about the tail. */
    @Test
    void shouldReadTailsOfTheFirstRelease() {
        final JsonNode tree = Json.line().readTree(ResultJson.write(result));
        for (final String key : List.of("notTraced", "ranInstead", "stages", "whyNoStages")) {
            assertThat(((ObjectNode) tree.at("/trials/0/tail")).remove(key)).as(key).isNotNull();
        }

        final TailSummary tail =
                ResultJson.read(tree.toString(), "result.json").trials().getFirst().tail();

        assertThat(tail.notWatched()).containsExactly("store 1 notes no stalls.");
        assertThat(tail.notTraced()).isEmpty();
        assertThat(tail.ranInstead()).isEmpty();
        assertThat(tail.stages()).isEmpty();
        assertThat(tail.whyNoStages()).isEmpty();
    }

    /** Results of before do not say what passed at the echo. */
    @Test
    void shouldReadStagesWithoutThoseOfTheEcho() {
        final JsonNode tree = Json.line().readTree(ResultJson.write(result));
        assertThat(((ObjectNode) tree.at("/trials/0/tail/stages/0")).remove("atEcho")).isNotNull();

        assertThat(
                        ResultJson.read(tree.toString(), "result.json")
                                .trials()
                                .getFirst()
                                .tail()
                                .stages())
                .containsExactlyElementsOf(result.trials().getFirst().tail().stages());
    }

    /** Results of the first days of 0.2.0 have other names for what was not attributed. */
    @Test
    void shouldReadWhatWasNotAttributedUnderItsFormerNames() {
        final JsonNode tree = Json.line().readTree(ResultJson.write(result));
        ((ObjectNode) tree.at("/trials/0/tail"))
                .set(
                        "threads",
                        Json.line()
                                .readTree(
                                        """
                                        [{"role": "latency-pub", "index": 1, "thread": "publisher", "thresholdNs": 10000,
                                          "stalls": 1, "stalledNs": 5, "notNoted": 0, "takenPart": 0, "takenBy": "",
                                          "untoldPart": 0.4, "whyUntold": "its switches are not dated"}]
                                        """));

        final TailSummary.WatchedThread thread =
                ResultJson.read(tree.toString(), "result.json")
                        .trials()
                        .getFirst()
                        .tail()
                        .threads()
                        .getFirst();

        assertThat(thread.unattributedPart()).isEqualTo(0.4);
        assertThat(thread.whyUnattributed()).isEqualTo("its switches are not dated");
    }

    @Test
    void shouldWriteVerdictsInLowerCaseAndNumbersWithoutExponentAndNoNulls() {
        final String text = ResultJson.write(result);

        assertThat(text)
                .contains("\"verdict\" : \"pass\"")
                .contains("\"achievedRatePerSecond\" : 10000000")
                .doesNotContain(": null")
                .doesNotContainPattern("[0-9][eE][0-9+-]")
                .endsWith("}\n");
    }

    @Test
    void shouldKeepTheOrderOfTheRecord() {
        final JsonNode tree = Json.line().readTree(ResultJson.write(result));

        assertThat(List.copyOf(tree.propertyNames())).isEqualTo(componentsOf(RunResult.class));
    }

    @Test
    void shouldDescribeEveryComponentInTheSchema() {
        final JsonNode schema = Json.line().readTree(ResultJson.schema());

        assertThat(List.copyOf(schema.path("properties").propertyNames()))
                .isEqualTo(componentsOf(RunResult.class));
        assertThat(List.copyOf(schema.at("/$defs/trial/properties").propertyNames()))
                .isEqualTo(
                        componentsOf(io.tickmark.kernel.result.TrialResult.class).stream()
                                .flatMap(name ->
                                        name.equals("latencies") ? KNOWN.stream() : Stream.of(name))
                                .toList());
        assertThat(List.copyOf(schema.at("/$defs/latency/properties").propertyNames()))
                .isEqualTo(componentsOf(io.tickmark.kernel.result.LatencySummary.class));
        assertThat(List.copyOf(schema.at("/$defs/search/properties").propertyNames()))
                .isEqualTo(componentsOf(io.tickmark.kernel.result.SearchSummary.class));
        assertThat(List.copyOf(schema.at("/$defs/searchTrial/properties").propertyNames()))
                .isEqualTo(componentsOf(io.tickmark.kernel.result.SearchSummary.SearchTrial.class));
        assertThat(List.copyOf(schema.at("/$defs/aggregate/properties").propertyNames()))
                .isEqualTo(componentsOf(io.tickmark.kernel.result.Aggregate.class));
        assertThat(List.copyOf(schema.at("/$defs/answer/properties").propertyNames()))
                .isEqualTo(componentsOf(io.tickmark.kernel.result.Answer.class));
    }

    @Test
    void shouldReadTheAnswerThatItWrote() {
        assertThat(ResultJson.read(ResultJson.write(result), "result.json").answer())
                .isEqualTo(result.answer());
        assertThat(ResultJson.read(ResultJson.write(result.with(null)), "result.json").answer())
                .isNull();
    }

    @Test
    void shouldWriteALatencyOfAWorkloadsOwnAsAKeyOfTheTrial() {
        final String text =
                ResultJson.write(result).replace("\"roundTripNs\"", "\"postRoundTripNs\"");

        assertThat(ResultJson.read(text, "result.json").trials().getFirst().latencies())
                .containsOnlyKeys("postRoundTripNs");
    }

    @Test
    void shouldRefuseUnknownKeys() {
        final String text =
                ResultJson.write(result).replace("\"plan\" :", "\"plam\" : 1, \"plan\" :");

        assertThatThrownBy(() -> ResultJson.read(text, "a/result.json"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("a/result.json")
                .hasMessageContaining("plam");
    }

    @Test
    void shouldRefuseMissingKeys() {
        final String text = ResultJson.write(result).replace("\"plan\" : \"demo\",", "");

        assertThatThrownBy(() -> ResultJson.read(text, "result.json"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("plan");
    }

    @Test
    void shouldRefuseAnotherVersion() {
        final String text = ResultJson.write(result).replace("tickmark.result/1", "other/9");

        assertThatThrownBy(() -> ResultJson.read(text, "result.json"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("tickmark.result/1");
    }

    /** The version is not the cause, and no other version would read it. */
    @Test
    void shouldSayThatAFileWasCutOff() {
        final String text = ResultJson.write(result);

        for (final int length : List.of(0, 1, text.length() / 2, text.length() - 3)) {
            assertThatThrownBy(() -> ResultJson.read(text.substring(0, length), "result.json"))
                    .isInstanceOf(UserError.class)
                    .hasMessageStartingWith("result.json: not a result")
                    .hasMessageNotContaining("that wrote it");
        }
        assertThatThrownBy(
                        () -> ResultJson.read(text.substring(0, text.length() / 2), "result.json"))
                .hasMessageContaining("it was cut off or damaged");
        assertThatThrownBy(() ->
                        ResultJson.read(
                                text.replace("tickmark.result/1", "tickmark.result/9"),
                                "result.json"))
                .hasMessageContaining(
                        "it is of format tickmark.result/9; read it with the version");
    }

    @Test
    void shouldNameTheLineOfBrokenJson() {
        assertThatThrownBy(() -> ResultJson.read("{\n\"schema\": }", "result.json"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("line 2");
    }

    @Test
    void shouldSayWhichFileCannotBeRead() {
        assertThatThrownBy(() -> ResultJson.read(java.nio.file.Path.of("nowhere/result.json")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("nowhere/result.json");
    }

    private static List<String> componentsOf(final Class<? extends Record> type) {
        return Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName).toList();
    }
}

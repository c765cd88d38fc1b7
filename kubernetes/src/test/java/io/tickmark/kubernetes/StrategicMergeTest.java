package io.tickmark.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Merging compared with {@code kubectl patch --local} (v1.32): its answers are recorded here, and
 * where there is a kubectl separate tests ask it again.
 */
class StrategicMergeTest {
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    private static final String BASE =
            """
            containers:
            - name: a
              image: i
              command: [run, keep]
              ports: [{containerPort: 1, name: p}]
              env: [{name: E, value: "1"}, {name: F, value: "2"}]
              securityContext: {privileged: true, runAsUser: 4}
              resources: {claims: [{name: q}], limits: {cpu: "1"}}
            tolerations: [{key: k}]
            volumes: [{name: v, emptyDir: {medium: Memory}}, {name: w, emptyDir: {}}]
            """;

    private static final boolean IS_KUBECTL_HERE =
            Stream.of(System.getenv("PATH").split(":"))
                    .anyMatch(part -> Files.isExecutable(Path.of(part, "kubectl")));

    @TempDir private Path folder;

    private static Map<String, Object> read(final String yaml) throws Exception {
        return YAML.readValue(yaml, new TypeReference<>() {});
    }

    /** What differs from the base, in any order of elements: a list's order is nothing of ours. */
    private static Object unordered(final Object value) {
        return switch (value) {
            case final Map<?, ?> map ->
                    map.entrySet().stream()
                            .collect(
                                    Collectors.toMap(
                                            Map.Entry::getKey,
                                            entry -> unordered(entry.getValue())));
            case final List<?> list ->
                    list.stream()
                            .map(StrategicMergeTest::unordered)
                            .sorted(Comparator.comparing(Object::toString))
                            .toList();
            default -> value;
        };
    }

    /** What is merged into the base, and what then stands there in place of what. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "containers: [{name: a, image: j}] | image: i | image: j",
                "containers: [{name: a, resources: {limits: {x/y: '1'}}}]"
                        + " | limits: {cpu: \"1\"} | limits: {cpu: \"1\", x/y: \"1\"}",
                "containers: [{name: a, resources: {claims: [{name: r}]}}] | claims: [{name: q}] | claims: [{name: r}]",
                "containers: [{name: a, env: [{name: E, value: '3'}]}] | {name: E, value: \"1\"} | {name: E, value: \"3\"}",
                "containers: [{name: a, env: [{name: E, $patch: delete}]}] | {name: E, value: \"1\"}, | ",
                "containers: [{name: a, env: [{$patch: replace}, {name: G, value: '3'}]}]"
                        + " | [{name: E, value: \"1\"}, {name: F, value: \"2\"}] | [{name: G, value: \"3\"}]",
                "containers: [{name: a, securityContext: {$patch: replace, runAsUser: 5}}]"
                        + " | {privileged: true, runAsUser: 4} | {runAsUser: 5}",
                "containers: [{name: a, securityContext: {$patch: delete}}] | {privileged: true, runAsUser: 4} | {}",
                "containers: [{name: a, command: [stay]}] | [run, keep] | [stay]",
                "containers: [{name: a, ports: [{containerPort: 2, name: o}]}]"
                        + " | [{containerPort: 1, name: p}] | [{containerPort: 1, name: p}, {containerPort: 2, name: o}]",
                "tolerations: [{key: z}] | {key: k} | {key: z}",
                "tolerations: null | tolerations: [{key: k}] | ",
                "volumes: [{name: w, $patch: delete}] | , {name: w, emptyDir: {}} | ",
            })
    @Retention(RetentionPolicy.RUNTIME)
    private @interface Merges {}

    /** What is merged into the base is refused. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "containers: [{image: j}]",
                "containers: [{name: a, env: [{$patch: delete}]}]",
                "containers: [{name: a, env: [{name: E, $patch: remove}]}]",
                "containers: [{name: a, securityContext: {$patch: merge, runAsUser: 5}}]",
            })
    @Retention(RetentionPolicy.RUNTIME)
    private @interface Refusals {}

    private static Map<String, Object> expected(final String before, final String after)
            throws Exception {
        assertThat(BASE).contains(before);
        return read(BASE.replace(before, after == null ? "" : after));
    }

    @Merges
    void shouldMergeAsKubectlDoes(final String over, final String before, final String after)
            throws Exception {
        assertThat(unordered(StrategicMerge.merged(read(BASE), read(over))))
                .isEqualTo(unordered(expected(before, after)));
    }

    @Merges
    void shouldRecordWhatKubectlMerges(final String over, final String before, final String after)
            throws Exception {
        assumeKubectl();
        assertThat(unordered(kubectl(over))).isEqualTo(unordered(expected(before, after)));
    }

    private static void assumeKubectl() {
        assumeTrue(
                IS_KUBECTL_HERE,
                "kubectl is not here, and one that is new enough is not in the package lists");
    }

    /** What kubectl is not asked for: it would leave a volume of two kinds. */
    @Test
    void shouldReplaceAVolumeByOneOfAnotherKind() throws Exception {
        assertThat(
                        StrategicMerge.merged(
                                read(BASE), read("volumes: [{name: v, hostPath: {path: /d}}]")))
                .extractingByKey("volumes")
                .isEqualTo(
                        List.of(
                                Map.of("name", "v", "hostPath", Map.of("path", "/d")),
                                Map.of("name", "w", "emptyDir", Map.of())));
    }

    @Refusals
    void shouldRefuseWhatKubectlRefuses(final String over) throws Exception {
        final Map<String, Object> base = read(BASE);
        final Map<String, Object> wrong = read(over);

        assertThatThrownBy(() -> StrategicMerge.merged(base, wrong))
                .isInstanceOf(StrategicMerge.UnmergeableException.class);
    }

    @Refusals
    void shouldRecordWhatKubectlRefuses(final String over) {
        assumeKubectl();
        assertThatThrownBy(() -> kubectl(over)).hasMessageContaining("error: ");
    }

    private Map<String, Object> kubectl(final String over) throws Exception {
        final Path pod =
                Files.writeString(
                        folder.resolve("pod.yaml"),
                        "apiVersion: v1\nkind: Pod\nmetadata: {name: x}\nspec:\n" + BASE.indent(2));
        final Process process =
                new ProcessBuilder(
                                "kubectl",
                                "patch",
                                "--local",
                                "--type=strategic",
                                "-f",
                                pod.toString(),
                                "-p",
                                "spec:\n" + over.indent(2),
                                "-o",
                                "json")
                        .redirectErrorStream(true)
                        .start();
        final String said =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(said);
        }
        final Map<String, Object> answer = read(said);
        return StrictModel.tree(answer.get("spec"));
    }
}

package io.tickmark.workloads.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The shipped plans of the ten throughput tests, compared with the published figures. */
class TenTestsPlanTest {
    /** Messages per second by test: "Results" of um_perf. */
    private static final Map<Integer, Integer> PUBLISHED =
            new TreeMap<>(
                    Map.of(
                            1, 1_400_000, 2, 550_000, 3, 760_000, 4, 740_000, 5, 1_000_000, 6,
                            1_500_000, 7, 800_000, 8, 1_440_000, 9, 1_420_000, 10, 1_500_000));

    /** Tests that keep every message on disk; those without a store keep none. */
    private static final List<Integer> KEPT = List.of(2, 7);

    private static final List<Integer> STREAMED = List.of(1, 6);
    private static final List<Integer> THREE_TOPICS = List.of(5, 6, 10);
    private static final List<Integer> QUORUM = List.of(4, 9);
    private static final Pattern TEST =
            Pattern.compile("  - name: test-(\\d+)-(\\S+)\n(?:    .*\n)+");

    private static String tests(final String plan) throws IOException {
        try (InputStream in =
                TenTestsPlanTest.class.getResourceAsStream("/tickmark/plans/" + plan + ".yaml")) {
            final String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return text.substring(text.indexOf("\ntests:\n") + "\ntests:\n".length());
        }
    }

    @Test
    void shouldBeTheSameTogetherAndOneByOne() throws IOException {
        final StringBuilder single = new StringBuilder();
        for (int test = 1; test <= 10; test++) {
            single.append(tests("um-perf-" + test));
        }

        assertThat(tests("ten-tests")).isEqualTo(single.toString());
    }

    @Test
    void shouldNameThePublishedFigures() throws IOException {
        final Map<Integer, String> figures = new TreeMap<>();
        final Matcher each = TEST.matcher(tests("ten-tests"));
        while (each.find()) {
            figures.merge(
                    Integer.parseInt(each.group(1)),
                    each.group().replaceFirst("(?s).*referenceRate: (\\d+).*", "$1"),
                    (one, other) -> one.equals(other) ? one : one + " and " + other);
        }

        assertThat(figures)
                .isEqualTo(
                        PUBLISHED.entrySet().stream()
                                .collect(
                                        Collectors.toMap(
                                                Map.Entry::getKey,
                                                entry -> entry.getValue().toString())));
    }

    @Test
    void shouldStoreAndDeleteAsTheOriginalDoes() throws IOException {
        final Matcher each = TEST.matcher(tests("ten-tests"));
        int found = 0;
        while (each.find()) {
            found++;
            final int number = Integer.parseInt(each.group(1));
            final String test = each.group();
            final boolean keepsItsLog = test.contains("\"cluster:\"");
            assertThat(test.contains("role: store"))
                    .as("store of %s", test)
                    .isEqualTo(!STREAMED.contains(number));
            assertThat(test.contains("deletion=acknowledged"))
                    .as("deletion of %s", test)
                    .isEqualTo(
                            !STREAMED.contains(number) && !KEPT.contains(number) && !keepsItsLog);
            assertThat(test.contains("[topic1, topic2, topic3]"))
                    .as("topics of %s", test)
                    .isEqualTo(THREE_TOPICS.contains(number));
            assertThat(test.contains("members=3") || test.contains("replicas=3") || keepsItsLog)
                    .as("quorum of %s", test)
                    .isEqualTo(QUORUM.contains(number));
            assertThat(test.contains("payloadBytes: 1420, "))
                    .as("batching of %s", test)
                    .isEqualTo(each.group(2).endsWith("-counted"));
            assertThat(test.contains("sendPath: batch"))
                    .as("batching of %s", test)
                    .isEqualTo(each.group(2).endsWith("-batched"));
            assertThat(each.group(2).matches(".*-(counted|batched)")).isEqualTo(number >= 7);
        }
        assertThat(found).isEqualTo(IntStream.of(3, 1, 2, 3, 2, 3, 2, 4, 4, 4).sum());
    }

    /** A store over shared memory against streaming over UDP would say nothing about storing. */
    @Test
    void shouldStreamOnThePathOfEachStore() throws IOException {
        final Map<String, String> streamingOf =
                Map.of("archive", "aeron:ipc", "cluster", "aeron:udp", "jetstream", "nats:");
        final Set<String> streamed = new TreeSet<>();
        final Set<String> needed = new TreeSet<>();
        final Matcher each = TEST.matcher(tests("ten-tests"));
        while (each.find()) {
            final String channel =
                    each.group().replaceFirst("(?s).*channels: \\[\"([^\"?]*).*", "$1");
            final String topics = each.group().contains("topic3") ? " 3 topics" : " 1 topic";
            if (each.group().contains("role: store")) {
                needed.add(streamingOf.get(channel.replaceFirst(":.*", "")) + topics);
            } else {
                streamed.add(channel + topics);
            }
        }

        assertThat(streamed).containsAll(needed);
    }
}

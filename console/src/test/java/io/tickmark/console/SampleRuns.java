package io.tickmark.console;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One run of sixty seconds that ended, and one that goes on: a line more every second time it is
 * asked for.
 */
final class SampleRuns implements RunSource {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int SECONDS = 60;

    private int asked = 9;

    @Override
    public List<Entry> runs() {
        return List.of(
                new Entry("now", "stream", "2026-11-20T12:10:00Z", "running", "", true),
                new Entry(
                        "done_vs/a",
                        "latency-sweep",
                        "2026-11-20T12:00:00Z",
                        "finished",
                        "fail",
                        true),
                new Entry("gone", "messaging", "2026-11-19T12:00:00Z", "broken off", "", true),
                new Entry("old", "old", "", "finished", "", false),
                new Entry("bad", "bad", "", "damaged", "", false));
    }

    @Override
    public synchronized Optional<Part> lines(final String run, final long from) {
        return switch (run) {
            case "now" -> Optional.of(part(lines(++asked / 2), from, "running"));
            case "done_vs/a", "gone" -> {
                final List<JsonNode> all = lines(SECONDS);
                if (!run.equals("gone")) {
                    all.add(
                            line(
                                    """
                                    {"type":"row","seconds":%d,"test":"one-way","channel":"udp://127.0.0.1:0","repeat":1,
                                     "label":"64B","verdict":"fail","lost":3,"reasons":["Lost 3 of 60000 messages expected."],
                                     "latencies":{"responseNs":{"count":60000,"p50Ns":20000,"p99Ns":90000,"maxNs":900000}},
                                     "curves":{"responseNs":[{"percentile":50,"ns":20000},{"percentile":99,"ns":90000},
                                      {"percentile":100,"ns":900000}]},
                                     "undisturbed":[{"percentile":50,"ns":20000},{"percentile":100,"ns":300000}],
                                     "leftOut":{"part":0.0125,"refused":""},
                                     "tail":[{"fromPercentile":99,"toPercentile":99.9,"messages":540,
                                      "partNs":{"machine":700,"system":200,"rest":100},"cause":"another task ran on the core",
                                      "causes":[{"owner":"machine","cause":"another task ran on the core","evidence":"dated",
                                       "ns":700}]}]}\
                                    """,
                                    SECONDS));
                    all.add(
                            line(
                                    "{\"type\":\"end\",\"seconds\":%d,\"verdict\":\"fail\"}",
                                    SECONDS));
                }
                yield Optional.of(part(all, from, run.equals("gone") ? "broken off" : "finished"));
            }
            default -> Optional.empty();
        };
    }

    private static Part part(final List<JsonNode> all, final long from, final String state) {
        return new Part(
                all.subList((int) Math.min(from, all.size()), all.size()),
                from == 0 && state.equals("broken off") ? 2 : 0,
                all.size(),
                state);
    }

    private static JsonNode line(final String format, final Object... values) {
        return JSON.readTree(String.format(Locale.ROOT, format, values));
    }

    private static List<JsonNode> lines(final int seconds) {
        final List<JsonNode> lines = new ArrayList<>();
        lines.add(line("{\"type\":\"run\",\"plan\":\"p\",\"expectedSeconds\":%d}", SECONDS));
        for (int i = 0; i < seconds; i++) {
            final long p50Ns = 20_000 + 9_000 * (i % 7);
            lines.add(
                    line(
                            """
                            {"type":"tick","seconds":%d,"test":"one-way","workload":"stream","channel":"udp://127.0.0.1:0",
                             "repeat":1,"number":1,"of":2,"phase":"%s","missing":%d,"noiseMaxNs":41000,"roles":[
                             {"role":"stream-pub","instances":1,"step":"64B","counts":{"sent":%d},"perSecond":{"sent":%d.5},
                              "gauges":{"lagNs":%d},"latencies":{}},
                             {"role":"stream-sub","instances":3,"step":"64B","counts":{"received":%d},"perSecond":{"received":%d},
                              "gauges":{},"latencies":{"responseNs":
                              {"count":1000,"sumNs":1,"p50Ns":%d,"p99Ns":%d,"p999Ns":%d,"maxNs":%d,"buckets":{}}}}]}\
                            """,
                            i,
                            i < 2 ? "connecting" : "measuring",
                            i % 5,
                            1000 * i,
                            1000 + i % 3,
                            4_000 * (i % 11),
                            3000 * i,
                            3000 - i % 5,
                            p50Ns,
                            6 * p50Ns,
                            20 * p50Ns,
                            70 * p50Ns));
        }
        return lines;
    }
}

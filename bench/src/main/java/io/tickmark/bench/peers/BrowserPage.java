package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contestant;
import java.util.Map;

/**
 * The console's page in a real Chromium, 1,000 symbols, nothing merged.
 *
 * @param frontDoor to run it
 * @param name of the row
 * @param rate of the feed
 * @param flush interval, {@code 0ms} for one message a frame
 * @param renderer {@code table} or {@code canvas}
 */
record BrowserPage(FrontDoor frontDoor, String name, String rate, String flush, String renderer)
        implements Contestant {
    @Override
    public Map<String, Double> measure() {
        return FeedRow.measure(
                frontDoor,
                name,
                "console-browser",
                Map.of(
                        "symbols",
                        1000,
                        "rate",
                        rate,
                        "flush",
                        flush,
                        "renderer",
                        renderer,
                        "conflation",
                        "buffer",
                        "warmUp",
                        "10s",
                        "duration",
                        "15s"));
    }
}

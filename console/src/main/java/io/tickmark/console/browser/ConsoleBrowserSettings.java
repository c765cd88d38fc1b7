package io.tickmark.console.browser;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.workloads.feed.source.FeedSettings;
import java.time.Duration;

/**
 * Settings of the browser role: the parameters of a benchmark row.
 *
 * @param feed what it makes
 * @param feedChannel that messages come by
 * @param maxFrequency most messages a second of one symbol
 * @param conflation what becomes of messages that may not be sent yet
 * @param flush how long messages are collected for one frame
 * @param guaranteed whether messages are kept until acknowledged, and sent again after a reconnect
 * @param frameRate of the page
 * @param rendering whether the page draws
 * @param renderer what it draws with
 * @param warmUp before it is measured
 * @param duration that is measured
 * @param chromium to start
 */
public record ConsoleBrowserSettings(
        FeedSettings feed,
        @Setting(help = "Channel of the page.", byDefault = "ws-binary", label = "NAME")
                String feedChannel,
        @Setting(
                        help = "Most messages per second of one symbol; 0: all of them.",
                        byDefault = "0",
                        unit = "msg/s",
                        min = 0,
                        max = 1_000_000)
                double maxFrequency,
        @Setting(
                        help = "What happens to messages that may not be sent yet.",
                        byDefault = "merge",
                        label = "POLICY")
                String conflation,
        @Setting(
                        help =
                                "How long messages are collected for one frame; 0: one message a frame.",
                        byDefault = "1ms",
                        min = 0,
                        max = 6e10)
                Duration flush,
        @Setting(
                        help =
                                "Number messages, keep them until they are acknowledged, and send them again "
                                        + "after a reconnect.",
                        byDefault = "false")
                boolean guaranteed,
        @Setting(
                        help = "Frames that the page draws per second; 0: as many as the display.",
                        byDefault = "0",
                        min = 0,
                        max = 60)
                int frameRate,
        @Setting(help = "Draw the messages as they arrive.", byDefault = "true") boolean rendering,
        @Setting(help = "What the page draws with.", byDefault = "table") Renderer renderer,
        @Setting(
                        help = "Time for which the page receives before it is measured.",
                        byDefault = "3s",
                        min = 0,
                        max = 3.6e12)
                Duration warmUp,
        @Setting(help = "Time that is measured.", byDefault = "10s", min = 1e9, max = 3.6e12)
                Duration duration,
        @Setting(
                        help = "Browser to start: Chromium, or one that takes its flags.",
                        byDefault = "/usr/bin/chromium",
                        label = "FILE")
                String chromium) {

    /** What the page draws with. */
    public enum Renderer {
        /** Rows of the document. */
        TABLE,
        /** Tiles on a canvas, drawn in the worker. */
        CANVAS
    }
}

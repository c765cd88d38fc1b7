package io.tickmark.wire.capture;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.wire.WireSettings;

/**
 * Settings of a capture during a run.
 *
 * @param tcpdump what is captured
 * @param required whether the run cannot do without
 * @param keep whether the file is kept
 * @param wire how it is read
 */
public record CaptureSettings(
        TcpdumpOptions tcpdump,
        @Setting(
                        help =
                                "Do not run where capturing is not possible (true); with false the run continues without.",
                        byDefault = "true")
                boolean required,
        @Setting(help = "Keep the capture file in the role's folder.") boolean keep,
        WireSettings wire) {}

package io.tickmark.engines.dds;

import io.tickmark.kernel.settings.UserError;
import java.util.Locale;

/** Describes what the library refused, as a sentence. */
final class Refusal {
    private Refusal() {}

    static UserError of(final DdsChannel channel, final String what, final int code) {
        final String said = LogNotes.text();
        return UserError.environment(
                "--channel "
                        + channel.uri()
                        + ": "
                        + what
                        + ": "
                        + Cyclone.text(code).toLowerCase(Locale.ROOT)
                        + (said.isEmpty() ? "" : " (" + said.replaceAll("\\s+", " ") + ")")
                        + ".");
    }
}

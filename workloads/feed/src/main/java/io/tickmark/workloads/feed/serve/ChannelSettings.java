package io.tickmark.workloads.feed.serve;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.feed.session.BinaryFrame;
import io.tickmark.workloads.feed.session.FeedFraming;
import io.tickmark.workloads.feed.session.FrameEncoder;
import io.tickmark.workloads.feed.session.JsonFrame;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * One channel of the configuration file.
 *
 * @param name in addresses, plans and results
 * @param title on the page
 * @param transport how frames get to the client
 * @param encoding what they are made of
 * @param flush interval where the client asks for none
 */
public record ChannelSettings(
        @Setting(help = "Name in addresses, plans and results.") String name,
        @Setting(help = "What the page calls it (default: the name).") String title,
        @Setting(help = "How frames get to the client.") ChannelTransport transport,
        @Setting(help = "What frames are made of.", byDefault = "binary") ChannelEncoding encoding,
        @Setting(
                        help = "Flush interval where the client asks for none.",
                        byDefault = "1ms",
                        min = 0,
                        max = 6e10)
                Duration flush) {
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,39}");

    /** Checks conditions between settings. */
    public ChannelSettings {
        if (!NAME.matcher(name).matches()) {
            throw UserError.usage(
                    "name '%s': a channel's name is up to 40 of a-z, 0-9 and dashes."
                            .formatted(name));
        }
        if (transport == ChannelTransport.EVENTS && encoding == ChannelEncoding.BINARY) {
            throw UserError.usage(
                    "channel '%s': events are text; give encoding: json.".formatted(name));
        }
        title = title.isEmpty() ? name : title;
    }

    /** An encoder of its frames, for one session. */
    FrameEncoder encoder(final int messageBytes) {
        return encoding == ChannelEncoding.BINARY
                ? new BinaryFrame(framing(), messageBytes)
                : new JsonFrame(framing(), messageBytes);
    }

    private FeedFraming framing() {
        return switch (transport) {
            case WEBSOCKET ->
                    encoding == ChannelEncoding.BINARY
                            ? FeedFraming.WEB_SOCKET_BINARY
                            : FeedFraming.WEB_SOCKET_TEXT;
            case EVENTS -> FeedFraming.EVENT;
            case STREAM, POLLING -> FeedFraming.NONE;
        };
    }

    /** Of a response that carries its frames. */
    String contentType() {
        if (transport == ChannelTransport.EVENTS) {
            return "text/event-stream";
        }
        return encoding == ChannelEncoding.BINARY
                ? "application/octet-stream"
                : "application/x-ndjson";
    }

    /** The encoding of frames. */
    public enum ChannelEncoding {
        /** Fixed little-endian records. */
        BINARY,
        /** Text. */
        JSON
    }

    /** How frames get to a client. */
    public enum ChannelTransport {
        /** WebSocket (RFC 6455). */
        WEBSOCKET,
        /** Server-sent events: one response that does not end, of text. */
        EVENTS,
        /** Streaming fetch: one response that does not end, of bytes. */
        STREAM,
        /** Long polling: a request waits until there is something. */
        POLLING
    }
}

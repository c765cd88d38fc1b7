package io.tickmark.engines.nats;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.Topic;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.ServerProgram;
import io.tickmark.transport.broker.ServerSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What plain channels and stores have in common: the program, its configuration, subjects. */
final class NatsServer {
    static final int DEFAULT_PORT = 4222;
    static final ServerProgram PROGRAM =
            new ServerProgram("nats-server", "TICKMARK_NATS_SERVER", "nats-server");
    private static final String CONFIGURATION = "nats-server.conf";
    private static final Duration START_PATIENCE = Duration.ofSeconds(20);
    private static final Pattern VERSION = Pattern.compile("v(\\d+)\\.(\\d+)\\.(\\d+)");
    private static final String TOKENS = "[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*";

    /** Header of a stored message, which the server counts with its payload. */
    private static final int HEADER_BYTES = 1024;

    private NatsServer() {}

    /**
     * How to start one.
     *
     * @param more lines of configuration
     */
    static ServerSpec spec(
            final BrokerChannel<?> channel,
            final ServerSpec.Member member,
            final NatsParameters parameters,
            final String more) {
        return new ServerSpec(
                List.of(
                        PROGRAM.required(channel).toString(),
                        "-c",
                        member.folder().resolve(CONFIGURATION).toString()),
                Map.of(
                        CONFIGURATION,
                        """
                        listen: "%s"
                        max_payload: %d
                        %s
                        """
                                .formatted(
                                        member.address().authority(),
                                        parameters.server().maxPayloadBytes() + HEADER_BYTES,
                                        more)),
                "Server is ready",
                "[FTL] ",
                List.of("[ERR]", "[FTL]"),
                START_PATIENCE);
    }

    /** Whether the program is of 2.10 or later, which syncs when configured to. */
    static boolean syncsOnRequest(final BrokerChannel<?> channel) {
        final Matcher version = VERSION.matcher(PROGRAM.printed(channel, "--version"));
        if (!version.find()) {
            throw channel.failed(PROGRAM.name() + " does not report its version", null);
        }
        final int major = Integer.parseInt(version.group(1));
        return major > 2 || major == 2 && Integer.parseInt(version.group(2)) >= 10;
    }

    static void checkSubject(final BrokerChannel<?> channel, final NatsParameters parameters) {
        if (!parameters.subject().matches(TOKENS)) {
            throw channel.wrong(
                    "?subject=%s is not a subject; use letters, digits, dashes, underscores and single dots between"
                            .formatted(parameters.subject()));
        }
    }

    /** The part of a subject derived from a topic. */
    static String tokens(final Topic topic) {
        if (!topic.name().matches(TOKENS)) {
            throw UserError.usage(
                    "--topics: '%s' cannot be a subject of NATS; use single dots, and none at its ends."
                            .formatted(topic.name()));
        }
        return topic.name();
    }
}

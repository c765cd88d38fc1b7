package io.tickmark.workloads.fix.client;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import java.time.Duration;
import java.util.List;

/**
 * Settings of the consumers.
 *
 * @param client settings shared with producers
 * @param consumersPort of the gateway
 * @param consumers how many sessions
 * @param progressEvery messages between two lines of progress
 * @param consumerPrefix how their CompIDs begin
 * @param symbols to request, empty to take what is sent
 * @param incremental whether incremental updates are requested
 * @param stalled how many of the sessions stop reading
 * @param exitAtEnd whether they end when the gateway logs them out
 * @param idleTimeout without a message after which they end, zero for never
 */
public record ConsumersSettings(
        ClientOptions client,
        @Setting(
                        help = "Port of the gateway.",
                        byDefault = "3001",
                        min = 0,
                        max = 65535,
                        aliases = {"--port"})
                int consumersPort,
        @Setting(help = "Sessions.", byDefault = "1", min = 1, max = 10_000) int consumers,
        @Setting(
                        help = "Messages between two lines of progress; 0 for none.",
                        byDefault = "1000",
                        min = 0)
                long progressEvery,
        @Setting(
                        help = "CompIDs of consumers are this and a number.",
                        byDefault = "CONSUMER",
                        label = "TEXT")
                String consumerPrefix,
        @Setting(
                        help =
                                "Symbols to ask for with a MarketDataRequest (35=V); none: take what is sent.",
                        label = "SYMBOL,...")
                List<String> symbols,
        @Setting(help = "Ask for incremental updates (35=X).") boolean incremental,
        @Setting(
                        help =
                                "How many of the sessions stop reading when the measurement begins, to be slow"
                                        + " consumers; their messages are not expected. At least one reads.",
                        byDefault = "0",
                        min = 0,
                        max = 10_000)
                int stalled,
        @Setting(help = "End when the gateway has logged all sessions out.", byDefault = "true")
                boolean exitAtEnd,
        @Setting(
                        help = "End when no message has arrived for this long; 0 for never.",
                        byDefault = "0",
                        max = 86_400e9)
                Duration idleTimeout) {
    /** Refuses contradictions. */
    public ConsumersSettings {
        if (stalled >= consumers) { // a session that does not read does not receive the end either
            throw UserError.usage(
                    "--stalled %d: there are only %d consumers, and one has to read; give more --consumers."
                            .formatted(stalled, consumers));
        }
    }
}

package io.tickmark.workloads.messaging;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import java.util.List;

/**
 * Options of Ultra Messaging's own test tools that name its configuration; they parse, and say what
 * is missing.
 *
 * @param persist {@code r} or {@code s}: a store is wanted; empty for streaming
 * @param xmlConfig an Ultra Messaging XML configuration
 * @param config an Ultra Messaging configuration file
 */
public record UmSettings(
        @Setting(
                        help = "Ultra Messaging: persistence, receiver- (r) or source-paced (s).",
                        aliases = {"-p"},
                        label = "r|s")
                String persist,
        @Setting(
                        help = "Ultra Messaging: its XML configuration.",
                        aliases = {"-x"},
                        label = "FILE")
                String xmlConfig,
        @Setting(
                        help = "Ultra Messaging: its configuration file; may be repeated.",
                        aliases = {"-c"},
                        label = "FILE")
                List<String> config) {

    /**
     * Says which engine is missing where one of these is given.
     *
     * @throws UserError an environment error that names the option and the engine
     */
    public void requireEngine() {
        if (!xmlConfig.isEmpty() || !config.isEmpty()) {
            throw UserError.environment(
                    (xmlConfig.isEmpty() ? "-c " + config.getFirst() : "-x " + xmlConfig)
                            + ": this configures Ultra Messaging, whose engine is missing here;"
                            + " leave it out and name a channel of an engine that 'tickmark engines'"
                            + " lists, for example --channel aeron:ipc.");
        }
        if (!persist.isEmpty()) {
            throw UserError.environment(
                    "-p "
                            + persist
                            + ": this asks for a store, and no engine with a store is here; leave it out to stream.");
        }
    }
}

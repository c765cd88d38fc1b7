package io.tickmark.cli;

import io.tickmark.cli.option.DdsLatencyDialect;
import io.tickmark.cli.option.Dialect;
import io.tickmark.cli.option.EmaPerfDialect;
import io.tickmark.cli.option.SockPerfDialect;
import io.tickmark.cli.option.UmPerfDialect;
import io.tickmark.kernel.settings.SettingDescriptor;
import java.util.List;
import java.util.Map;

/** The words of other tools, for the tables of the documentation. */
public final class Dialects {
    private static final Map<String, Dialect> OF_ROLES =
            Map.ofEntries(
                    Map.entry("latency-pub", new DdsLatencyDialect()),
                    Map.entry("latency-sub", new DdsLatencyDialect()),
                    Map.entry("stream-pub", UmPerfDialect.STREAM),
                    Map.entry("stream-sub", UmPerfDialect.STREAM),
                    Map.entry("store", UmPerfDialect.STORE),
                    Map.entry("jitter", UmPerfDialect.JITTER),
                    Map.entry("market-consumer", EmaPerfDialect.CONSUMER),
                    Map.entry("market-provider", EmaPerfDialect.PROVIDER),
                    Map.entry("market-publisher", EmaPerfDialect.PUBLISHER),
                    Map.entry("market-hub", EmaPerfDialect.HUB),
                    Map.entry("market-transport-sender", EmaPerfDialect.TRANSPORT),
                    Map.entry("market-transport-receiver", EmaPerfDialect.TRANSPORT));

    private Dialects() {}

    /**
     * How other tools spell the settings of a role.
     *
     * @param role its name
     * @return spelling to key
     */
    public static Map<String, String> spellings(final String role) {
        return OF_ROLES.getOrDefault(role, Dialect.NONE).spellings();
    }

    /**
     * Options of 'socket' and both of its sides.
     *
     * @return in order
     */
    public static List<SettingDescriptor> socket() {
        return new SockPerfDialect(false, true).options();
    }

    /**
     * Options of 'socket' and 'socket pub'.
     *
     * @return in order
     */
    public static List<SettingDescriptor> socketPub() {
        return new SockPerfDialect(true, true)
                .options().stream().filter(option -> !socket().contains(option)).toList();
    }
}

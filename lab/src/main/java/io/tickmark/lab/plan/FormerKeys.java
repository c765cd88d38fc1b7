package io.tickmark.lab.plan;

import java.util.Map;
import java.util.Optional;

/**
 * Settings that plans once had and no role has any more: a plan that still has one is refused with
 * its replacement. A key that only changed its name is listed in its setting itself.
 */
final class FormerKeys {
    private static final String PARAMETER = "it is a parameter of the channel now: ";
    private static final String NO_CONFIGURATION =
            "no engine here reads a configuration of Ultra Messaging; leave it out, and name a channel.";

    private static final Map<String, String> NOW =
            Map.ofEntries(
                    Map.entry(
                            "domainId", "the channel names the domain now: channels: [dds://88]."),
                    Map.entry("nic", PARAMETER + "dds://88?nic=192.0.2.1."),
                    Map.entry("transport", PARAMETER + "dds://88?transport=1."),
                    Map.entry("peer", PARAMETER + "dds://88?peer=192.0.2.2,192.0.2.3."),
                    Map.entry("reliable", PARAMETER + "dds://88?reliable=true."),
                    Map.entry(
                            "multicastReceiveAddress",
                            PARAMETER
                                    + "dds://88?multicast=225.1.2.3; a subscriber with a group of its own has"
                                    + " channelParameters: [multicast=225.3.2.1]."),
                    Map.entry("multicastTtl", PARAMETER + "dds://88?ttl=1."),
                    Map.entry("library", PARAMETER + "dds://88?library=/opt/lib/libddsc.so."),
                    Map.entry(
                            "persist",
                            "the channel says when its store deletes now: archive:?deletion=kept for s,"
                                    + " archive:?deletion=acknowledged for r."),
                    Map.entry("xmlConfig", NO_CONFIGURATION),
                    Map.entry("config", NO_CONFIGURATION));

    private FormerKeys() {}

    /** The replacement of a key, as the end of a sentence; empty where there was no such key. */
    static Optional<String> now(final String key) {
        return Optional.ofNullable(NOW.get(key));
    }
}

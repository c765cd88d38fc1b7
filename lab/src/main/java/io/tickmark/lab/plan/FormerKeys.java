package io.tickmark.lab.plan;

import java.util.Map;
import java.util.Optional;

/**
 * Keys that look like settings of a role and are none: those that plans once had, and options that
 * commands accept for the command lines of other tools. A plan that has one is refused with what
 * says the same. A key that only changed its name is listed in its setting itself.
 */
final class FormerKeys {
    private static final String PARAMETER = "it is a parameter of the channel now: ";
    private static final String DESTINATION =
            "the channel says where datagrams go: channels: [mcast://239.192.0.77:14400], or"
                    + " [udp://192.0.2.1:14400] for unicast.";
    private static final String TUNING =
            "it is a parameter of the channel: mcast://239.192.0.77:14400?";
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
                    Map.entry("generic", "true is sendPath: offer now, false is the default."),
                    Map.entry("xmlConfig", NO_CONFIGURATION),
                    Map.entry("config", NO_CONFIGURATION),
                    Map.entry(
                            "useServiceId",
                            "it never had an effect: messages name the service by its id; leave it out."),
                    Map.entry(
                            "measureDecode",
                            "only market-consumer and market-provider decode; leave it out elsewhere."),
                    Map.entry("group", DESTINATION),
                    Map.entry("address", DESTINATION),
                    Map.entry("port", DESTINATION),
                    Map.entry("interface", TUNING + "interface=192.0.2.1."),
                    Map.entry("ttl", TUNING + "ttl=1."),
                    Map.entry("batch", TUNING + "batch=20."),
                    Map.entry("sendBufferBytes", TUNING + "sendBufferBytes=4M."),
                    Map.entry("receiveBufferBytes", TUNING + "receiveBufferBytes=4M."),
                    Map.entry("busyPollUs", TUNING + "busyPollUs=50."),
                    Map.entry("tos", TUNING + "tos=184."),
                    Map.entry("kernelTimes", TUNING + "kernelTimes=true."),
                    Map.entry("sleepUs", "it is two settings: pace: sleep, and sleep: 50us."));

    private FormerKeys() {}

    /** What says the same as a key, as the end of a sentence; empty where there is no such key. */
    static Optional<String> now(final String key) {
        return Optional.ofNullable(NOW.get(key));
    }
}

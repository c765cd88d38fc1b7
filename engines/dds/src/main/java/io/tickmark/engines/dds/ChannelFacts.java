package io.tickmark.engines.dds;

import io.tickmark.kernel.settings.SettingDescriptor;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a channel says about itself for the result. */
final class ChannelFacts {
    private ChannelFacts() {}

    static Map<String, Object> of(final DdsChannel channel) {
        final Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("ddsLibrary", CycloneLibrary.get().file());
        facts.put("domain", channel.domain());
        facts.put("nic", channel.network().nic());
        facts.put("discovery", word(channel.network().discovery()));
        facts.put("receive", word(channel.parameters().receive()));
        facts.put("reliability", channel.parameters().reliable() ? "reliable" : "best-effort");
        facts.put("history", channel.keepsAll() ? "keep-all" : "keep-last " + channel.depth());
        if (!channel.network().group().isEmpty()) {
            facts.put("multicast", channel.network().group());
        }
        facts.put("transport", channel.carrier().word());
        Sockets.addFacts(channel.domain(), facts);
        facts.put("threadPriorities", ThreadPriorities.priorities());
        return facts;
    }

    private static String word(final Enum<?> value) {
        return SettingDescriptor.word(value);
    }
}

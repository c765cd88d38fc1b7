package io.tickmark.workloads.market.hub;

import com.refinitiv.eta.valueadd.reactor.ReactorChannel;
import java.util.HashMap;
import java.util.Map;
import org.agrona.collections.Int2ObjectHashMap;

/** A consumer that is connected and logged in. */
final class HubConsumer {
    /** No stream. */
    static final int NONE = Integer.MIN_VALUE;

    private final ReactorChannel channel;
    private final String name;
    private final int loginStream;
    private final Outbox outbox;
    private final Int2ObjectHashMap<ItemSubscription> streams = new Int2ObjectHashMap<>();
    private final Map<HubService, Boolean> standbyByService = new HashMap<>();
    private boolean standby;
    private int directoryStream = NONE;

    HubConsumer(
            final ReactorChannel channel,
            final String name,
            final int loginStream,
            final Outbox outbox) {
        this.channel = channel;
        this.name = name;
        this.loginStream = loginStream;
        this.outbox = outbox;
    }

    ReactorChannel channel() {
        return channel;
    }

    /** For lines to the user. */
    String name() {
        return name;
    }

    int loginStream() {
        return loginStream;
    }

    Outbox outbox() {
        return outbox;
    }

    /** Item streams by id. */
    Int2ObjectHashMap<ItemSubscription> streams() {
        return streams;
    }

    /** Whether it has another server for a service, and the hub is on standby. */
    boolean isStandby(final HubService service) {
        return standbyByService.getOrDefault(service, standby);
    }

    /** It has stated so for all services. */
    void standby(final boolean isStandby) {
        standby = isStandby;
        standbyByService.clear();
    }

    /** It has stated so for a service. */
    void standby(final HubService service, final boolean isStandby) {
        standbyByService.put(service, isStandby);
    }

    int directoryStream() {
        return directoryStream;
    }

    void directoryStream(final int streamId) {
        directoryStream = streamId;
    }
}

package io.tickmark.workloads.market.transport;

import io.tickmark.kernel.role.HotThread;

/** Names that both sides of the test share. */
final class TransportFactories {
    /** Name of the endpoint at which the sender listens. */
    static final String ENDPOINT = "rssl-transport";

    static final HotThread SENDER_THREAD = new HotThread("transport-sender");
    static final HotThread RECEIVER_THREAD = new HotThread("transport-receiver");

    private TransportFactories() {}
}

package io.tickmark.engines.dds;

/** How participants find each other. */
enum Discovery {
    /** Peers where some are given; multicast where an interface is given; else this host only. */
    AUTO,
    /** Over the loopback interface, unicast. */
    HOST,
    /** Unicast to the peers given. */
    PEERS,
    /** Over the standard multicast group on the interface given. */
    MULTICAST
}

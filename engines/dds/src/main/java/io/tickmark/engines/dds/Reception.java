package io.tickmark.engines.dds;

/** How a subscription detects samples. */
enum Reception {
    /** The library's receive thread notifies it with a DDS listener. */
    LISTENER,
    /** The polling thread queries the reader each time; where it waits, on a DDS waitset. */
    POLLING
}

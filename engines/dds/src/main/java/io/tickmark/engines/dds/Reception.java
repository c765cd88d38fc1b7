package io.tickmark.engines.dds;

/** How a subscription learns of samples. */
enum Reception {
    /** The library's receive thread tells, by a DDS listener. */
    LISTENER,
    /** The polling thread asks the reader each time; where it waits, on a DDS waitset. */
    POLLING
}

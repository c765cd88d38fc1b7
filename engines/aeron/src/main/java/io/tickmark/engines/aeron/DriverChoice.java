package io.tickmark.engines.aeron;

/** Which media driver carries a channel. */
enum DriverChoice {
    /** The one in {@code aeronDir} where that is given, otherwise one of this process. */
    AUTO,
    /** One of this process; on {@code aeron:ipc} the side that does not host it joins it. */
    EMBEDDED,
    /** One that is already running, in {@code aeronDir} or Aeron's default directory. */
    EXTERNAL
}

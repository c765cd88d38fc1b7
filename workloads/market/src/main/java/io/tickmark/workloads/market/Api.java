package io.tickmark.workloads.market;

/** Which library a role runs on. */
public enum Api {
    /** The Transport API with its Reactor: buffers packed and written by the role itself. */
    ETA,
    /** The Message API, which most applications use; it is built on the other. */
    EMA
}

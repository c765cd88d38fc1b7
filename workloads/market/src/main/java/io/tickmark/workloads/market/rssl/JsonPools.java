package io.tickmark.workloads.market.rssl;

import com.refinitiv.eta.json.util.JsonFactory;

/**
 * The objects that the vendor's JSON converter takes from pools that all connections of a process
 * share. The library fills the pools when the first connection is made, without a lock against a
 * second that is made at the same time: its threads then fail with indexes beyond an array. Filled
 * once and before all connections, the pools are safe, as the library locks them from then on.
 */
public final class JsonPools {
    static {
        JsonFactory.initPools(JsonFactory.JSON_CONVERTER_DEFAULT_POOLS_SIZE);
    }

    private JsonPools() {}

    /** Fills them, once in a process; from any thread, before a connection is made. */
    public static void fill() {
        // the class is initialised by the first caller, and all others wait for it
    }
}

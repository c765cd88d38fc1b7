package io.tickmark.workloads.messaging.store;

import io.tickmark.kernel.settings.Setting;
import java.time.Duration;

/**
 * How long a role waits for a store that is gone.
 *
 * @param storeTimeout until it gives up
 */
public record StoreWaitSettings(
        @Setting(
                        help =
                                "With a store: how long to wait for it to come back when it is lost.",
                        byDefault = "30s",
                        min = 1e8,
                        max = 3.6e12)
                Duration storeTimeout) {}

package io.tickmark.engines.mqtt;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.transport.broker.BrokerSettings;
import io.tickmark.transport.broker.Credentials;

/** Parameters of an MQTT channel. */
record MqttParameters(
        BrokerSettings broker,
        Credentials credentials,
        @Setting(help = "Version of the protocol: 3.1.1 or 5.", byDefault = "5", label = "3.1.1|5")
                String version,
        @Setting(
                        help =
                                "How a message is delivered, to the broker and from it: 0 at most once, 1 at least once, 2"
                                        + " exactly once.",
                        byDefault = "0",
                        min = 0,
                        max = 2)
                int qos,
        @Setting(
                        help =
                                "Maximum messages in flight without an answer; more is back-pressure. Also what a broker that is"
                                        + " started may send ahead with qos=1 and 2.",
                        byDefault = "4096",
                        min = 1,
                        max = 65_000)
                int maxFlight,
        @Setting(
                        help = "Maximum bytes in flight without an answer; more is back-pressure.",
                        byDefault = "4194304",
                        unit = "bytes",
                        min = 1024,
                        max = 1 << 30)
                int sendPendingBytes,
        @Setting(
                        help =
                                "Maximum bytes that may wait in the client for a slow subscriber; more is dropped and counted"
                                        + " with qos=0, and not acknowledged yet with qos=1 and 2.",
                        byDefault = "67108864",
                        unit = "bytes",
                        min = 1024,
                        max = 1 << 30)
                int receivePendingBytes)
        implements Credentials.Asked {
    static final String V3 = "3.1.1";
    static final String V5 = "5";
}

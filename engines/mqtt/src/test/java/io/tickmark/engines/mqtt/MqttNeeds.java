package io.tickmark.engines.mqtt;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tickmark.transport.store.ServerProcess;

/** What tests need from the system; without it they are skipped, and say why. */
final class MqttNeeds {
    private MqttNeeds() {}

    static void broker() {
        final var absence = new MqttTransport().missing();
        assumeTrue(absence.isEmpty(), () -> absence.orElseThrow());
    }

    static void otherClient() {
        assumeTrue(
                ServerProcess.find("mosquitto_sub").isPresent(),
                "no other client: Debian's package is mosquitto-clients");
    }
}

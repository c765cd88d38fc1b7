package io.tickmark.engines.omb;

/** The driver is called on the publisher's thread. */
class OmbOnCallersThreadContractTest extends OmbContractTest {
    @Override
    String parameters() {
        return "?sendThread=false|keys=7";
    }
}

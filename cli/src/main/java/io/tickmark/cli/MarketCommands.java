package io.tickmark.cli;

/** The market-data tools, each by hand. */
final class MarketCommands {
    private MarketCommands() {}

    static Command consumer() {
        return new RoleCommand(
                "market consumer",
                "Connects to a provider or hub, requests items, and tells how fast the images came, how many updates follow,"
                        + " and how long they take. It waits for its provider.",
                "./tickmark market consumer -h 127.0.0.1 -p 14002 -itemCount 10000 -steadyStateTime 30");
    }

    static Command provider() {
        return new RoleCommand(
                "market provider",
                "Accepts consumers, sends the images that they ask for, and updates at a rate.",
                "./tickmark market provider -p 14002 -updateRate 100000 -runTime 60");
    }

    static Command publisher() {
        return new RoleCommand(
                "market publisher",
                "Connects to a hub as a non-interactive provider, publishes an image of each item, then updates at a rate."
                        + " It waits for its hub.",
                "./tickmark market publisher -h 127.0.0.1 -p 14003 -itemCount 10000 -updateRate 100000 -runTime 60");
    }

    static Command hub() {
        return new RoleCommand(
                "market hub",
                "Takes interactive and non-interactive providers in, keeps the last image of each item, and serves consumers."
                        + " It stands in for a distribution system.",
                "./tickmark market hub -p 14002 --publisher-port 14003 --providers 127.0.0.1:14010");
    }
}

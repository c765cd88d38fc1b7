package io.tickmark.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** All commands, in the order and the groups of the help; only the one chosen is made. */
final class Contents {
    /**
     * A line of the table of contents.
     *
     * @param name of the command, one or two words
     * @param summary what it does, in a few words
     * @param command makes it
     */
    record Entry(String name, String summary, Supplier<Command> command) {}

    private final Map<String, List<Entry>> groups = new LinkedHashMap<>();

    Contents() {
        groups.put("Measure", measure());
        groups.put("One side by hand", byHand());
        groups.put("FIX by hand", fix());
        groups.put("Price feed by hand", feed());
        groups.put("Look", look());
        groups.put("Project", project());
    }

    private static List<Entry> measure() {
        return List.of(
                new Entry("run", "do plans; all sections where none is named", RunCommand::new),
                new Entry(
                        "latency",
                        "round trips, a whole test on this machine",
                        LocalTestCommand::latency),
                new Entry(
                        "stream",
                        "one-way messages, a whole test on this machine",
                        LocalTestCommand::stream),
                new Entry("search", "the highest rate at which a plan holds", SearchCommand::new),
                new Entry("jitter", "when the cores did not run", JitterCommand::new),
                new Entry(
                        "console",
                        "a price feed, its latency and its limits in a browser",
                        ConsoleCommand::new),
                new Entry(
                        "calibrate",
                        "the bench measures itself, programmed beside measured",
                        CalibrateCommand::new));
    }

    private static List<Entry> byHand() {
        return List.of(
                new Entry("latency pub", "send pings, time their echoes", RoleCommand::latencyPub),
                new Entry("latency sub", "receive pings, echo them", RoleCommand::latencySub),
                new Entry("stream pub", "send a stream", RoleCommand::streamPub),
                new Entry("stream sub", "receive a stream", RoleCommand::streamSub),
                new Entry(
                        "market consumer",
                        "request items, decode and time what comes",
                        MarketCommands::consumer),
                new Entry(
                        "market provider",
                        "answer consumers with images and updates",
                        MarketCommands::provider),
                new Entry(
                        "market publisher",
                        "publish images and updates into a hub",
                        MarketCommands::publisher),
                new Entry(
                        "market hub",
                        "take providers in, keep last images, serve consumers",
                        MarketCommands::hub),
                new Entry(
                        "market transport",
                        "opaque messages over the RSSL transport alone",
                        MarketTransportCommand::new),
                new Entry(
                        "market certificate",
                        "make a keystore for encrypted tests",
                        CertificateCommand::new));
    }

    private static List<Entry> look() {
        return List.of(
                new Entry("wire", "latency on the wire, from a capture file", WireCommand::new),
                new Entry("capture", "take a capture with tcpdump", CaptureCommand::new),
                new Entry("report", "make the report of a result folder again", ReportCommand::new),
                new Entry("doctor", "what on this machine hurts figures", DoctorCommand::new),
                new Entry("plans", "the plans that come with tickmark", PlansCommand::new),
                new Entry(
                        "engines",
                        "what can be measured here, and why something cannot",
                        EnginesCommand::new));
    }

    private List<Entry> project() {
        return List.of(
                new Entry("test", "run every test of the project", TestCommand::new),
                new Entry("help", "how to use a command", () -> new HelpCommand(this)));
    }

    private static List<Entry> fix() {
        return List.of(
                new Entry(
                        "fix gateway",
                        "fan FIX messages out from producers to consumers",
                        RoleCommand::fixGateway),
                new Entry(
                        "fix consumers",
                        "receive FIX messages on many sessions",
                        RoleCommand::fixConsumers),
                new Entry(
                        "fix producers",
                        "send FIX messages on many sessions",
                        RoleCommand::fixProducers));
    }

    private static List<Entry> feed() {
        return List.of(
                new Entry(
                        "feed server",
                        "make a price feed, push it to clients",
                        RoleCommand::feedServer),
                new Entry(
                        "feed clients",
                        "receive a price feed as many clients",
                        RoleCommand::feedClients));
    }

    Map<String, List<Entry>> groups() {
        return groups;
    }

    Optional<Entry> find(final String name) {
        return entries().stream().filter(entry -> entry.name().equals(name)).findFirst();
    }

    List<Entry> entries() {
        return groups.values().stream().flatMap(List::stream).toList();
    }
}

package io.tickmark.cli.command;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * All commands, in the order and the groups of the help; only the chosen one is created. Each is
 * created by a separate lambda and not by a method reference, which would load its class for the
 * help.
 */
final class CommandTable {
    /**
     * A line of the table.
     *
     * @param name of the command, one or two words
     * @param summary what it does, in a few words
     * @param command creates it
     */
    record Entry(String name, String summary, Supplier<Command> command) {}

    private final Map<String, List<Entry>> groups = new LinkedHashMap<>();

    CommandTable() {
        groups.put("Measure", measure());
        groups.put("One side by hand", byHand());
        groups.put("FIX by hand", fix());
        groups.put("Price feed by hand", feed());
        groups.put("Inspect", inspect());
        groups.put("Project", project());
    }

    private static List<Entry> measure() {
        return List.of(
                new Entry(
                        "quick",
                        "what this machine can resolve, in a minute",
                        () -> new QuickCommand()),
                new Entry(
                        "run",
                        "run plans; the default plan if none is named",
                        () -> new RunCommand()),
                new Entry(
                        "latency",
                        "round-trip latency: a whole test on this machine",
                        () -> LocalTestCommand.latency()),
                new Entry(
                        "stream",
                        "one-way messages: a whole test on this machine",
                        () -> LocalTestCommand.stream()),
                new Entry(
                        "socket",
                        "bare sockets without an engine: a whole test on this machine",
                        () -> LocalTestCommand.socket()),
                new Entry(
                        "search",
                        "the highest rate that a plan sustains",
                        () -> new SearchCommand()),
                new Entry(
                        "burst",
                        "the buffer that bursts need, and whether there is enough",
                        () -> new BurstCommand()),
                new Entry(
                        "cores",
                        "which cores a plan's hot threads run best on",
                        () -> new CoresCommand()),
                new Entry(
                        "jitter",
                        "how often and how long the cores stalled",
                        () -> new JitterCommand()),
                new Entry(
                        "console",
                        "a price feed, its latency and its limits in a browser",
                        () -> new ConsoleCommand()),
                new Entry(
                        "calibrate",
                        "measure the bench itself: programmed delays beside measured ones",
                        () -> ShippedPlanCommand.calibrate()));
    }

    private static List<Entry> byHand() {
        return List.of(
                new Entry(
                        "latency pub",
                        "send pings, time their echoes",
                        () -> RoleCommand.latencyPub()),
                new Entry(
                        "latency sub", "receive pings, echo them", () -> RoleCommand.latencySub()),
                new Entry("stream pub", "send a stream", () -> RoleCommand.streamPub()),
                new Entry("stream sub", "receive a stream", () -> RoleCommand.streamSub()),
                new Entry(
                        "store", "run a store that streams go through", () -> RoleCommand.store()),
                new Entry(
                        "socket pub",
                        "send datagrams without an engine",
                        () -> RoleCommand.socketPub()),
                new Entry("socket sub", "receive them", () -> RoleCommand.socketSub()),
                new Entry(
                        "market consumer",
                        "request items, decode and time what arrives",
                        () -> RoleCommand.marketConsumer()),
                new Entry(
                        "market provider",
                        "answer consumers with images and updates",
                        () -> RoleCommand.marketProvider()),
                new Entry(
                        "market publisher",
                        "publish images and updates into a hub",
                        () -> RoleCommand.marketPublisher()),
                new Entry(
                        "market hub",
                        "accept providers, keep last images, serve consumers",
                        () -> RoleCommand.marketHub()),
                new Entry(
                        "market transport",
                        "send opaque messages over the RSSL transport alone",
                        () -> ShippedPlanCommand.marketTransport()),
                new Entry(
                        "market certificate",
                        "make a keystore for encrypted tests",
                        () -> new CertificateCommand()));
    }

    private static List<Entry> inspect() {
        return List.of(
                new Entry(
                        "wire",
                        "latency on the wire, from a capture file",
                        () -> new WireCommand()),
                new Entry("capture", "take a capture with tcpdump", () -> new CaptureCommand()),
                new Entry(
                        "report",
                        "write the report of a result folder again",
                        () -> new ReportCommand()),
                new Entry(
                        "why",
                        "the slowest messages of a run, and what delayed them",
                        () -> new WhyCommand()),
                new Entry(
                        "compare",
                        "whether one run is better or worse than another",
                        () -> new CompareCommand()),
                new Entry(
                        "history",
                        "how a plan's figures changed from run to run",
                        () -> new HistoryCommand()),
                new Entry(
                        "history add", "add the runs of result folders", () -> HistoryChange.add()),
                new Entry("history tag", "tag a run", () -> HistoryChange.tag()),
                new Entry(
                        "history delete",
                        "remove runs from the history",
                        () -> HistoryChange.delete()),
                new Entry(
                        "doctor",
                        "what on this machine distorts measurements",
                        () -> new DoctorCommand()),
                new Entry("plans", "the plans that come with tickmark", () -> new PlansCommand()),
                new Entry(
                        "plans import",
                        "make a plan from another tool's workload",
                        () -> new PlanImportCommand()),
                new Entry(
                        "engines",
                        "what can be measured here, and why an engine cannot",
                        () -> new EnginesCommand()));
    }

    private List<Entry> project() {
        return List.of(
                new Entry("test", "run every test of the project", () -> new TestCommand()),
                new Entry("help", "how to use a command", () -> new HelpCommand(this)));
    }

    private static List<Entry> fix() {
        return List.of(
                new Entry(
                        "fix gateway",
                        "fan FIX messages out from producers to consumers",
                        () -> RoleCommand.fixGateway()),
                new Entry(
                        "fix consumers",
                        "receive FIX messages on many sessions",
                        () -> RoleCommand.fixConsumers()),
                new Entry(
                        "fix producers",
                        "send FIX messages on many sessions",
                        () -> RoleCommand.fixProducers()));
    }

    private static List<Entry> feed() {
        return List.of(
                new Entry(
                        "feed server",
                        "make a price feed, push it to clients",
                        () -> RoleCommand.feedServer()),
                new Entry(
                        "feed clients",
                        "receive a price feed as many clients",
                        () -> RoleCommand.feedClients()),
                new Entry(
                        "feed publisher",
                        "make a price feed, send it on a channel",
                        () -> RoleCommand.feedPublisher()));
    }

    Map<String, List<Entry>> groups() {
        return groups;
    }

    Optional<Entry> find(final String name) {
        return entries().stream().filter(entry -> entry.name().equals(name)).findFirst();
    }

    /** Commands of two words that begin with this one. */
    List<Entry> below(final String word) {
        return entries().stream().filter(entry -> entry.name().startsWith(word + " ")).toList();
    }

    List<Entry> entries() {
        return groups.values().stream().flatMap(List::stream).toList();
    }
}

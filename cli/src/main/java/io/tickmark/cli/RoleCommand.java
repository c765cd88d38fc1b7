package io.tickmark.cli;

import io.tickmark.kernel.record.Progress;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.host.HandRun;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.lab.result.ResultFolder;
import io.tickmark.lab.result.ResultJson;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** One role by hand, in this process: {@code latency pub} and its like. */
final class RoleCommand implements Command {
    /**
     * Options beside the role's own.
     *
     * @param connectTimeout how long it looks for the other side
     * @param out folder for its result and its files
     * @param json whether the result goes to standard output as JSON
     * @param quiet whether nothing is said on the way
     * @param verbose whether progress is said each second
     */
    record ByHand(
            @Setting(
                            help = "How long to wait for the other side.",
                            byDefault = "60s",
                            min = 1e6,
                            max = 86_400e9)
                    Duration connectTimeout,
            @Setting(
                            help =
                                    "Folder for result.json and the role's files, new or empty; none are written where"
                                            + " left out.",
                            label = "DIR")
                    String out,
            @Setting(help = "Print the result as JSON to standard output, and nothing else.")
                    boolean json,
            @Setting(help = "Say nothing on the way.") boolean quiet,
            @Setting(help = "Say each second how far it is; errors come with their stack trace.")
                    boolean verbose) {}

    /** It has no end of its own against a gateway of somebody else. */
    private static final String ENDS_ON_ENTER = "fix consumers";

    /**
     * They go on until Ctrl-C: it is no failure of theirs, unless they were given a time to run.
     */
    private static final Set<String> END_ON_A_SIGNAL =
            Set.of("fix gateway", ENDS_ON_ENTER, "store", "market hub");

    private static final String RUN_TIME = "runTime";

    private final RoleFactory<?> factory;
    private final String command;
    private final String description;
    private final String example;
    private final PositionalSettings positional;
    private final Dialect dialect;

    RoleCommand(final String command, final String description, final String example) {
        this(command, description, example, PositionalSettings.NONE);
    }

    private RoleCommand(
            final String command,
            final String description,
            final String example,
            final PositionalSettings positional) {
        this(command, command.replace(' ', '-'), description, example, positional, Dialect.NONE);
    }

    private RoleCommand(
            final String command,
            final String role,
            final String description,
            final String example,
            final PositionalSettings positional,
            final Dialect dialect) {
        this.command = command;
        this.description = description;
        this.example = example;
        this.positional = positional;
        this.dialect = dialect;
        factory = RoleCatalog.load().find(role);
    }

    static Command latencyPub() {
        return new RoleCommand(
                "latency pub",
                "Sends pings, waits for their echoes and tells the round-trip times. It waits for its subscribers"
                        + " first, and counts"
                        + " them in.",
                "./tickmark latency pub --channel udp://127.0.0.1:4001 -subscribers 1 -numIter 100000");
    }

    static Command feedServer() {
        return new RoleCommand(
                "feed server",
                "Makes a price feed and pushes it to the clients that connect; browsers and 'feed clients' alike.",
                "./tickmark feed server --port 8401 --rate 800 --symbols 400 --duration 60s");
    }

    static Command feedClients() {
        return new RoleCommand(
                "feed clients",
                "Connects many clients without a browser to a feed server, and tells how long messages took.",
                "./tickmark feed clients --server http://127.0.0.1:8401 --clients 500 --flush 2ms --duration 10s");
    }

    static Command feedPublisher() {
        return new RoleCommand(
                "feed publisher",
                "Makes a price feed and sends it on a channel of any engine, for a 'console' or a 'feed server' that has the"
                        + " channel as its --source.",
                "./tickmark feed publisher --channel shm://prices --rate 20k --duration 60s");
    }

    static Command latencySub() {
        return new RoleCommand(
                "latency sub",
                "Receives pings. Of several subscribers the one with the highest cookie sends them back; the "
                        + "others get -noecho.",
                "./tickmark latency sub --channel udp://127.0.0.1:4001 -cookie 1");
    }

    static Command streamPub() {
        return new RoleCommand(
                "stream pub",
                "Sends a stream of messages, and tells how many and how fast.",
                "./tickmark stream pub --channel udp://127.0.0.1:4002 -m 700 -n 1000000 -r 100000");
    }

    static Command streamSub() {
        return new RoleCommand(
                "stream sub",
                "Receives a stream, and tells what was received, lost, duplicated or out of order.",
                "./tickmark stream sub --channel udp://127.0.0.1:4002");
    }

    static Command store() {
        return new RoleCommand(
                "store",
                "Runs a store until Ctrl-C, then reads it back from disk. 'stream pub' and 'stream sub' go through it"
                        + " with the channel that it prints.",
                "./tickmark store archive:",
                PositionalSettings.of("channel"));
    }

    static Command socketPub() {
        return new RoleCommand(
                "socket pub",
                "stream-pub",
                "Sends datagrams to a multicast group, or by unicast, with no engine between: at a rate, with a sleep"
                        + " after each, or as fast as the socket takes them.",
                "./tickmark socket pub -g 239.192.0.77 -m 700 -n 1000000 -r 100000",
                PositionalSettings.NONE,
                new SocketDialect(true, true));
    }

    static Command socketSub() {
        return new RoleCommand(
                "socket sub",
                "stream-sub",
                "Receives what 'socket pub' sends, and tells what was received, lost, duplicated or out of order.",
                "./tickmark socket sub -g 239.192.0.77",
                PositionalSettings.NONE,
                new SocketDialect(false, true));
    }

    static Command fixGateway() {
        return new RoleCommand(
                "fix gateway",
                "Runs a FIX gateway: it takes messages from producers and fans them out to consumers, until Ctrl-C"
                        + " or, with --exit-at-end, until its producers have logged out.",
                "./tickmark fix gateway --slow disconnect");
    }

    static Command fixConsumers() {
        return new RoleCommand(
                "fix consumers",
                "Logs consumers on to a FIX gateway, and times and counts what they receive, until the gateway logs"
                        + " them out, or Enter, or Ctrl-C.",
                "./tickmark fix consumers 127.0.0.1 200 10000",
                PositionalSettings.of("host", "consumers", "progressEvery"));
    }

    static Command fixProducers() {
        return new RoleCommand(
                "fix producers",
                "Logs producers on to a FIX gateway and sends messages at a rate on each session; every so many-th"
                        + " is marked to fan out.",
                "./tickmark fix producers 127.0.0.1 50 100000 100 50",
                PositionalSettings.of("host", "producers", "messages", "rate", "every"));
    }

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage().description(description);
        positional.addTo(spec, SettingDescriptor.of(factory.settings()));
        options().addTo(spec);
        return spec;
    }

    @Override
    public String example() {
        return example;
    }

    @Override
    public int run(final ParseResult arguments, final Terminal terminal) {
        return run(factory, arguments, terminal);
    }

    private <S extends Record> int run(
            final RoleFactory<S> role, final ParseResult arguments, final Terminal terminal) {
        final SettingOptions own = ofTheRole();
        final UnaryOperator<String> naming = positional.naming(own.naming(arguments), arguments);
        final Map<String, Object> values =
                dialect.meant(
                        positional.and(own.values(arguments), own.naming(arguments), arguments),
                        naming);
        final S settings = Settings.read(role.settings(), values, naming);
        role.checkGiven(values, Set.of(), naming);
        StoreOption.check(arguments, role.settings(), List.of(role.channel(settings)));
        final SettingOptions others = byHand();
        final ByHand options =
                Settings.read(ByHand.class, others.values(arguments), others.naming(arguments));
        final Consumer<String> lines = line -> say(!options.quiet(), line, terminal);
        final HandResult<S> result = new HandResult<>(command, role, settings);
        final Optional<ResultFolder> folder =
                options.out().isEmpty()
                        ? Optional.empty()
                        : Optional.of(ResultFolder.at(Path.of(options.out())));
        final HandRun run =
                new HandRun(
                        new HandRun.Options(
                                folder.map(result::files),
                                options.connectTimeout(),
                                lines,
                                progress -> say(options.verbose(), text(progress), terminal)));
        try (Interruption interruption =
                        new Interruption(run::stop, terminal.err(), endsOnASignal(settings));
                EnterKey _ = command.equals(ENDS_ON_ENTER) ? enterKey(run, terminal) : null) {
            final OffsetDateTime startedAt = OffsetDateTime.now();
            final RoleResult found = run.run(role, settings);
            final RunResult told = result.of(startedAt, found, interruption.hasCutShort());
            final boolean isKept = folder.map(kept -> keep(told, kept, terminal)).orElse(true);
            final int exitCode = result.tell(told, options.json(), terminal);
            return isKept || exitCode != 0 ? exitCode : FrontDoor.ENVIRONMENT;
        }
    }

    private boolean endsOnASignal(final Record settings) {
        final String none = Durations.format(Duration.ZERO);
        return END_ON_A_SIGNAL.contains(command)
                && Settings.toMap(settings).getOrDefault(RUN_TIME, none).equals(none);
    }

    /** Whether they are kept: figures that cannot be are told all the same. */
    private static boolean keep(
            final RunResult result, final ResultFolder folder, final Terminal terminal) {
        try {
            folder.write(ResultFolder.RESULT, ResultJson.write(result));
            return true;
        } catch (final UserError e) {
            terminal.err().println("tickmark: " + e.getMessage());
            return false;
        }
    }

    private static EnterKey enterKey(final HandRun run, final Terminal terminal) {
        return new EnterKey(System.in, run::stop, terminal.err());
    }

    private static void say(final boolean wanted, final String line, final Terminal terminal) {
        if (wanted) {
            terminal.err().println(line);
        }
    }

    private static String text(final Progress progress) {
        return "%s %s %s"
                .formatted(
                        ProgressText.duration(progress.elapsedNs()),
                        progress.label(),
                        progress.counters());
    }

    private SettingOptions ofTheRole() {
        return new SettingOptions()
                .add(dialect.options(), Set.of())
                .add(SettingDescriptor.of(factory.settings()), dialect.replaced());
    }

    private SettingOptions options() {
        return ofTheRole().add(SettingDescriptor.of(ByHand.class), Set.of());
    }

    private static SettingOptions byHand() {
        return new SettingOptions().add(SettingDescriptor.of(ByHand.class), Set.of());
    }
}

package io.tickmark.cli.command;

import io.tickmark.cli.option.DdsLatencyDialect;
import io.tickmark.cli.option.Dialect;
import io.tickmark.cli.option.EmaPerfDialect;
import io.tickmark.cli.option.FanOutDialect;
import io.tickmark.cli.option.PositionalSettings;
import io.tickmark.cli.option.SettingOptions;
import io.tickmark.cli.option.SockPerfDialect;
import io.tickmark.cli.option.StoreOption;
import io.tickmark.cli.option.UmPerfDialect;
import io.tickmark.cli.output.ProgressText;
import io.tickmark.cli.output.Terminal;
import io.tickmark.cli.run.Interruption;
import io.tickmark.cli.run.ManualResult;
import io.tickmark.kernel.record.Progress;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.role.CoreDemand;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.host.ManualRun;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.lab.result.ResultFolder;
import io.tickmark.lab.result.ResultJson;
import io.tickmark.transport.ChannelUri;
import io.tickmark.workloads.messaging.store.Stores;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** One role by hand, in this process: {@code latency pub} and similar commands. */
final class RoleCommand implements Command {
    /**
     * Options in addition to the role's own.
     *
     * @param connectTimeout how long it looks for the other side
     * @param out folder for its result and its files
     * @param json whether the result is written to standard output as JSON
     * @param quiet whether no progress is printed
     * @param verbose whether progress is printed each second
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
                                    "Folder for result.json and the role's files, new or empty (default: none are written).",
                            label = "DIR")
                    String out,
            @Setting(help = "Print the result as JSON to standard output, and nothing else.")
                    boolean json,
            @Setting(help = "Print no progress.") boolean quiet,
            @Setting(help = "Report progress every second, and show the stack traces of errors.")
                    boolean verbose) {}

    /** It does not end by itself with a foreign gateway. */
    private static final String ENDS_ON_ENTER = "fix consumers";

    /** They run until Ctrl-C, which is not a failure unless they were given a time to run. */
    private static final Set<String> END_ON_A_SIGNAL =
            Set.of("fix gateway", ENDS_ON_ENTER, "store", "market hub");

    private static final String RUN_TIME = "runTime";

    private final RoleFactory<?> factory;
    private final String command;
    private final String description;
    private final String example;
    private final PositionalSettings positional;
    private final Dialect dialect;

    RoleCommand(
            final String command,
            final Dialect dialect,
            final String description,
            final String example) {
        this(command, command.replace(' ', '-'), dialect, description, example);
    }

    private RoleCommand(
            final String command,
            final String role,
            final Dialect dialect,
            final String description,
            final String example) {
        this.command = command;
        this.description = description;
        this.example = example;
        this.dialect = dialect;
        positional = new PositionalSettings(dialect.positional());
        factory = RoleCatalog.load().find(role);
    }

    static Command latencyPub() {
        return new RoleCommand(
                "latency pub",
                new DdsLatencyDialect(),
                "Sends pings, waits for their echoes and reports round-trip times. It waits until its subscribers have"
                        + " connected.",
                "./tickmark latency pub --channel udp://127.0.0.1:4001 -subscribers 1 -numIter 100000");
    }

    static Command feedServer() {
        return new RoleCommand(
                "feed server",
                Dialect.NONE,
                "Makes a price feed and pushes it to the clients that connect, browsers and 'feed clients' alike.",
                "./tickmark feed server --port 8401 --rate 800 --symbols 400 --duration 60s");
    }

    static Command feedClients() {
        return new RoleCommand(
                "feed clients",
                Dialect.NONE,
                "Connects many clients without a browser to a feed server, and reports how long messages took.",
                "./tickmark feed clients --server http://127.0.0.1:8401 --clients 500 --flush 2ms --duration 10s");
    }

    static Command feedPublisher() {
        return new RoleCommand(
                "feed publisher",
                Dialect.NONE,
                "Makes a price feed and sends it on a channel of any engine, for a 'console' or a 'feed server' that has the"
                        + " channel as its --source.",
                "./tickmark feed publisher --channel shm://prices --rate 20k --duration 60s");
    }

    static Command latencySub() {
        return new RoleCommand(
                "latency sub",
                new DdsLatencyDialect(),
                "Receives pings. Of several subscribers the one with the highest cookie echoes them; the others get --no-echo.",
                "./tickmark latency sub --channel udp://127.0.0.1:4001 -cookie 1");
    }

    static Command streamPub() {
        return new RoleCommand(
                "stream pub",
                UmPerfDialect.STREAM,
                "Sends a stream of messages, and reports how many and how fast.",
                "./tickmark stream pub --channel udp://127.0.0.1:4002 -m 700 -n 1000000 -r 100000");
    }

    static Command streamSub() {
        return new RoleCommand(
                "stream sub",
                UmPerfDialect.SUBSCRIBER,
                "Receives a stream, and reports what was received, lost, duplicated or out of order.",
                "./tickmark stream sub --channel udp://127.0.0.1:4002");
    }

    static Command store() {
        return new RoleCommand(
                "store",
                UmPerfDialect.STORE,
                "Runs a store until Ctrl-C, then reads it back from disk. 'stream pub' and 'stream sub' go through it"
                        + " with the channel that it prints.",
                "./tickmark store archive:");
    }

    static Command socketPub() {
        return new RoleCommand(
                "socket pub",
                "stream-pub",
                new SockPerfDialect(true, true),
                "Sends datagrams to a multicast group, or by unicast, without an engine: at a rate, with a sleep"
                        + " after each, or as fast as the socket takes them.",
                "./tickmark socket pub -g 239.192.0.77 -m 700 -n 1000000 -r 100000");
    }

    static Command socketSub() {
        return new RoleCommand(
                "socket sub",
                "stream-sub",
                new SockPerfDialect(false, true),
                "Receives what 'socket pub' sends, and reports what was received, lost, duplicated or out of order.",
                "./tickmark socket sub -g 239.192.0.77");
    }

    static Command fixGateway() {
        return new RoleCommand(
                "fix gateway",
                Dialect.NONE,
                "Runs a FIX gateway: it takes messages from producers and fans them out to consumers, until Ctrl-C"
                        + " or, with --exit-at-end, until its producers have logged out.",
                "./tickmark fix gateway --slow disconnect");
    }

    static Command fixConsumers() {
        return new RoleCommand(
                "fix consumers",
                FanOutDialect.CONSUMERS,
                "Logs consumers on to a FIX gateway, and times and counts what they receive, until the gateway logs"
                        + " them out, or until Enter or Ctrl-C.",
                "./tickmark fix consumers 127.0.0.1 200 10000");
    }

    static Command fixProducers() {
        return new RoleCommand(
                "fix producers",
                FanOutDialect.PRODUCERS,
                "Logs producers on to a FIX gateway and sends messages at a rate on each session; every Nth message"
                        + " (--every) is marked to fan out.",
                "./tickmark fix producers 127.0.0.1 50 100000 100 50");
    }

    static Command marketConsumer() {
        return new RoleCommand(
                "market consumer",
                EmaPerfDialect.CONSUMER,
                "Connects to a provider or hub, requests items, and reports how fast the images arrived, how many updates"
                        + " followed, and how long they took. It waits for its provider.",
                "./tickmark market consumer -h 127.0.0.1 -p 14002 -itemCount 10000 -steadyStateTime 30");
    }

    static Command marketProvider() {
        return new RoleCommand(
                "market provider",
                EmaPerfDialect.PROVIDER,
                "Accepts consumers; sends requested images, and updates at a given rate.",
                "./tickmark market provider -p 14002 -updateRate 100000 -runTime 60");
    }

    static Command marketPublisher() {
        return new RoleCommand(
                "market publisher",
                EmaPerfDialect.PUBLISHER,
                "Connects to a hub as a non-interactive provider, publishes an image of each item, then updates at a rate."
                        + " It waits for its hub.",
                "./tickmark market publisher -h 127.0.0.1 -p 14003 -itemCount 10000 -updateRate 100000 -runTime 60");
    }

    static Command marketHub() {
        return new RoleCommand(
                "market hub",
                EmaPerfDialect.HUB,
                "Accepts interactive and non-interactive providers, keeps the last image of each item, and serves consumers."
                        + " It stands in for a distribution system.",
                "./tickmark market hub -p 14002 --publisher-port 14003 --providers 127.0.0.1:14010");
    }

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage().description(description + dialect.mention());
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
        final Map<String, Object> typed =
                StoreOption.with(
                        positional.and(own.values(arguments), own.naming(arguments), arguments),
                        arguments,
                        role.settings());
        final Map<String, Object> values = dialect.meant(typed, naming);
        final S settings = Settings.read(role.settings(), values, naming);
        role.checkGiven(values, Set.of(), naming);
        if (values.containsKey(Stores.STORED)) {
            Stores.of(ChannelUri.parse(role.channel(settings)));
        }
        CoreDemand.checkLimit();
        final SettingOptions others = byHand();
        final ByHand options =
                Settings.read(ByHand.class, others.values(arguments), others.naming(arguments));
        final Consumer<String> lines = line -> say(!options.quiet(), line, terminal);
        dialect.notes(typed, naming).forEach(lines);
        final ManualResult<S> result = new ManualResult<>(command, role, settings);
        final Optional<ResultFolder> folder =
                options.out().isEmpty()
                        ? Optional.empty()
                        : Optional.of(ResultFolder.at(Path.of(options.out())));
        final ManualRun run =
                new ManualRun(
                        new ManualRun.Options(
                                folder.map(result::files),
                                options.connectTimeout(),
                                lines,
                                progress -> say(options.verbose(), text(progress), terminal)));
        try (Interruption interruption =
                        new Interruption(run::stop, terminal.err(), endsOnASignal(settings));
                EnterKey _ = command.equals(ENDS_ON_ENTER) ? enterKey(run, terminal) : null) {
            final Instant startedAt = Instant.now();
            final RoleResult found = run.run(role, settings);
            // rules of time zones are looked for in all jars: the role does not wait for that
            final OffsetDateTime begin =
                    OffsetDateTime.ofInstant(startedAt, ZoneId.systemDefault());
            final RunResult outcome = result.of(begin, found, interruption.hasCutShort());
            final boolean isKept = folder.map(kept -> keep(outcome, kept, terminal)).orElse(true);
            final int exitCode = result.print(outcome, options.json(), terminal);
            return isKept || exitCode != 0 ? exitCode : FrontDoor.ENVIRONMENT;
        }
    }

    private boolean endsOnASignal(final Record settings) {
        final String none = Durations.format(Duration.ZERO);
        return END_ON_A_SIGNAL.contains(command)
                && Settings.toMap(settings).getOrDefault(RUN_TIME, none).equals(none);
    }

    /** Whether they are written: figures that cannot be written are printed nevertheless. */
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

    private static EnterKey enterKey(final ManualRun run, final Terminal terminal) {
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
        return new SettingOptions(dialect)
                .add(SettingDescriptor.of(factory.settings()), dialect.replaced());
    }

    private SettingOptions options() {
        return ofTheRole().add(SettingDescriptor.of(ByHand.class), Set.of());
    }

    private static SettingOptions byHand() {
        return new SettingOptions().add(SettingDescriptor.of(ByHand.class), Set.of());
    }

    /**
     * The Enter key while something runs: it stops in an orderly way, as if it had finished. It
     * checks whether there is input and never waits for it, so that a command in the background is
     * not suspended by its terminal; the end of the input has no effect.
     */
    private static final class EnterKey implements AutoCloseable {
        private static final long LOOK_MS = 100;

        /**
         * Fields of {@code /proc/self/stat} after the command's name: process group, terminal's
         * group.
         */
        private static final int GROUP = 2;

        private static final int TERMINAL_GROUP = 5;

        private final InputStream in;
        private final Runnable stop;
        private final CountDownLatch closed = new CountDownLatch(1);

        /**
         * From now on Enter stops what runs.
         *
         * @param in to read
         * @param stop asks it to end soon; any thread
         * @param err for a line to a user at a terminal
         */
        EnterKey(final InputStream in, final Runnable stop, final PrintStream err) {
            this.in = in;
            this.stop = stop;
            if (isTerminal()) {
                err.println("Press Enter to end.");
            }
            Thread.ofPlatform().daemon().name("enter-key").start(this::look);
        }

        private void look() {
            try {
                while (!closed.await(LOOK_MS, TimeUnit.MILLISECONDS)) {
                    if (hasEnter()) {
                        stop.run();
                        return;
                    }
                }
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (final IOException e) {
                return; // closed: only Ctrl-C remains
            }
        }

        private boolean hasEnter() throws IOException {
            while (in.available() > 0 && !isInBackground()) {
                if (in.read() == '\n') {
                    return true;
                }
            }
            return false;
        }

        private static boolean isTerminal() {
            try {
                final String input = Files.readSymbolicLink(Path.of("/proc/self/fd/0")).toString();
                return input.startsWith("/dev/pts/") || input.startsWith("/dev/tty");
            } catch (final IOException e) {
                return false;
            }
        }

        private static boolean isInBackground() throws IOException {
            if (!isTerminal()) {
                return false;
            }
            final String stat =
                    Files.readString(Path.of("/proc/self/stat"), StandardCharsets.ISO_8859_1);
            final String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return !fields[GROUP].equals(fields[TERMINAL_GROUP]);
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }
}

package io.tickmark.cli.command;

import io.tickmark.cli.option.DdsLatencyDialect;
import io.tickmark.cli.option.Dialect;
import io.tickmark.cli.option.MeasureOptions;
import io.tickmark.cli.option.SettingOptions;
import io.tickmark.cli.option.SockPerfDialect;
import io.tickmark.cli.option.StoreOption;
import io.tickmark.cli.option.UmPerfDialect;
import io.tickmark.cli.output.Terminal;
import io.tickmark.cli.run.Measurement;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.lab.plan.RolePlan;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transport;
import io.tickmark.transport.Transports;
import io.tickmark.workloads.messaging.store.StoreSettings;
import io.tickmark.workloads.messaging.store.Stores;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * {@code latency} and {@code stream}: one publisher and its subscribers, each a process on this
 * machine, as one plan of one test.
 */
final class LocalTestCommand implements Command {
    private static final String CHANNEL = "channel";

    /**
     * Settings that differ from subscriber to subscriber, or belong to the test; the lab sets them.
     */
    private static final Set<String> OF_THE_PLAN =
            Set.of(CHANNEL, "cookie", "noEcho", "core", Stores.STORED);

    private static final String STREAM = "stream";
    private static final String STORE = "store";

    /** Its name in the plan, where roles share one. */
    private static final String ONE_PROCESS = "all";

    /** Settings of a store that its publisher shares. */
    private static final Set<String> OF_BOTH = Set.of("channel", "topics");

    /** Cores to pin to. */
    record Cores(
            @Setting(
                            help = "Cores to pin to: the publisher's, then each subscriber's.",
                            min = 0,
                            max = 8191)
                    List<Integer> cores) {}

    /** Whether packets are captured as well. */
    record Wire(
            @Setting(
                            help =
                                    "Capture the packets with tcpdump, and show wire latency beside that of the"
                                            + " application, message by message.")
                    boolean capture) {}

    private final String name;
    private final String workload;
    private final Dialect dialect;
    private final String description;
    private final String example;
    private final RoleFactory<?> publisher;
    private final RoleFactory<?> subscriber;

    private LocalTestCommand(
            final String name,
            final String workload,
            final Dialect dialect,
            final String description,
            final String example) {
        this.name = name;
        this.workload = workload;
        this.dialect = dialect;
        this.description = description;
        this.example = example;
        final RoleCatalog roles = RoleCatalog.load();
        publisher = roles.find(workload + "-pub");
        subscriber = roles.find(workload + "-sub");
    }

    static Command latency() {
        return new LocalTestCommand(
                "latency",
                "latency",
                new DdsLatencyDialect(),
                "Measures round trips on this machine: a publisher sends, and one of its subscribers echoes. With"
                        + " --rate it sends at"
                        + " that rate whatever comes back, and a stall counts against every message it delayed.",
                "./tickmark latency --channel udp://127.0.0.1:0 --sizes 64 --samples 100000");
    }

    static Command stream() {
        return new LocalTestCommand(
                STREAM,
                STREAM,
                UmPerfDialect.STREAM,
                "Measures one-way messages on this machine: a publisher sends to its subscribers, at a rate or as"
                        + " fast as possible; directly, or through a store, which is then read back.",
                "./tickmark stream --channel shm: --payload-bytes 64 --rate 1M --duration 5s");
    }

    static Command socket() {
        return new LocalTestCommand(
                "socket",
                STREAM,
                new SockPerfDialect(true, false),
                "Measures datagrams to a multicast group, or by unicast, on this machine: what sockets do without an engine.",
                "./tickmark socket -m 700 -r 100000 --duration 5s");
    }

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description(
                        description
                                + " '%s pub' and '%s sub' run one side by hand."
                                        .formatted(name, name)
                                + dialect.mention());
        if (!dialect.replaced().contains(CHANNEL)) {
            spec.addOption(channelOption());
        }
        settings().addTo(spec);
        cores().addTo(spec);
        wire().addTo(spec);
        MeasureOptions.addTo(spec);
        return spec;
    }

    private OptionSpec channelOption() {
        return OptionSpec.builder(channelNames())
                .type(List.class)
                .auxiliaryTypes(String.class)
                .arity("1")
                .paramLabel("URI")
                .description(
                        "Channel to measure; port 0 means any; may be repeated. (default: "
                                + defaultChannel()
                                + ")")
                .build();
    }

    @Override
    public String example() {
        return example;
    }

    @Override
    public int run(final ParseResult arguments, final Terminal terminal) throws Exception {
        final UnaryOperator<String> naming = settings().naming(arguments);
        final Map<String, Object> typed =
                StoreOption.with(settings().values(arguments), arguments, publisher.settings());
        final List<String> channels = channels(arguments, typed, naming);
        final Map<String, Object> values =
                new LinkedHashMap<>(meant(typed, channels.getFirst(), naming));
        values.remove(CHANNEL);
        check(publisher, values, naming);
        publisher.checkGiven(values, Set.of(), naming);
        final int subscribers = subscribers(values, naming);
        if (subscribers > 0) {
            check(subscriber, values, naming);
        }
        final MeasureOptions options = MeasureOptions.of(arguments);
        if (!options.quiet()) {
            dialect.notes(with(typed, named(arguments).getFirst()), naming)
                    .forEach(terminal.err()::println);
        }
        final Plan plan =
                Plan.named(name)
                        .describedAs(description)
                        .with(test(arguments, channels, values, subscribers));
        return new Measurement(terminal, options).run(options.applyTo(plan, arguments));
    }

    private TestPlan test(
            final ParseResult arguments,
            final List<String> channels,
            final Map<String, Object> values,
            final int subscribers) {
        final TestPlan.Builder test = TestPlan.builder(name, workload);
        final UnaryOperator<String> naming = settings().naming(arguments);
        final boolean isStored = isStored(channels, values.remove(Stores.STORED) != null);
        channels.forEach(test::channel);
        values.forEach(test::setting);
        final List<Integer> cores = cores(arguments);
        if (isStored) {
            test.role(RolePlan.of(STORE, Map.of()));
        } else {
            refuseOfStore(values, naming);
        }
        final String process = needOneProcess(channels) ? ONE_PROCESS : null;
        test.role(role(publisher, 1, process, cores.stream().limit(1)));
        if (subscribers > 0) {
            test.role(role(subscriber, subscribers, process, cores.stream().skip(1)));
        }
        if (isCaptured(arguments)) {
            test.setting("logLatencies", true);
            test.role(RolePlan.of("capture", Map.of("decode", "stamped")));
        }
        return test.build();
    }

    /** Whether a store has to be run; one plan has it for all its channels or for none. */
    private static boolean isStored(final List<String> channels, final boolean isAsked) {
        channels.forEach(channel -> Stores.check(ChannelUri.parse(channel), isAsked));
        return allOrNone(
                channels,
                channel -> Stores.isStored(channel, isAsked),
                "--channel: some of the channels carry only messages of a store; give all of them with --store, or measure"
                        + " them separately.");
    }

    /** Whether all roles run in one process; one plan has it for all its channels or for none. */
    private static boolean needOneProcess(final List<String> channels) {
        // An engine that is missing here is reported by its roles, beside the results of the
        // others.
        final Map<String, Transport> transports = new Transports().all();
        return allOrNone(
                channels,
                channel ->
                        Optional.ofNullable(transports.get(channel.scheme()))
                                .map(Transport::needsOneProcess)
                                .orElse(false),
                "--channel: some of the channels work within one process only; measure them separately.");
    }

    private static boolean allOrNone(
            final List<String> channels, final Predicate<ChannelUri> which, final String refusal) {
        final long matching = channels.stream().map(ChannelUri::parse).filter(which).count();
        if (matching > 0 && matching < channels.size()) {
            throw UserError.usage(refusal);
        }
        return matching > 0;
    }

    /** Settings that only a store has would be silently ignored. */
    private static void refuseOfStore(
            final Map<String, Object> values, final UnaryOperator<String> naming) {
        SettingDescriptor.of(StoreSettings.class).stream()
                .map(SettingDescriptor::key)
                .filter(key -> values.containsKey(key) && !OF_BOTH.contains(key))
                .findFirst()
                .ifPresent(key -> {
                    throw UserError.usage(
                            naming.apply(key)
                                    + ": only valid with a store, and the test has none; give --store archive:.");
                });
    }

    /** The spellings of the channel's option, including those of the publisher. */
    private String[] channelNames() {
        return SettingDescriptor.of(publisher.settings()).stream()
                .filter(setting -> setting.key().equals(CHANNEL))
                .flatMap(setting ->
                        Stream.concat(setting.aliases().stream(), Stream.of("--channel")))
                .toArray(String[]::new);
    }

    /** The effective channels, including single options. */
    private List<String> channels(
            final ParseResult arguments,
            final Map<String, Object> typed,
            final UnaryOperator<String> naming) {
        return named(arguments).stream()
                .map(channel -> meant(typed, channel, naming).get(CHANNEL))
                .map(channel -> channel == null ? defaultChannel() : channel.toString())
                .toList();
    }

    /** The channels that were typed; one empty text where there are none. */
    private List<String> named(final ParseResult arguments) {
        final List<String> named =
                dialect.replaced().contains(CHANNEL)
                        ? List.of()
                        : arguments.matchedOptionValue("--channel", List.of());
        return named.isEmpty() ? List.of("") : named;
    }

    /** What was typed in settings of the roles; {@code channel} is empty where none was named. */
    private Map<String, Object> meant(
            final Map<String, Object> typed,
            final String channel,
            final UnaryOperator<String> naming) {
        return dialect.meant(with(typed, channel), naming);
    }

    private static Map<String, Object> with(final Map<String, Object> typed, final String channel) {
        final Map<String, Object> all = new LinkedHashMap<>(typed);
        if (!channel.isEmpty()) {
            all.put(CHANNEL, channel);
        }
        return all;
    }

    private static boolean isCaptured(final ParseResult arguments) {
        return Settings.read(Wire.class, wire().values(arguments), wire().naming(arguments))
                .capture();
    }

    private static SettingOptions wire() {
        return new SettingOptions().add(SettingDescriptor.of(Wire.class), Set.of());
    }

    private static RolePlan role(
            final RoleFactory<?> factory,
            final int count,
            final String process,
            final Stream<Integer> cores) {
        return new RolePlan(
                factory.name(), count, null, cores.toList(), process, null, null, null, null);
    }

    private static List<Integer> cores(final ParseResult arguments) {
        return Settings.read(Cores.class, cores().values(arguments), cores().naming(arguments))
                .cores();
    }

    private static SettingOptions cores() {
        return new SettingOptions().add(SettingDescriptor.of(Cores.class), Set.of());
    }

    /** How many subscribers to start here: none where the other end is foreign. */
    private int subscribers(final Map<String, Object> values, final UnaryOperator<String> naming) {
        if ("external".equals(values.get("echo"))) {
            return 0;
        }
        final Record settings = read(publisher, values, naming);
        return Settings.toMap(settings).get("subscribers") instanceof final Number count
                ? count.intValue()
                : 1;
    }

    private SettingOptions settings() {
        final Set<String> without = new HashSet<>(OF_THE_PLAN);
        without.addAll(dialect.replaced());
        final SettingOptions options =
                new SettingOptions(dialect)
                        .add(SettingDescriptor.of(publisher.settings()), without)
                        .add(SettingDescriptor.of(subscriber.settings()), without);
        return workload.equals(STREAM) && !dialect.replaced().contains(CHANNEL)
                ? options.add(SettingDescriptor.of(StoreSettings.class), OF_THE_PLAN)
                : options;
    }

    private String defaultChannel() {
        return SettingDescriptor.of(publisher.settings()).stream()
                .filter(setting -> setting.key().equals(CHANNEL))
                .map(SettingDescriptor::byDefault)
                .findFirst()
                .orElseThrow(() -> UserError.usage("--channel: name the channel to measure."));
    }

    private static void check(
            final RoleFactory<?> factory,
            final Map<String, Object> values,
            final UnaryOperator<String> naming) {
        read(factory, values, naming);
    }

    /** Reads the settings of the role, so that errors name options as they were typed. */
    private static <S extends Record> S read(
            final RoleFactory<S> factory,
            final Map<String, Object> values,
            final UnaryOperator<String> naming) {
        final Map<String, Object> known = new LinkedHashMap<>();
        SettingDescriptor.of(factory.settings()).stream()
                .map(SettingDescriptor::key)
                .filter(values::containsKey)
                .forEach(key -> known.put(key, values.get(key)));
        return Settings.read(factory.settings(), known, naming);
    }
}

package io.tickmark.system.docs;

import static io.tickmark.system.docs.MarkdownTable.code;

import io.tickmark.cli.Dialects;
import io.tickmark.cli.InProcess;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.lab.plan.Criteria;
import io.tickmark.lab.plan.PlanLibrary;
import io.tickmark.lab.plan.PlanSchema;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.lab.search.SearchGoal;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportTraits;
import io.tickmark.transport.Transports;
import io.tickmark.transport.store.DurableTransport;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** All that pages may have made for them, by name. */
final class DocsGenerators {
    private static final String KERNEL = "kernel/src/main/java/io/tickmark/kernel/";
    private static final String MESSAGING =
            "workloads/messaging/src/main/java/io/tickmark/workloads/messaging/";
    private static final String AERON = "engines/aeron/src/main/java/io/tickmark/engines/aeron/";

    private final Map<String, Supplier<String>> makers = new TreeMap<>();

    DocsGenerators() {
        for (final RoleFactory<?> role : RoleCatalog.load().all()) {
            makers.put(
                    "options " + role.name(),
                    () ->
                            SettingTables.options(
                                    SettingDescriptor.of(role.settings()),
                                    Dialects.spellings(role.name())));
        }
        new Transports()
                .all()
                .forEach((scheme, transport) ->
                        makers.put(
                                "parameters " + scheme,
                                () -> SettingTables.keys(transport.parameters(), "parameter")));
        makers.put("roles", DocsGenerators::roles);
        makers.put("transports", DocsGenerators::transports);
        makers.put("traits", DocsGenerators::traits);
        makers.put("channels", DocsGenerators::comparedChannels);
        makers.put("channels on one host", DocsGenerators::channelsOnOneHost);
        makers.put("channels with and without a store", () -> stores(true));
        makers.put("channels with a store only", () -> stores(false));
        makers.put("criteria", () -> SettingTables.keys(Criteria.class, "criterion"));
        makers.put("options socket", () -> SettingTables.options(Dialects.socket()));
        makers.put("options socket pub", () -> SettingTables.options(Dialects.socketPub()));
        makers.put(
                "options search",
                () -> SettingTables.options(SettingDescriptor.of(SearchGoal.class), Map.of()));
        makers.put("plans", DocsGenerators::plans);
        makers.put("plan problems", PlanProblems::shown);
        makers.put("engine faults", EngineFaults::table);
        makers.put("page weight", DocsGenerators::pageWeight);
        ColumnTables.sources()
                .forEach((name, source) ->
                        makers.put("columns " + name, () -> ColumnTables.of(source)));
        constants();
        schemas();
        for (final String command : Commands.names()) {
            makers.put("help " + command, () -> block(helpOf(command)));
        }
        makers.put("help", () -> block("--help"));
    }

    private static String block(final String... arguments) {
        return "```text\n" + InProcess.text(arguments).stripTrailing() + "\n```\n";
    }

    private void constants() {
        put("counts", KERNEL + "result/Counts.java", "count");
        put("latencies", KERNEL + "result/Latencies.java", "latency");
        put("role files", KERNEL + "record/RoleFiles.java", "file");
        put("paces", MESSAGING + "PaceSettings.java", "pace");
        put("idle modes", KERNEL + "role/IdleMode.java", "mode");
        put("driver threading", AERON + "DriverThreading.java", "threading");
    }

    private void put(final String name, final String source, final String head) {
        makers.put(name, () -> ConstantTables.of(source, head));
    }

    private void schemas() {
        ofPlan("plan keys", "");
        ofPlan("plan keys test", "/$defs/TestPlan");
        ofPlan("plan keys role", "/$defs/RolePlan");
        ofPlan("plan keys jvm", "/$defs/JvmPlan");
        ofPlan("plan keys fault", "/$defs/FaultPlan");
        ofResult("result keys", "");
        ofResult("result keys answer", "/$defs/answer");
        ofResult("result keys trial", "/$defs/trial");
        ofResult("result keys role", "/$defs/role");
        ofResult("result keys latency", "/$defs/latency");
        ofResult("result keys aggregate", "/$defs/aggregate");
        ofResult("result keys search", "/$defs/search");
        ofResult("result keys search trial", "/$defs/searchTrial");
        ofResult("result keys noise", "/$defs/noise");
        ofResult("result keys core", "/$defs/noise/properties/cores/items");
    }

    private void ofPlan(final String name, final String pointer) {
        makers.put(name, () -> new SchemaTables(PlanSchema.json()).keys(pointer));
    }

    private void ofResult(final String name, final String pointer) {
        makers.put(
                name,
                () -> {
                    final Path published = Repository.DOCS.resolve("result.schema.json");
                    return new SchemaTables(Repository.read(published)).keys(pointer);
                });
    }

    Map<String, Supplier<String>> makers() {
        return makers;
    }

    /** As the page's build weighed it; it fails where a page weighs more than it may. */
    private static String pageWeight() {
        final Path weighed = Repository.ROOT.resolve("console/target/page-weight.json");
        final MarkdownTable table =
                new MarkdownTable("both pages, compressed", "weight", "at most");
        JsonMapper.shared()
                .readTree(Repository.read(weighed))
                .forEach(each ->
                        table.row(
                                each.path("what").asString(),
                                kilobytes(each.path("bytes").asLong()),
                                kilobytes(each.path("mostBytes").asLong())));
        return table.toString();
    }

    private static String kilobytes(final long bytes) {
        return Math.round(bytes / 1e3) + " kB";
    }

    private static String[] helpOf(final String command) {
        return (command + " --help").split(" ");
    }

    private static String roles() {
        final MarkdownTable table = new MarkdownTable("role", "what it does");
        RoleCatalog.load().all().forEach(role -> table.row(code(role.name()), role.summary()));
        return table.toString();
    }

    private static String transports() {
        final MarkdownTable table = new MarkdownTable("scheme", "what it is");
        new TreeMap<>(new Transports().all())
                .forEach((scheme, transport) -> table.row(code(scheme), transport.summary()));
        return table.toString();
    }

    private static String traits() {
        final MarkdownTable table =
                new MarkdownTable(
                        "channel",
                        "loses nothing",
                        "keeps order",
                        "has back-pressure",
                        "notices the other's end",
                        "fans out",
                        "sends without a copy",
                        "allocates per message",
                        "largest message");
        final Transports transports = new Transports();
        for (final Transport.Kind kind : transports.kinds()) {
            final ChannelUri channel = ChannelUri.parse(kind.channel());
            final Transport transport = transports.all().get(channel.scheme());
            final TransportTraits traits = transport.traits(channel);
            table.row(
                    code(kind.channel()),
                    yes(traits.reliable()),
                    yes(traits.ordered()),
                    yes(traits.backPressured()),
                    yes(traits.detectsDisconnect()),
                    yes(traits.fansOut()),
                    yes(traits.claims()),
                    yes(traits.allocates()),
                    traits.maxPayloadBytes() + " B");
        }
        return table.toString();
    }

    /** Of all engines, one for each kind of traffic. */
    private static String comparedChannels() {
        return listed(
                new Transports()
                        .kinds().stream()
                                .filter(Transport.Kind::isCompared)
                                .map(Transport.Kind::channel));
    }

    private static String channelsOnOneHost() {
        return listed(
                new TreeMap<>(new Transports().all())
                        .values().stream()
                                .flatMap(transport ->
                                        channels(transport)
                                                .filter(channel ->
                                                        transport.staysOnOneHost(
                                                                ChannelUri.parse(channel)))));
    }

    /** Those that represent an engine; one with only its scheme where none does. */
    private static Stream<String> channels(final Transport transport) {
        return transport.kinds().isEmpty()
                ? Stream.of(transport.scheme() + ":")
                : transport.kinds().stream().map(Transport.Kind::channel);
    }

    private static String stores(final boolean carryPlainMessages) {
        return listed(
                new TreeMap<>(new Transports().all())
                        .values().stream()
                                .filter(transport ->
                                        transport instanceof final DurableTransport store
                                                && store.carriesPlainMessages()
                                                        == carryPlainMessages)
                                .map(transport -> transport.scheme() + ":"));
    }

    private static String listed(final Stream<String> channels) {
        return channels.map(MarkdownTable::code).collect(Collectors.joining(", ", "", "\n"));
    }

    private static String yes(final boolean isSo) {
        return isSo ? "yes" : "no";
    }

    private static String plans() {
        final MarkdownTable table = new MarkdownTable("plan", "what it is for");
        final PlanLibrary library = new PlanLibrary(RoleCatalog.load());
        library.names().forEach(name -> table.row(code(name), library.find(name).description()));
        return table.toString();
    }
}

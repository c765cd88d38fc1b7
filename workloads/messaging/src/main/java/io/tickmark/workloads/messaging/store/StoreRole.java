package io.tickmark.workloads.messaging.store;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.MemberFault;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transports;
import io.tickmark.transport.store.DurableTransport;
import io.tickmark.transport.store.StoreServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Runs a store until the others are done, injects the faults of a plan into its members, then reads
 * it back from disk. Its data are deleted before it reports, so that the next trial starts from
 * nothing.
 */
public final class StoreRole implements Role {
    private static final long LOOK_MS = 20;
    private static final int MOST_TROUBLES = 5;

    private final StoreSettings settings;
    private final RoleContext context;
    private final ChannelUri channel;
    private final DurableTransport transport;
    private final List<Topic> topics;
    private final BlockingQueue<MemberFault> faults = new LinkedBlockingQueue<>();
    private final MemberFaults members = new MemberFaults();
    private final List<String> warnings = new ArrayList<>();
    private StoreDirectory directory;
    private StoreServer server;
    private AcknowledgedFile acknowledged;
    private long startNs;

    StoreRole(final StoreSettings settings, final RoleContext context) {
        this.settings = settings;
        this.context = context;
        channel = ChannelUri.parse(settings.channel());
        transport = Stores.of(channel);
        topics = Topic.of(settings.topics());
    }

    @Override
    public Endpoints prepare() {
        directory = StoreDirectory.take(settings, "store-" + context.index());
        server = transport.store(channel, directory.data());
        server.start();
        acknowledged = AcknowledgedFile.create(directory.acknowledged(), topics.size());
        context.log("Store at " + server.endpoint());
        return Endpoints.of(
                Map.of(
                        Stores.STORE,
                        server.endpoint().toString(),
                        Stores.ACKNOWLEDGED,
                        directory.acknowledged().toString()));
    }

    @Override
    public void connect(final Endpoints endpoints) {}

    @Override
    public void inject(final MemberFault fault) {
        faults.add(fault);
    }

    @Override
    public RoleResult run(final long startAtNs) {
        startNs = startAtNs;
        context.recording().beginStep(0, "store");
        while (!context.isStopped()) {
            final MemberFault fault = next();
            if (fault != null) {
                members.inject(fault);
            }
        }
        if (context.isBrokenOff()) {
            return notReadBack();
        }
        final String missed = missed();
        members.await();
        // The store is read as far as possible without members that do not return.
        members.restartDead();
        warnings.addAll(members.troubles());
        final ReadBack found =
                new ReadBack(
                        server,
                        acknowledged,
                        transport.guarantees(channel).deletion(),
                        context.trialId(),
                        context.recording().counter(Counts.STORED));
        final List<Topic> own = own();
        own.forEach(found::read);
        found.countCuts();
        context.recording().endStep();
        final Map<String, Object> metrics =
                new LinkedHashMap<>(transport.guarantees(channel).facts());
        metrics.put("channel", server.endpoint().toString());
        metrics.put("stores", context.count());
        metrics.putAll(found.metrics());
        metrics.put(RoleSummary.FAULTS, done());
        if (!members.times().isEmpty()) {
            metrics.put(RoleSummary.MEMBER_FAULTS, members.times());
        }
        warnings.addAll(found.warnings());
        final List<String> reasons = new ArrayList<>(found.reasons());
        final List<String> ended = server.ended();
        if (!ended.isEmpty()) {
            metrics.put(RoleSummary.SERVER_GONE, true);
        }
        final List<String> troubles = troubles(ended);
        (acknowledged.isGivenUp() ? reasons : warnings).addAll(troubles);
        end();
        return new RoleResult(
                List.of(new StepResult(0, "", 0, found.counts(), 0, 0, 0, Map.of(), reasons)),
                metrics,
                warnings,
                missed);
    }

    /**
     * A fault that came after the others had ended shows nothing, as nothing is written any more.
     */
    private String missed() {
        final List<MemberFault> late = new ArrayList<>();
        faults.drainTo(late);
        late.forEach(this::requireMember);
        return late.isEmpty()
                ? ""
                : ("The other roles ended before all faults were injected: %s; not injected: %s."
                                + " Plan them further apart, or let the trial last longer.")
                        .formatted(
                                done(),
                                late.stream()
                                        .map(fault ->
                                                "%s of member %d"
                                                        .formatted(
                                                                SettingDescriptor.word(
                                                                        fault.kind()),
                                                                fault.member()))
                                        .collect(Collectors.joining(", ")));
    }

    private String done() {
        return members.events().isEmpty()
                ? RoleSummary.NO_FAULTS
                : String.join("; ", members.events());
    }

    /** Restarting members and a long log would take the time that is left for an orderly end. */
    private RoleResult notReadBack() {
        context.recording().endStep();
        end();
        warnings.add("The store was not read back, because the trial was aborted.");
        return new RoleResult(List.of(), Map.of(), warnings, "");
    }

    /** The engine's messages; where its publisher gave it up, also whether its disk has room. */
    private List<String> troubles(final List<String> ended) {
        final List<String> all = new ArrayList<>(ended);
        if (acknowledged.isGivenUp()) {
            directory.room().ifPresent(all::add);
        }
        all.addAll(said(server.troubles()));
        return all;
    }

    /** The first messages of an engine, and how many more there are. */
    static List<String> said(final List<String> troubles) {
        final List<String> all =
                troubles.stream()
                        .limit(MOST_TROUBLES)
                        .map(trouble -> "The engine said: " + trouble)
                        .collect(Collectors.toCollection(ArrayList::new));
        if (troubles.size() > MOST_TROUBLES) {
            all.add(
                    "The engine said %s not listed here."
                            .formatted(
                                    Plural.of(
                                            troubles.size() - MOST_TROUBLES,
                                            "more thing that is",
                                            "more things that are")));
        }
        return all;
    }

    /** Topics are assigned to the stores of a trial in turn. */
    private List<Topic> own() {
        return topics.stream()
                .filter(topic -> (topic.id() - 1) % context.count() == context.index() - 1)
                .toList();
    }

    private MemberFault next() {
        try {
            return faults.poll(LOOK_MS, TimeUnit.MILLISECONDS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /**
     * What was found is the result, even if the store can no longer shut down in an orderly way.
     */
    private void end() {
        try {
            close();
        } catch (final UserError e) {
            warnings.add("The store did not shut down cleanly: " + e.getMessage());
        }
    }

    private void requireMember(final MemberFault fault) {
        if (fault.member() > server.members()) {
            throw UserError.usage(
                    "faults: there is no member %d of %s, whose members are 1 to %d; name one of those."
                            .formatted(fault.member(), settings.channel(), server.members()));
        }
    }

    private String sinceStart(final long ns) {
        final long ms = (ns - startNs) / 1_000_000;
        return Durations.format(Duration.ofMillis(Math.max(0, ms)));
    }

    /** The store first, then its data, which are released even if closing the store fails. */
    @Override
    public void close() {
        final StoreServer ending = server;
        server = null;
        try {
            if (ending != null) {
                ending.close();
            }
        } finally {
            release();
        }
    }

    private void release() {
        if (acknowledged != null) {
            acknowledged.close();
            acknowledged = null;
        }
        if (directory != null) {
            directory.close();
            directory = null;
        }
    }

    /**
     * Injects faults into members, each at once on a separate thread: a long one, such as a
     * restart, does not hold up others. For one member, a restart waits for the kill before it; a
     * kill does not wait, and a restart that it hits has failed.
     */
    private final class MemberFaults {
        private final List<String> events = new ArrayList<>();
        private final List<String> troubles = new ArrayList<>();
        private final List<Long> times = new ArrayList<>();
        private final TreeMap<Integer, Member> known = new TreeMap<>();
        private final List<CompletableFuture<Void>> underWay = new ArrayList<>();

        /** State of one member; guarded by the faults object. */
        private static final class Member {
            private boolean isDead;
            private int kills;
            private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
        }

        /** Begins it, and returns at once. */
        synchronized void inject(final MemberFault fault) {
            requireMember(fault);
            final long beganNs = context.clock().nanoTime();
            final Member member = known.computeIfAbsent(fault.member(), _ -> new Member());
            underWay.removeIf(each -> each.isDone() && !each.isCompletedExceptionally());
            switch (fault.kind()) {
                case KILL -> {
                    member.isDead = true;
                    member.kills++;
                    final CompletableFuture<Void> killed = async(() -> kill(fault, beganNs));
                    member.last = CompletableFuture.allOf(member.last, killed);
                }
                case RESTART -> {
                    final CompletableFuture<Void> before = member.last;
                    final int killsBefore = member.kills; // one that comes later hits this restart
                    member.last =
                            async(() -> {
                                before.join();
                                restart(fault.member(), member, killsBefore, beganNs);
                            });
                }
            }
            underWay.add(member.last);
        }

        private static CompletableFuture<Void> async(final Runnable work) {
            return CompletableFuture.runAsync(
                    work, task -> Thread.ofPlatform().daemon().name("member-fault").start(task));
        }

        private void kill(final MemberFault fault, final long beganNs) {
            server.kill(fault.member());
            done(
                    fault,
                    beganNs,
                    "member %d killed at %s".formatted(fault.member(), sinceStart(beganNs)));
        }

        private synchronized void done(
                final MemberFault fault, final long beganNs, final String event) {
            final long doneNs = context.clock().nanoTime();
            times.addAll(
                    List.of((long) fault.member(), (long) fault.kind().ordinal(), beganNs, doneNs));
            events.add(event);
            context.log(event);
        }

        /**
         * A member that does not return stays dead: the result has to show what was kept without
         * it.
         */
        private void restart(
                final int number, final Member member, final int killsBefore, final long beganNs) {
            final MemberFault fault = new MemberFault(number, MemberFault.Kind.RESTART);
            final String event = "member %d restarted at %s".formatted(number, sinceStart(beganNs));
            synchronized (this) {
                if (!member.isDead) {
                    done(
                            fault,
                            beganNs,
                            "member %d not restarted at %s: it had not been killed"
                                    .formatted(number, sinceStart(beganNs)));
                    return;
                }
            }
            String why = "";
            try {
                server.restart(number);
            } catch (final UserError e) {
                why = e.getMessage();
            }
            boolean isKilledAgain;
            synchronized (this) {
                isKilledAgain = member.kills != killsBefore;
                member.isDead = isKilledAgain || !why.isEmpty();
                if (isKilledAgain) {
                    done(fault, beganNs, event + ", killed before it was back");
                } else if (why.isEmpty()) {
                    done(
                            fault,
                            beganNs,
                            event + ", back at " + sinceStart(context.clock().nanoTime()));
                } else {
                    done(fault, beganNs, event + ", did not come back");
                    troubles.add(
                            "Member %d, restarted at %s, did not come back: %s"
                                    .formatted(number, sinceStart(beganNs), why));
                }
            }
            if (isKilledAgain) {
                server.kill(number); // the kill may have come before the process existed
            }
        }

        /** Waits for faults in progress; rethrows exceptions other than user errors. */
        void await() {
            for (final CompletableFuture<Void> each : underWay()) {
                try {
                    each.join();
                } catch (final CompletionException e) {
                    throw e.getCause() instanceof final RuntimeException cause ? cause : e;
                }
            }
        }

        private synchronized List<CompletableFuture<Void>> underWay() {
            return List.copyOf(underWay);
        }

        /** All at once: members of a cluster may need each other to restart. */
        void restartDead() {
            dead().forEach(member -> inject(new MemberFault(member, MemberFault.Kind.RESTART)));
            await();
        }

        private synchronized List<Integer> dead() {
            return known.entrySet().stream()
                    .filter(entry -> entry.getValue().isDead)
                    .map(Map.Entry::getKey)
                    .toList();
        }

        synchronized List<String> events() {
            return List.copyOf(events);
        }

        synchronized List<String> troubles() {
            return List.copyOf(troubles);
        }

        synchronized List<Long> times() {
            return List.copyOf(times);
        }
    }

    /** Creates stores. */
    public static final class Factory extends RoleFactory.Declared<StoreSettings> {
        /** For the service loader. */
        public Factory() {
            super(
                    "store",
                    "Runs a store, and reads back from disk what it has acknowledged.",
                    StoreSettings.class);
        }

        @Override
        public List<HotThread> hotThreads(
                final StoreSettings settings, final int index, final int count) {
            return IntStream.rangeClosed(1, members(settings))
                    .mapToObj(member -> new HotThread("store member " + member))
                    .toList();
        }

        /** They belong to its members, which are processes of the engine. */
        @Override
        public boolean isPlaceable() {
            return false;
        }

        @Override
        public int members(final StoreSettings settings) {
            final ChannelUri channel = ChannelUri.parse(settings.channel());
            return Stores.of(channel).guarantees(channel).members();
        }

        @Override
        public long usualStartNs(final StoreSettings settings) {
            return Transports.usualStartNs(ChannelUri.parse(settings.channel()));
        }

        @Override
        public long expectedDurationNs(final StoreSettings settings) {
            return 0;
        }

        /** It ends when no role writes or reads any more. */
        @Override
        public boolean isObserver() {
            return true;
        }

        @Override
        public long patienceNs(final StoreSettings settings) {
            return Stores.patienceNs(ChannelUri.parse(settings.channel()));
        }

        /** When it reads back, it asks servers that may no longer answer. */
        @Override
        public long standstillNs(final StoreSettings settings) {
            return patienceNs(settings);
        }

        @Override
        public void check(final StoreSettings settings) {
            members(settings);
            Stores.check(ChannelUri.parse(settings.channel()), true);
            if (settings.keepStored() && settings.storeDirectory().isEmpty()) {
                throw UserError.usage(
                        "--keep-stored: keeps data in a folder of temporary files; name one with --store-directory.");
            }
        }

        @Override
        public void checkHere(final StoreSettings settings) {
            Transports.requireHere(ChannelUri.parse(settings.channel()), ExchangeSide.BIND);
        }

        @Override
        public boolean staysOnOneHost(final StoreSettings settings) {
            return Stores.stayOnOneHost(ChannelUri.parse(settings.channel()), true);
        }

        @Override
        public Role create(final StoreSettings settings, final RoleContext context) {
            check(settings);
            return new StoreRole(settings, context);
        }
    }
}

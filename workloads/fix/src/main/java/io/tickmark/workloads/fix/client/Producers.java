package io.tickmark.workloads.fix.client;

import io.tickmark.kernel.loop.LoopGroup;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.fix.message.FixTemplate;
import io.tickmark.workloads.fix.message.LoadTags.Phase;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Producers: warm up, send, say how many it were, log out. */
final class Producers implements Role {
    /** Messages that the gateway rejected (35=3 or 35=j), those of warm-up and end included. */
    static final String REJECTS_RECEIVED = "rejectsReceived";

    private static final long SETTLE_NS = 300_000_000;

    /** The identity in a message has five digits for its producer. */
    private static final int MOST_PRODUCERS = 99_999;

    /** A count that is out of reach ends after three times its time: the rate was not held. */
    private static final double PATIENCE = 3;

    private static final double LONGEST_NS = 1e17;

    private final ProducersSettings settings;
    private final RoleContext context;
    private final LoopGroup group;
    private final List<ProducerLoop> loops = new ArrayList<>();
    private final ProgressLines progress;
    private final Counter counter;

    Producers(
            final ProducersSettings settings,
            final RoleContext context,
            final FixTemplate template) {
        this.settings = settings;
        this.context = context;
        if (SessionNumbers.of(context).of(settings.producers()) > MOST_PRODUCERS) {
            throw UserError.usage(
                    "--producers %d: with %d processes of producers that is more than %d numbers; give fewer."
                            .formatted(settings.producers(), context.count(), MOST_PRODUCERS));
        }
        group = new LoopGroup(context, "producer thread");
        counter = context.recording().counter(Counts.SENT);
        progress = new ProgressLines(0, this::sent, count -> {}, counter);
        final int threads = Math.min(settings.client().threads(), settings.producers());
        int first = 1;
        for (int i = 0; i < threads; i++) {
            final int count =
                    settings.producers() / threads + (i < settings.producers() % threads ? 1 : 0);
            loops.add(
                    new ProducerLoop(
                            settings,
                            group,
                            template,
                            first,
                            count,
                            context.idleMode(ProducersFactory.thread(i))));
            first += count;
        }
    }

    private long sent() {
        return loops.stream().mapToLong(ProducerLoop::sent).sum();
    }

    @Override
    public Endpoints prepare() {
        return Endpoints.NONE;
    }

    @Override
    public void connect(final Endpoints endpoints) {
        final String bound = endpoints.named("fixProducers").stream().findFirst().orElse("");
        final InetSocketAddress address =
                settings.client().address(bound, settings.producersPort());
        loops.forEach(loop -> loop.connect(address));
        context.tell(
                settings.producers()
                        + " producers are logged on at "
                        + ClientSessions.text(address)
                        + ".");
    }

    @Override
    public RoleResult run(final long startAtNs) {
        final long warmNs = settings.warmUp().toNanos();
        final long startNs = startAtNs + (warmNs == 0 ? 0 : warmNs + SETTLE_NS);
        final long endNs = endNs(startNs);
        progress.start();
        group.run(
                "fix-producers",
                number ->
                        ClientSessions.settle(context, number, ProducersFactory.thread(number - 1)),
                loops.stream()
                        .<Runnable>map(loop -> () -> play(loop, startAtNs, startNs, endNs))
                        .toList());
        progress.stop();
        context.recording().endStep();
        return new RoleResult(List.of(step()), metrics(), List.of(), failure());
    }

    private void play(
            final ProducerLoop loop, final long startAtNs, final long startNs, final long endNs) {
        loop.serve(startAtNs);
        context.began();
        if (startNs != startAtNs) {
            loop.send(Phase.WARM_UP, startAtNs, Long.MAX_VALUE, startNs - SETTLE_NS);
            loop.serve(startNs);
        }
        if (loop == loops.getFirst()) { // on the role's own thread; the time line has no warm-up
            context.recording().beginStep(0, "fan-out");
        }
        loop.send(
                Phase.MEASURED,
                startNs,
                settings.duration().isZero() ? settings.messages() : Long.MAX_VALUE,
                endNs);
        if (loop.failure().isEmpty()) {
            loop.tellEnd();
        }
        loop.serve(context.clock().nanoTime() + settings.linger().toNanos());
        loop.logOut();
    }

    private long endNs(final long startNs) {
        if (!settings.duration().isZero()) {
            return startNs + settings.duration().toNanos();
        }
        return settings.rate() == 0
                ? startNs + Long.MAX_VALUE / 4
                : startNs
                        + 1_000_000_000L
                        + (long)
                                Math.min(
                                        LONGEST_NS,
                                        PATIENCE * 1e9 * settings.messages() / settings.rate());
    }

    private StepResult step() {
        final long durationNs = loops.stream().mapToLong(ProducerLoop::durationNs).max().orElse(0);
        final Map<String, Long> counts = new LinkedHashMap<>();
        counts.put(Counts.SENT, sent());
        counts.put("fannedOut", loops.stream().mapToLong(ProducerLoop::fannedOut).sum());
        counts.put(
                Counts.MAX_TIGHT_SENDS,
                loops.stream().mapToLong(loop -> loop.pacer().maxTightSends()).max().orElse(0));
        counts.put(
                Counts.MAX_LAG_NS,
                loops.stream().mapToLong(loop -> loop.pacer().maxLagNs()).max().orElse(0));
        counts.put(Counts.BACK_PRESSURED, loops.stream().mapToLong(ProducerLoop::refused).sum());
        final long rejected = loops.stream().mapToLong(ProducerLoop::rejected).sum();
        counts.put(REJECTS_RECEIVED, rejected);
        return new StepResult(
                0,
                "",
                0,
                counts,
                durationNs,
                settings.rate() * settings.producers(),
                durationNs > 0 ? sent() * 1e9 / durationNs : 0,
                Map.of(),
                rejected == 0 ? List.of() : List.of(rejection(rejected)));
    }

    private String rejection(final long rejected) {
        return "The gateway rejected %d message%s, the first %s."
                .formatted(
                        rejected,
                        rejected == 1 ? "" : "s",
                        loops.stream()
                                .map(ProducerLoop::firstRejected)
                                .filter(first -> !first.isEmpty())
                                .findFirst()
                                .orElseThrow());
    }

    private Map<String, Object> metrics() {
        final Map<String, Object> metrics = new LinkedHashMap<>();
        metrics.put("producers", settings.producers());
        metrics.put("every", settings.markedEvery());
        metrics.put(
                "pace",
                settings.rate() == 0
                        ? "as-fast-as-possible"
                        : settings.burst()
                                ? "all sessions at once"
                                : "one session after the other");
        return metrics;
    }

    private String failure() {
        return Stream.concat(Stream.of(group.failure()), loops.stream().map(ProducerLoop::failure))
                .filter(reason -> !reason.isEmpty())
                .findFirst()
                .orElse("");
    }

    @Override
    public void close() {
        progress.stop();
        loops.forEach(ProducerLoop::close);
    }
}

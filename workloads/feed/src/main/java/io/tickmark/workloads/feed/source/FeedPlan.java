package io.tickmark.workloads.feed.source;

import io.tickmark.kernel.host.HostId;
import io.tickmark.kernel.role.Idle;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transports;
import io.tickmark.transport.control.Control;
import io.tickmark.workloads.feed.source.FeedFigures.FeedCounts;
import io.tickmark.workloads.feed.tick.Instruments;
import io.tickmark.workloads.feed.tick.Tick;
import java.io.BufferedReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Settings of a feed, and the data read for them. */
public final class FeedPlan {
    private final FeedSettings settings;
    private final List<String> names;
    private final Optional<Recorded> recorded;
    private final Optional<ChannelUri> channel;

    private FeedPlan(
            final FeedSettings settings,
            final List<String> names,
            final Optional<Recorded> recorded,
            final Optional<ChannelUri> channel) {
        this.settings = settings;
        this.names = names;
        this.recorded = recorded;
        this.channel = channel;
    }

    /**
     * Reads the data of a feed.
     *
     * @param settings of it
     * @return the plan
     * @throws io.tickmark.kernel.settings.UserError if a file cannot be read
     */
    public static FeedPlan of(final FeedSettings settings) {
        if (settings.source().equals(FeedSettings.GENERATOR)) {
            return new FeedPlan(
                    settings,
                    Instruments.names(settings.symbols()),
                    Optional.empty(),
                    Optional.empty());
        }
        if (settings.isChannel()) {
            return ofChannel(settings);
        }
        final Recorded recorded = Recorded.read(Path.of(settings.source()));
        return new FeedPlan(
                settings.withSymbols(recorded.names().size()),
                recorded.names(),
                Optional.of(recorded),
                Optional.empty());
    }

    private static FeedPlan ofChannel(final FeedSettings settings) {
        try {
            final ChannelUri channel = ChannelUri.parse(settings.source());
            new Transports().of(channel).traits(channel);
            return new FeedPlan(
                    settings,
                    Instruments.names(settings.symbols()),
                    Optional.empty(),
                    Optional.of(channel));
        } catch (final UserError e) {
            throw e.at("--source");
        }
    }

    /**
     * The feed itself.
     *
     * @param time of the feed
     * @param sinks of each of its threads
     * @param placing where each of its threads runs, and what it waits with
     * @return a feed that has not begun
     */
    public Feed feed(
            final FeedClock time, final List<List<TickRing>> sinks, final ThreadPlacement placing) {
        return channel.<Feed>map(from ->
                        new ChannelFeed(
                                this,
                                from,
                                time,
                                sinks.getFirst().toArray(TickSink[]::new),
                                placing))
                .orElseGet(() -> new GeneratedFeed(this, time, sinks, placing));
    }

    /**
     * Settings with the number of symbols that there are.
     *
     * @return settings
     */
    public FeedSettings settings() {
        return settings;
    }

    /**
     * Names of the symbols.
     *
     * @return by number
     */
    public List<String> names() {
        return names;
    }

    /** The messages of one of its threads. */
    Prices prices(final int thread) {
        return recorded.<Prices>map(file -> new ReplayedPrices(file, settings.threads(), thread))
                .orElseGet(() -> new WalkingPrices(settings, thread));
    }

    /**
     * Recorded prices: a CSV file with the head {@code symbol,bid,ask,last,size}, one message a
     * line, in the order of replay. Prices have two decimals at most, sizes none.
     *
     * @param names of the symbols, in the order in which they first appear
     * @param messages in the order of the file
     */
    record Recorded(List<String> names, List<Message> messages) {
        private static final String HEAD = "symbol,bid,ask,last,size";
        private static final int FIELDS = 5;
        private static final int MAX_MESSAGES = 2_000_000;
        private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._/=+-]{1,24}");
        private static final int DECIMALS = 2;
        private static final BigDecimal MAX_NUMBER = BigDecimal.valueOf(20_000_000);

        /** One line; prices in hundredths. */
        record Message(int symbol, int bid, int ask, int last, int size) {}

        Recorded {
            names = List.copyOf(names);
            messages = List.copyOf(messages);
        }

        static Recorded read(final Path file) {
            try (BufferedReader lines = Files.newBufferedReader(file)) {
                return read(lines, file.toString());
            } catch (final IOException e) {
                throw UserError.usage(
                        "--source %s: cannot be read: %s.".formatted(file, IoReason.of(e)));
            }
        }

        /** Reads lines; {@code name} is for errors. */
        static Recorded read(final BufferedReader lines, final String name) throws IOException {
            final Map<String, Integer> symbols = new LinkedHashMap<>();
            final List<Message> messages = new ArrayList<>();
            if (!HEAD.equals(lines.readLine())) {
                throw UserError.usage("%s line 1: must be '%s'.".formatted(name, HEAD));
            }
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                final String place = name + " line " + (messages.size() + 2);
                if (messages.size() == MAX_MESSAGES) {
                    throw UserError.usage(
                            "%s: more than %d messages; give a shorter file."
                                    .formatted(place, MAX_MESSAGES));
                }
                messages.add(message(line, place, symbols));
            }
            if (messages.isEmpty()) {
                throw UserError.usage(name + ": holds no message.");
            }
            return new Recorded(new ArrayList<>(symbols.keySet()), messages);
        }

        private static Message message(
                final String line, final String place, final Map<String, Integer> symbols) {
            final String[] fields = line.split(",", -1);
            if (fields.length != FIELDS || !NAME.matcher(fields[0]).matches()) {
                throw UserError.usage(
                        "%s: must be a symbol and four numbers, as in 'ABC,10.01,10.03,10.02,300'."
                                .formatted(place));
            }
            Integer symbol = symbols.get(fields[0]);
            if (symbol == null) {
                if (symbols.size() == FeedSettings.MAX_SYMBOLS) {
                    throw UserError.usage(
                            "%s: more than %d symbols.".formatted(place, FeedSettings.MAX_SYMBOLS));
                }
                symbol = symbols.size();
                symbols.put(fields[0], symbol);
            }
            return new Message(
                    symbol,
                    price(fields[1], place),
                    price(fields[2], place),
                    price(fields[3], place),
                    size(fields[4], place));
        }

        /** Refuses what would be another price, or another size, in the feed. */
        private static int price(final String text, final String place) {
            final BigDecimal price = number(text, place);
            if (price.scale() > DECIMALS) {
                throw UserError.usage(
                        ("%s: '%s' has more than two decimals, and the feed has hundredths: round it, or multiply all"
                                        + " prices of its symbol.")
                                .formatted(place, text));
            }
            return price.movePointRight(DECIMALS).intValueExact();
        }

        private static int size(final String text, final String place) {
            final BigDecimal size = number(text, place);
            if (size.scale() > 0) {
                throw UserError.usage(
                        "%s: '%s' is not a whole number, as a size must be."
                                .formatted(place, text));
            }
            return size.intValueExact();
        }

        /** Without zeros at its end. */
        private static BigDecimal number(final String text, final String place) {
            try {
                final BigDecimal number = new BigDecimal(text.strip());
                if (number.signum() >= 0 && number.compareTo(MAX_NUMBER) <= 0) {
                    return number.stripTrailingZeros();
                }
            } catch (final NumberFormatException _) {
                // reported below, like values out of bounds
            }
            throw UserError.usage(
                    "%s: '%s' is not a number from 0 to %s."
                            .formatted(place, text, MAX_NUMBER.toPlainString()));
        }
    }

    /** Recorded messages of every n-th symbol, over and over in the order of the file. */
    static final class ReplayedPrices implements Prices {
        private final Recorded.Message[] messages;
        private final int[] sequences;
        private final int[] volumes;
        private int place;

        ReplayedPrices(final Recorded recorded, final int threads, final int thread) {
            messages =
                    recorded.messages().stream()
                            .filter(message -> message.symbol() % threads == thread)
                            .toArray(Recorded.Message[]::new);
            sequences = new int[recorded.names().size()];
            volumes = new int[recorded.names().size()];
        }

        @Override
        public void next(final MutableDirectBuffer buffer, final int offset) {
            final Recorded.Message message = messages[place];
            place = place + 1 == messages.length ? 0 : place + 1;
            final int symbol = message.symbol();
            volumes[symbol] += message.size();
            Tick.identity(buffer, offset, symbol, ++sequences[symbol]);
            Tick.quote(buffer, offset, message.bid(), message.ask());
            Tick.trade(buffer, offset, message.last(), message.size(), volumes[symbol]);
        }
    }

    /**
     * Random walks of every n-th symbol, in turn: the mid price moves by a hundredth or stays,
     * trades happen at bid or ask. Allocates nothing after construction; the same seed gives the
     * same prices.
     */
    private static final class WalkingPrices implements Prices {
        private static final int SPREADS = 4;
        private static final int SIZES = 50;
        private static final int LOT = 100;

        private final int[] mids;
        private final int[] floors;
        private final int[] volumes;
        private final int[] sequences;
        private final int step;
        private final int firstSymbol;
        private int nextSymbol;
        private long random;

        WalkingPrices(final FeedSettings settings, final int thread) {
            final int symbols = settings.symbols();
            mids = new int[symbols];
            floors = new int[symbols];
            volumes = new int[symbols];
            sequences = new int[symbols];
            for (int symbol = 0; symbol < symbols; symbol++) {
                mids[symbol] = Instruments.firstPriceCents(symbol);
                floors[symbol] = mids[symbol] / 2;
            }
            step = settings.threads();
            firstSymbol = thread;
            nextSymbol = thread;
            random = (settings.seed() + thread) * 0x9E3779B97F4A7C15L + 1;
            if (random == 0) {
                random = 1;
            }
        }

        @Override
        public void next(final MutableDirectBuffer buffer, final int offset) {
            final int symbol = nextSymbol;
            nextSymbol += step;
            if (nextSymbol >= mids.length) {
                nextSymbol = firstSymbol;
            }
            write(symbol, buffer, offset);
        }

        /** All of a message but its times. */
        private void write(final int symbol, final MutableDirectBuffer buffer, final int offset) {
            final long bits = nextBits();
            final int floor = floors[symbol];
            final int move = (int) ((bits & 0xff) % 3) - 1;
            int mid = mids[symbol] + move;
            if (mid < floor || mid > floor * 4) {
                mid = mids[symbol] - move; // a walk turns at half and at twice its first price
            }
            mids[symbol] = mid;
            final int halfSpread = 1 + (int) (bits >>> 8 & 0xff) % SPREADS / 2;
            final int size = LOT * (1 + (int) ((bits >>> 16 & 0xffff) % SIZES));
            volumes[symbol] += size;
            Tick.identity(buffer, offset, symbol, ++sequences[symbol]);
            Tick.quote(buffer, offset, mid - halfSpread, mid + halfSpread);
            final int last = (bits >>> 40 & 1) == 0 ? mid - halfSpread : mid + halfSpread;
            Tick.trade(buffer, offset, last, size, volumes[symbol]);
        }

        /** Marsaglia's xorshift (2003), shifts 13, 7, 17: good enough for prices, and cheap. */
        private long nextBits() {
            random ^= random << 13;
            random ^= random >>> 7;
            random ^= random << 17;
            return random;
        }
    }

    /** The messages that others send on a channel of one of the engines, received by one thread. */
    private static final class ChannelFeed implements Feed {
        private static final String THREAD = "feed-1";

        private final FeedPlan plan;
        private final ThreadPlacement placing;
        private final FeedCounts counts = new FeedCounts();
        private final FeedClock time;
        private final ReceivedTicks ticks;
        private final ChannelReader reader;
        private final Idle idle;
        private final ChannelUri channel;
        private final Failure failure = new Failure();
        private Thread thread;
        private SourceState sourceAtEnd = SourceState.NONE;
        private volatile boolean isStopped;

        ChannelFeed(
                final FeedPlan plan,
                final ChannelUri channel,
                final FeedClock time,
                final TickSink[] sinks,
                final ThreadPlacement placing) {
            this.plan = plan;
            this.placing = placing;
            idle = placing.idle(THREAD);
            this.channel = channel;
            this.time = time;
            ticks =
                    new ReceivedTicks(
                            plan.settings(),
                            new Transports().of(channel).traits(channel).ordered(),
                            time,
                            sinks,
                            counts,
                            () -> isStopped);
            reader = new ChannelReader(channel, time, ticks, counts);
        }

        @Override
        public void start(final long startNs) {
            reader.open();
            thread = Thread.ofPlatform().name(THREAD).daemon().start(this::run);
        }

        private void run() {
            try {
                placing.begin(THREAD);
                while (!isStopped) {
                    idle.idle(reader.work());
                }
            } catch (final Throwable e) { // otherwise it would never be reported
                failure.keep("the source " + channel, e);
            }
            reader.close();
        }

        @Override
        public FeedFigures figures() {
            return counts.figures();
        }

        @Override
        public SourceState source() {
            return isStopped ? sourceAtEnd : ticks.source(time.clock().nanoTime());
        }

        @Override
        public void forgetMaxima() {
            counts.forgetMaxima();
        }

        @Override
        public String failure() {
            return failure.words();
        }

        @Override
        public List<String> symbolNames() {
            return plan.names();
        }

        @Override
        public void close() {
            sourceAtEnd = source();
            isStopped = true;
            if (thread != null) {
                Threads.join(List.of(thread));
                thread = null;
            }
        }

        /**
         * Subscribes to a channel: says hello until it is welcomed, and again where it falls
         * silent, so that a publisher may start, stop and restart. Single-threaded; the thread may
         * differ from the opening one.
         */
        private static final class ChannelReader {
            private static final int COOKIE = 1;
            private static final int POLL_LIMIT = 128;
            private static final long HELLO_NS = TimeUnit.MILLISECONDS.toNanos(20);
            private static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(1);

            private final ChannelUri channel;
            private final FeedClock time;
            private final ReceivedTicks ticks;
            private final Control control = new Control(0);
            private final MessageHandler handler = this::onMessage;
            private final FeedCounts counts;
            private final long nonce;
            private Exchange exchange;
            private boolean isWelcome;
            private boolean isOnOurClock;
            private boolean isSign;
            private long heardNs;
            private long helloNs;

            ChannelReader(
                    final ChannelUri channel,
                    final FeedClock time,
                    final ReceivedTicks ticks,
                    final FeedCounts counts) {
                this.channel = channel;
                this.time = time;
                this.ticks = ticks;
                this.counts = counts;
                nonce = time.clock().nanoTime() ^ ProcessHandle.current().pid() << 40;
            }

            /** Opens its end; to be called before it runs. */
            void open() {
                exchange =
                        new Transports()
                                .of(channel)
                                .exchange(
                                        channel,
                                        Topic.of(List.of("feed")).getFirst(),
                                        ExchangeSide.CONNECT,
                                        COOKIE);
                heardNs = time.clock().nanoTime();
                helloNs = heardNs;
            }

            /** Passes on what arrived; returns how much. */
            int work() {
                if (exchange == null) {
                    return openAgain();
                }
                final int work = exchange.publication().doWork();
                final int polled = exchange.subscription().poll(handler, POLL_LIMIT);
                final long nowNs = time.clock().nanoTime();
                if (polled > 0) {
                    heardNs = nowNs;
                }
                if (isSign) {
                    isSign = false;
                    ticks.heard(nowNs);
                }
                attend(nowNs);
                return work + polled;
            }

            private void attend(final long nowNs) {
                final boolean isSilent = nowNs - heardNs > SILENCE_NS;
                if (isSilent && isWelcome && !exchange.subscription().isConnected()) {
                    close();
                    helloNs = nowNs + SILENCE_NS;
                } else if ((isSilent || !isWelcome) && nowNs - helloNs >= 0) {
                    helloNs = nowNs + HELLO_NS;
                    control.hello(exchange.publication(), COOKIE, nonce, false);
                }
            }

            private int openAgain() {
                if (time.clock().nanoTime() - helloNs >= 0) {
                    try {
                        open();
                    } catch (final UserError e) {
                        helloNs = time.clock().nanoTime() + SILENCE_NS; // its place is not free yet
                    }
                }
                return 0;
            }

            void close() {
                if (exchange != null) {
                    exchange.close();
                    exchange = null;
                    isWelcome = false;
                    control.trialId(0);
                }
            }

            private void onMessage(final DirectBuffer buffer, final int offset, final int length) {
                if (!Stamp.isStamped(buffer, offset, length)) {
                    counts.live().skipped().increment();
                    return;
                }
                final int flags = Stamp.flags(buffer, offset);
                if ((flags & ~Stamp.WARM_UP) == 0) {
                    isSign = true;
                    ticks.onData(buffer, offset, length, isOnOurClock);
                } else if (length >= Stamp.FULL_LENGTH) {
                    onControl(buffer, offset, flags);
                }
            }

            private void onControl(final DirectBuffer buffer, final int offset, final int flags) {
                final int source = Stamp.source(buffer, offset);
                if (flags == Stamp.WELCOME
                        && source == COOKIE
                        && Stamp.intendedNs(buffer, offset) == nonce) {
                    isSign = true;
                    isWelcome = true;
                    isOnOurClock = Stamp.sentNs(buffer, offset) == HostId.VALUE;
                    control.trialId(Stamp.trialId(buffer, offset));
                    ticks.onWelcome(control.trialId());
                } else if ((flags & ~Stamp.WELCOME) == Stamp.END) {
                    final int step = Stamp.step(buffer, offset);
                    final long lost =
                            ticks.onEnd(
                                    Stamp.trialId(buffer, offset),
                                    step,
                                    source,
                                    Stamp.sequence(buffer, offset));
                    isSign = true;
                    if (lost != ReceivedTicks.UNKNOWN) { // the publisher repeats it
                        control.endReply(exchange.publication(), step, source, COOKIE, lost, nonce);
                    }
                }
            }
        }
    }
}

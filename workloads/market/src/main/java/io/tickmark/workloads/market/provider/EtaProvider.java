package io.tickmark.workloads.market.provider;

import com.refinitiv.eta.rdm.Directory;
import com.refinitiv.eta.rdm.Login;
import com.refinitiv.eta.transport.Server;
import com.refinitiv.eta.valueadd.domainrep.rdm.dictionary.DictionaryMsgType;
import com.refinitiv.eta.valueadd.domainrep.rdm.dictionary.DictionaryRequest;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.ConsumerStatusService;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryConsumerStatus;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryMsgType;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryRequest;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginConsumerConnectionStatus;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginMsgType;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginRTT;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginRequest;
import com.refinitiv.eta.valueadd.reactor.ProviderCallback;
import com.refinitiv.eta.valueadd.reactor.ProviderRole;
import com.refinitiv.eta.valueadd.reactor.RDMDictionaryMsgEvent;
import com.refinitiv.eta.valueadd.reactor.RDMDirectoryMsgEvent;
import com.refinitiv.eta.valueadd.reactor.RDMLoginMsgEvent;
import com.refinitiv.eta.valueadd.reactor.ReactorAcceptOptions;
import com.refinitiv.eta.valueadd.reactor.ReactorCallbackReturnCodes;
import com.refinitiv.eta.valueadd.reactor.ReactorChannel;
import com.refinitiv.eta.valueadd.reactor.ReactorChannelEvent;
import com.refinitiv.eta.valueadd.reactor.ReactorChannelEventTypes;
import com.refinitiv.eta.valueadd.reactor.ReactorErrorInfo;
import com.refinitiv.eta.valueadd.reactor.ReactorFactory;
import com.refinitiv.eta.valueadd.reactor.ReactorMsgEvent;
import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.record.Recording;
import io.tickmark.workloads.market.data.MessageEncoder;
import io.tickmark.workloads.market.data.PayloadDecoder;
import io.tickmark.workloads.market.data.ReflectedPost;
import io.tickmark.workloads.market.measure.LatencyKind;
import io.tickmark.workloads.market.measure.LatencyMeter;
import io.tickmark.workloads.market.measure.LatencyMeter.LatencyListener;
import io.tickmark.workloads.market.rssl.FirstSender;
import io.tickmark.workloads.market.rssl.PackedWriter;
import io.tickmark.workloads.market.rssl.ReactorLoop;
import io.tickmark.workloads.market.rssl.Rssl;
import io.tickmark.workloads.market.source.AdminReplies;
import io.tickmark.workloads.market.source.DictionaryReply;
import io.tickmark.workloads.market.source.EncodeTime;
import io.tickmark.workloads.market.source.EtaSink;
import io.tickmark.workloads.market.source.ItemFeed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One thread of the provider with its consumers' connections: bursts on the tick, images and
 * reading in the time that is left.
 */
final class EtaProvider implements ProviderCallback, ProviderApi {
    private final ProviderShared shared;
    private final ReactorLoop loop;
    private final AdminReplies admin;
    private final DictionaryReply dictionaries;
    private final EtaServed.Tools tools;
    private final MessageEncoder encoder;
    private final EncodeTime encodeTime;
    private final LoopCounts<ProviderCounts> loopCounts;
    private final ProviderCounts counts;
    private final List<EtaServed> connections = new ArrayList<>();
    private final ProviderRole role = ReactorFactory.createProviderRole();
    private final LatencyRecorder loginRoundTrip;
    private final AtomicInteger load = new AtomicInteger();

    EtaProvider(
            final ProviderShared shared,
            final ReactorLoop loop,
            final int number,
            final LatencyListener each) {
        this.shared = shared;
        this.loop = loop;
        final ProviderSettings settings = shared.settings();
        admin = new AdminReplies(settings.serviceName(), settings.serviceId());
        dictionaries = new DictionaryReply(shared.dictionary());
        final TimeUnit unit =
                settings.source().nanoTime() ? TimeUnit.NANOSECONDS : TimeUnit.MICROSECONDS;
        encoder = new MessageEncoder(shared.dictionary(), unit);
        final Recording recording = shared.context().recording();
        loopCounts = new LoopCounts<>(ProviderCounts.COLUMNS, number, recording);
        counts = loopCounts.live();
        final String suffix = LoopCounts.suffix(number);
        tools =
                new EtaServed.Tools(
                        shared.ownMessages(),
                        settings.serviceId(),
                        new PayloadDecoder(shared.dictionary()),
                        new ReflectedPost(),
                        new LatencyMeter(
                                LatencyKind.GENERIC,
                                number,
                                "AtProvider",
                                recording,
                                counts.genericLatency(),
                                each),
                        settings.measureDecode() ? recording.latency("decodeNs" + suffix) : null,
                        shared.context().clock(),
                        counts);
        encodeTime = settings.source().encodeTime(shared.context(), suffix);
        loginRoundTrip = recording.latency("loginRoundTripNs" + suffix);
        role.channelEventCallback(this);
        role.loginMsgCallback(this);
        role.directoryMsgCallback(this);
        role.dictionaryMsgCallback(this);
        role.defaultMsgCallback(this);
    }

    /**
     * Accepts a connecting consumer; called by the thread that accepts. False where that could not
     * be.
     */
    boolean accept(final Server server) {
        final ReactorErrorInfo trouble = ReactorFactory.createReactorErrorInfo();
        final ReactorAcceptOptions options = ReactorFactory.createReactorAcceptOptions();
        options.acceptOptions().sysSendBufSize(shared.connection().socketSendBytes());
        load.incrementAndGet();
        final Optional<String> refusal =
                Rssl.accept(loop.reactor(), server, options, role, trouble);
        refusal.ifPresent(why -> {
            load.decrementAndGet();
            shared.refusedConnection(why);
        });
        loop.wake();
        return refusal.isEmpty();
    }

    /**
     * Connections assigned to it; the thread that accepts adds to their number, this one subtracts.
     */
    int load() {
        return load.get();
    }

    @Override
    public LoopCounts<ProviderCounts> counts() {
        return loopCounts;
    }

    @Override
    public List<EtaServed> connections() {
        return connections;
    }

    @Override
    public void sendRoundTrips() {
        for (final EtaServed each : connections) {
            if (each.roundTripStream() >= 0) {
                admin.roundTrip(each.channel(), each.roundTripStream());
            }
        }
    }

    @Override
    public boolean dispatch(final long nowNs) {
        for (int i = connections.size() - 1; i >= 0; i--) { // backwards: slow ones are removed
            final EtaServed each = connections.get(i);
            if (shared.isTooSlow(each, counts)) {
                down(each.channel());
            }
        }
        return loop.dispatch(nowNs);
    }

    @Override
    public void idle(final long forNs) {
        loop.idle(forNs);
    }

    @Override
    public void close() {
        loop.close();
    }

    @Override
    public int reactorChannelEventCallback(final ReactorChannelEvent event) {
        final ReactorChannel channel = event.reactorChannel();
        switch (event.eventType()) {
            case ReactorChannelEventTypes.CHANNEL_UP -> up(channel);
            case ReactorChannelEventTypes.FD_CHANGE -> loop.descriptorChanged(channel);
            case ReactorChannelEventTypes.CHANNEL_DOWN -> down(channel);
            default -> {}
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    private void up(final ReactorChannel channel) {
        final ProviderSettings settings = shared.settings();
        final ItemFeed feed = shared.feed(connections.size());
        final PackedWriter writer = new PackedWriter(channel, shared.connection());
        final EtaSink sink =
                new EtaSink(
                        encoder,
                        writer,
                        settings.source().preEnc(),
                        settings.serviceId(),
                        encodeTime);
        connections.add(new EtaServed(channel, writer, feed, sink, tools));
        loop.add(channel);
        FirstSender.say(channel, shared.connection());
        counts.connections().increment();
        shared.consumerJoined();
    }

    private void down(final ReactorChannel channel) {
        final EtaServed gone = connection(channel);
        loop.remove(channel);
        load.decrementAndGet();
        if (gone != null) {
            gone.settle();
            gone.leave(shared.context().clock().nanoTime());
            connections.remove(gone);
            shared.consumerLeft();
        }
    }

    private EtaServed connection(final ReactorChannel channel) {
        for (int i = 0; i < connections.size(); i++) {
            if (connections.get(i).channel() == channel) {
                return connections.get(i);
            }
        }
        return null;
    }

    @Override
    public int rdmLoginMsgCallback(final RDMLoginMsgEvent event) {
        if (event.rdmLoginMsg() == null) {
            counts.garbled().increment();
            return ReactorCallbackReturnCodes.SUCCESS;
        }
        if (event.rdmLoginMsg().rdmMsgType() == LoginMsgType.CONSUMER_CONNECTION_STATUS) {
            final LoginConsumerConnectionStatus status =
                    (LoginConsumerConnectionStatus) event.rdmLoginMsg();
            if (status.checkHasWarmStandbyInfo()) {
                standby(event.reactorChannel(), status.warmStandbyInfo().warmStandbyMode());
            }
        } else if (event.rdmLoginMsg().rdmMsgType() == LoginMsgType.REQUEST) {
            final LoginRequest request = (LoginRequest) event.rdmLoginMsg();
            admin.login(event.reactorChannel(), request);
            final EtaServed from = connection(event.reactorChannel());
            if (from != null && AdminReplies.measuresRoundTrips(request)) {
                from.roundTripStream(request.streamId());
            }
        } else if (event.rdmLoginMsg().rdmMsgType() == LoginMsgType.RTT) {
            loginRoundTrip.record(
                    ((LoginRTT) event.rdmLoginMsg()).calculateRTTLatency(TimeUnit.NANOSECONDS));
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    private void standby(final ReactorChannel channel, final long mode) {
        final EtaServed from = connection(channel);
        if (from != null) {
            from.standby(mode == Login.ServerTypes.STANDBY);
        }
    }

    @Override
    public int rdmDirectoryMsgCallback(final RDMDirectoryMsgEvent event) {
        if (event.rdmDirectoryMsg() == null) {
            counts.garbled().increment();
        } else if (event.rdmDirectoryMsg().rdmMsgType() == DirectoryMsgType.CONSUMER_STATUS) {
            final DirectoryConsumerStatus status =
                    (DirectoryConsumerStatus) event.rdmDirectoryMsg();
            for (final ConsumerStatusService each : status.consumerServiceStatusList()) {
                if (each.checkHasWarmStandbyMode()
                        && each.serviceId() == shared.settings().serviceId()) {
                    standby(event.reactorChannel(), each.warmStandbyMode());
                }
            }
        }
        if (event.rdmDirectoryMsg() != null
                && event.rdmDirectoryMsg().rdmMsgType() == DirectoryMsgType.REQUEST) {
            final DirectoryRequest request = (DirectoryRequest) event.rdmDirectoryMsg();
            final long filter =
                    request.filter() == 0
                            ? Directory.ServiceFilterFlags.INFO | Directory.ServiceFilterFlags.STATE
                            : request.filter();
            admin.directory(event.reactorChannel(), request.streamId(), filter);
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    @Override
    public int rdmDictionaryMsgCallback(final RDMDictionaryMsgEvent event) {
        final EtaServed from = connection(event.reactorChannel());
        if (event.rdmDictionaryMsg() == null) {
            counts.garbled().increment();
        }
        if (from != null
                && event.rdmDictionaryMsg() != null
                && event.rdmDictionaryMsg().rdmMsgType() == DictionaryMsgType.REQUEST) {
            final DictionaryRequest request = (DictionaryRequest) event.rdmDictionaryMsg();
            final String trouble = dictionaries.answer(request, from::sendOrCopy);
            if (!trouble.isEmpty()) {
                shared.context().log("A dictionary was not sent: " + trouble + ".");
            }
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    @Override
    public int defaultMsgCallback(final ReactorMsgEvent event) {
        final EtaServed from = connection(event.reactorChannel());
        if (from != null) {
            from.on(event.msg());
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }
}

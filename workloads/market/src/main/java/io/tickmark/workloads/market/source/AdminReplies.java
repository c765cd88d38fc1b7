package io.tickmark.workloads.market.source;

import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.DataStates;
import com.refinitiv.eta.codec.Qos;
import com.refinitiv.eta.codec.QosRates;
import com.refinitiv.eta.codec.QosTimeliness;
import com.refinitiv.eta.codec.StreamStates;
import com.refinitiv.eta.rdm.Directory;
import com.refinitiv.eta.rdm.DomainTypes;
import com.refinitiv.eta.rdm.Login;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryMsgFactory;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryMsgType;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryRefresh;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.Service;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginMsgFactory;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginMsgType;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginRTT;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginRefresh;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginRequest;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginSupportFeatures;
import com.refinitiv.eta.valueadd.reactor.ReactorChannel;
import com.refinitiv.eta.valueadd.reactor.ReactorErrorInfo;
import com.refinitiv.eta.valueadd.reactor.ReactorFactory;
import com.refinitiv.eta.valueadd.reactor.ReactorSubmitOptions;
import com.refinitiv.eta.valueadd.reactor.ReactorWarmStandbyMode;
import io.tickmark.workloads.market.rssl.JsonConverterLock;
import java.util.List;

/** A provider's answers to login and directory requests. Single-threaded. */
public final class AdminReplies {
    private final String serviceName;
    private final int serviceId;
    private final ReactorErrorInfo error = ReactorFactory.createReactorErrorInfo();
    private final ReactorSubmitOptions options = ReactorFactory.createReactorSubmitOptions();

    /**
     * Answers for one service.
     *
     * @param serviceName of the service
     * @param serviceId of the service
     */
    public AdminReplies(final String serviceName, final int serviceId) {
        this.serviceName = serviceName;
        this.serviceId = serviceId;
    }

    /**
     * Accepts a login.
     *
     * @param channel that it arrived on
     * @param request the login
     */
    public void login(final ReactorChannel channel, final LoginRequest request) {
        final LoginRefresh refresh = accepted(request, "tickmark");
        refresh.state().text().data("login accepted");
        if (measuresRoundTrips(request)) {
            refresh.attrib().applyHasSupportRoundTripLatencyMonitoring();
            refresh.attrib().supportRTTMonitoring(1);
        }
        channel.submit(refresh, options, error);
    }

    /**
     * The answer to a login that is accepted. It announces posts, batches, views and standby: a
     * consumer with a standby only accepts servers for it that announce the same.
     *
     * @param request the login
     * @param applicationName of the server
     * @return the answer, to be sent on the login stream
     */
    public static LoginRefresh accepted(final LoginRequest request, final String applicationName) {
        final LoginRefresh refresh = (LoginRefresh) LoginMsgFactory.createMsg();
        refresh.rdmMsgType(LoginMsgType.REFRESH);
        refresh.streamId(request.streamId());
        refresh.applyHasUserName();
        refresh.userName().data(request.userName().toString());
        refresh.applyHasUserNameType();
        refresh.userNameType(Login.UserIdTypes.NAME);
        refresh.applySolicited();
        refresh.state().streamState(StreamStates.OPEN);
        refresh.state().dataState(DataStates.OK);
        refresh.applyHasAttrib();
        refresh.attrib().applyHasApplicationName();
        refresh.attrib().applicationName().data(applicationName);
        refresh.applyHasFeatures();
        final LoginSupportFeatures features = refresh.features();
        features.applyHasSupportPost();
        features.supportOMMPost(1);
        features.applyHasSupportBatchRequests();
        features.supportBatchRequests(1);
        features.applyHasSupportViewRequests();
        features.supportViewRequests(1);
        features.applyHasSupportStandby();
        features.supportStandby(1);
        features.applyHasSupportStandbyMode();
        features.supportStandbyMode(
                ReactorWarmStandbyMode.LOGIN_BASED | ReactorWarmStandbyMode.SERVICE_BASED);
        return refresh;
    }

    /**
     * Whether the other side answers round trips on the login stream.
     *
     * @param request its login
     * @return true where it says so
     */
    public static boolean measuresRoundTrips(final LoginRequest request) {
        return request.checkHasAttrib()
                && request.attrib().checkHasSupportRoundTripLatencyMonitoring()
                && request.attrib().supportRTTMonitoring() != 0;
    }

    /**
     * Requests a round trip on the login stream.
     *
     * @param channel of the login
     * @param streamId of the login
     */
    public void roundTrip(final ReactorChannel channel, final int streamId) {
        final LoginRTT ping = (LoginRTT) LoginMsgFactory.createMsg();
        ping.rdmMsgType(LoginMsgType.RTT);
        ping.initRTT(streamId);
        final boolean turn = JsonConverterLock.begin(channel);
        channel.submit(ping, options, error);
        JsonConverterLock.end(turn);
    }

    /**
     * Sends the source directory.
     *
     * @param channel to send it on
     * @param streamId of the request
     * @param filter of the request
     */
    public void directory(final ReactorChannel channel, final int streamId, final long filter) {
        final DirectoryRefresh refresh = directory(streamId, filter);
        refresh.applySolicited();
        channel.submit(refresh, options, error);
    }

    /**
     * The source directory of the service.
     *
     * @param streamId of its stream
     * @param filter parts that are requested
     * @return the message, not solicited
     */
    public DirectoryRefresh directory(final int streamId, final long filter) {
        final DirectoryRefresh refresh = (DirectoryRefresh) DirectoryMsgFactory.createMsg();
        refresh.rdmMsgType(DirectoryMsgType.REFRESH);
        refresh.streamId(streamId);
        refresh.filter(
                filter & (Directory.ServiceFilterFlags.INFO | Directory.ServiceFilterFlags.STATE));
        refresh.applyClearCache();
        refresh.state().streamState(StreamStates.OPEN);
        refresh.state().dataState(DataStates.OK);
        final Service service = DirectoryMsgFactory.createService();
        service.serviceId(serviceId);
        service.action(com.refinitiv.eta.codec.MapEntryActions.ADD);
        service.applyHasInfo();
        info(service);
        service.applyHasState();
        service.state().serviceState(1);
        service.state().applyHasAcceptingRequests();
        service.state().acceptingRequests(1);
        refresh.serviceList().add(service);
        return refresh;
    }

    private void info(final Service service) {
        final Service.ServiceInfo info = service.info();
        info.action(com.refinitiv.eta.codec.FilterEntryActions.SET);
        info.serviceName().data(serviceName);
        info.applyHasVendor();
        info.vendor().data("tickmark");
        info.capabilitiesList(
                List.of(
                        (long) DomainTypes.DICTIONARY,
                        (long) DomainTypes.MARKET_PRICE,
                        (long) DomainTypes.MARKET_BY_ORDER));
        info.applyHasDictionariesProvided();
        info.dictionariesProvidedList(DictionaryReply.NAMES);
        info.applyHasDictionariesUsed();
        info.dictionariesUsedList(DictionaryReply.NAMES);
        final Qos qos = CodecFactory.createQos();
        qos.timeliness(QosTimeliness.REALTIME);
        qos.rate(QosRates.TICK_BY_TICK);
        info.applyHasQos();
        info.qosList(List.of(qos));
    }
}

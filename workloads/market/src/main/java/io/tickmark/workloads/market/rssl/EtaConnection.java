package io.tickmark.workloads.market.rssl;

import com.refinitiv.eta.codec.DataStates;
import com.refinitiv.eta.codec.State;
import com.refinitiv.eta.codec.StreamStates;
import com.refinitiv.eta.transport.Transport;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginRefresh;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginStatus;
import com.refinitiv.eta.valueadd.reactor.DefaultMsgCallback;
import com.refinitiv.eta.valueadd.reactor.RDMLoginMsgCallback;
import com.refinitiv.eta.valueadd.reactor.RDMLoginMsgEvent;
import com.refinitiv.eta.valueadd.reactor.ReactorCallbackReturnCodes;
import com.refinitiv.eta.valueadd.reactor.ReactorChannel;
import com.refinitiv.eta.valueadd.reactor.ReactorChannelEvent;
import com.refinitiv.eta.valueadd.reactor.ReactorChannelEventCallback;
import com.refinitiv.eta.valueadd.reactor.ReactorChannelEventTypes;
import com.refinitiv.eta.valueadd.reactor.ReactorErrorInfo;
import com.refinitiv.eta.valueadd.reactor.ReactorFactory;
import com.refinitiv.eta.valueadd.reactor.ReactorReturnCodes;
import com.refinitiv.eta.valueadd.reactor.ReactorRole;
import io.tickmark.kernel.loop.LoopGroup;

/**
 * A connection on the Transport API that logs in. Until it is up for the first time it is tried
 * again; one that is lost afterwards, or whose login is refused, ends the test. Callbacks run
 * inside {@link #dispatch}. Single-threaded.
 */
public abstract class EtaConnection
        implements LibraryConnection,
                ReactorChannelEventCallback,
                RDMLoginMsgCallback,
                DefaultMsgCallback {
    private final LoopGroup group;
    private final Destination destination;
    private final ReactorLoop loop;
    private final ReactorErrorInfo error = ReactorFactory.createReactorErrorInfo();
    private ReactorChannel channel;
    private PackedWriter writer;
    private String trouble = "";
    private long loginSentNs;
    private long loginNs;
    private boolean isLoggedIn;
    private boolean isReady;
    private boolean isClosed;

    /**
     * Not connected.
     *
     * @param group of the role's loops
     * @param destination to connect to
     * @param loop of the connection's thread; closed with the connection
     */
    protected EtaConnection(
            final LoopGroup group, final Destination destination, final ReactorLoop loop) {
        this.group = group;
        this.destination = destination;
        this.loop = loop;
    }

    /**
     * What the Reactor does once it is connected, with the callbacks of its messages but those of
     * the connection itself and of items.
     *
     * @param userName of the login
     * @return a role that logs in
     */
    protected abstract ReactorRole role(String userName);

    /** The login is answered. */
    protected void loggedIn() {}

    /**
     * The connection was lost after it was up; ends the test.
     *
     * @param why the library's words in brackets, to follow a word; empty where it says nothing
     */
    protected abstract void lost(String why);

    @Override
    public void open() {
        final ReactorRole role = role(userName());
        role.channelEventCallback(this);
        role.defaultMsgCallback(this);
        final int code =
                loop.reactor()
                        .connect(
                                Rssl.connectTo(
                                        destination.peer().host(),
                                        destination.peer().port(),
                                        destination.connection(),
                                        destination.reconnectDelay()),
                                role,
                                error);
        if (code < ReactorReturnCodes.SUCCESS) {
            group.fail(
                    "The connection to %s cannot be opened: %s."
                            .formatted(destination.peer(), Rssl.text(error)));
        }
    }

    private String userName() {
        return destination.userName().isEmpty() ? Transport.userName() : destination.userName();
    }

    @Override
    public void dispatch(final long nowNs) {
        loop.dispatch(nowNs);
    }

    @Override
    public final void idle(final long forNs) {
        loop.idle(forNs);
    }

    @Override
    public final int reactorChannelEventCallback(final ReactorChannelEvent event) {
        switch (event.eventType()) {
            case ReactorChannelEventTypes.CHANNEL_UP -> up(event.reactorChannel());
            case ReactorChannelEventTypes.CHANNEL_READY -> isReady = true;
            case ReactorChannelEventTypes.FD_CHANGE ->
                    loop.descriptorChanged(event.reactorChannel());
            case ReactorChannelEventTypes.CHANNEL_DOWN,
                    ReactorChannelEventTypes.CHANNEL_DOWN_RECONNECTING ->
                    down(Rssl.text(event.errorInfo()));
            default -> {}
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    private void up(final ReactorChannel from) {
        channel = from;
        loop.add(from);
        FirstSender.await(from);
        writer = new PackedWriter(from, destination.connection());
        loginSentNs = group.context().clock().nanoTime();
    }

    private void down(final String why) {
        trouble = why.isEmpty() ? "" : " (" + why + ")";
        if (isUp() && !isClosed) {
            lost(trouble);
        }
    }

    @Override
    public final int rdmLoginMsgCallback(final RDMLoginMsgEvent event) {
        if (event.rdmLoginMsg() == null) {
            return ReactorCallbackReturnCodes.SUCCESS;
        }
        switch (event.rdmLoginMsg().rdmMsgType()) {
            case REFRESH -> answered(((LoginRefresh) event.rdmLoginMsg()).state());
            case STATUS -> {
                final LoginStatus status = (LoginStatus) event.rdmLoginMsg();
                if (status.checkHasState()) {
                    requireOpen(status.state());
                }
            }
            default -> {}
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    /** The Reactor, too, only goes on where the data are all right. */
    private void answered(final State state) {
        requireOpen(state);
        if (state.streamState() == StreamStates.OPEN
                && state.dataState() == DataStates.OK
                && !isLoggedIn) {
            loginNs = group.context().clock().nanoTime() - loginSentNs;
            isLoggedIn = true;
            loggedIn();
        }
    }

    private void requireOpen(final State state) {
        if (state.streamState() != StreamStates.OPEN) {
            final String words = state.text().toString();
            group.fail(
                    "The %s at %s refused the login of '%s': %s."
                            .formatted(
                                    destination.kind(),
                                    destination.peer(),
                                    userName(),
                                    words.isEmpty() ? "no reason given" : words));
        }
    }

    /** Once the Reactor has done what its role says. */
    @Override
    public boolean isReady() {
        return isReady;
    }

    @Override
    public String diagnosis() {
        return isUp()
                ? "the %s at %s is connected but does not answer the login"
                        .formatted(destination.kind(), destination.peer())
                : "nothing answers at %s%s; start the %s first, and check host and --port"
                        .formatted(destination.peer(), trouble, destination.kind());
    }

    @Override
    public final long loginNs() {
        return loginNs;
    }

    /** {@return the loop that it belongs to} */
    protected final ReactorLoop loop() {
        return loop;
    }

    /** {@return whether it was connected: from then on there are a channel and a writer} */
    protected final boolean isUp() {
        return writer != null;
    }

    /** {@return the Reactor's end of it, null until it {@link #isUp}} */
    protected final ReactorChannel channel() {
        return channel;
    }

    /** {@return what sends its messages, null until it {@link #isUp}} */
    protected final PackedWriter writer() {
        return writer;
    }

    @Override
    public final void close() {
        isClosed = true;
        loop.close();
    }
}

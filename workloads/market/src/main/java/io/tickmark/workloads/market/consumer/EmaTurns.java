package io.tickmark.workloads.market.consumer;

import com.refinitiv.ema.access.AckMsg;
import com.refinitiv.ema.access.GenericMsg;
import com.refinitiv.ema.access.Msg;
import com.refinitiv.ema.access.OmmConsumerClient;
import com.refinitiv.ema.access.OmmConsumerEvent;
import com.refinitiv.ema.access.RefreshMsg;
import com.refinitiv.ema.access.StatusMsg;
import com.refinitiv.ema.access.UpdateMsg;
import io.tickmark.workloads.market.rssl.LibraryDispatch;
import java.util.function.BiConsumer;

/** Passes the library's calls on in its turn. Called by the library's thread. */
final class EmaTurns implements OmmConsumerClient {
    private final OmmConsumerClient client;
    private final LibraryDispatch dispatch;

    private EmaTurns(final OmmConsumerClient client, final LibraryDispatch dispatch) {
        this.client = client;
        this.dispatch = dispatch;
    }

    /** The client itself where the role's own thread dispatches: it has nobody to wait for. */
    static OmmConsumerClient of(final OmmConsumerClient client, final LibraryDispatch dispatch) {
        return dispatch.isOn() ? new EmaTurns(client, dispatch) : client;
    }

    private <M> void pass(
            final BiConsumer<M, OmmConsumerEvent> call,
            final M message,
            final OmmConsumerEvent event) {
        dispatch.called();
        dispatch.take();
        try {
            call.accept(message, event);
        } finally {
            dispatch.give();
        }
    }

    @Override
    public void onRefreshMsg(final RefreshMsg message, final OmmConsumerEvent event) {
        pass(client::onRefreshMsg, message, event);
    }

    @Override
    public void onUpdateMsg(final UpdateMsg message, final OmmConsumerEvent event) {
        pass(client::onUpdateMsg, message, event);
    }

    @Override
    public void onStatusMsg(final StatusMsg message, final OmmConsumerEvent event) {
        pass(client::onStatusMsg, message, event);
    }

    @Override
    public void onGenericMsg(final GenericMsg message, final OmmConsumerEvent event) {
        pass(client::onGenericMsg, message, event);
    }

    @Override
    public void onAckMsg(final AckMsg message, final OmmConsumerEvent event) {
        pass(client::onAckMsg, message, event);
    }

    @Override
    public void onAllMsg(final Msg message, final OmmConsumerEvent event) {
        // each kind has a method of its own
    }
}

package io.tickmark.workloads.market.consumer;

import com.refinitiv.ema.access.AckMsg;
import com.refinitiv.ema.access.GenericMsg;
import com.refinitiv.ema.access.Msg;
import com.refinitiv.ema.access.OmmConsumerClient;
import com.refinitiv.ema.access.OmmConsumerEvent;
import com.refinitiv.ema.access.OmmState;
import com.refinitiv.ema.access.RefreshMsg;
import com.refinitiv.ema.access.StatusMsg;
import com.refinitiv.ema.access.UpdateMsg;
import io.tickmark.workloads.market.data.EmaDecoder;
import io.tickmark.workloads.market.data.MessageKind;

/**
 * Decodes the item messages of one connection on the Message API, every field of them. Called by
 * the thread that dispatches; an item's closure is its index.
 */
final class EmaInbox implements OmmConsumerClient {
    private final ItemIntake intake;
    private final boolean hasStandby;
    private final EmaDecoder decoder = new EmaDecoder();

    /** With a standby, images that nobody asked for are those of a server that takes over. */
    EmaInbox(final ItemIntake intake, final boolean hasStandby) {
        this.hasStandby = hasStandby;
        this.intake = intake;
    }

    private void decode(final Msg message) {
        final long beginNs = intake.beginDecode();
        final boolean isWhole = decoder.decode(message.payload());
        intake.decoded(beginNs, isWhole, decoder.unknownFields());
    }

    private static int index(final OmmConsumerEvent event) {
        return (Integer) event.closure();
    }

    @Override
    public void onUpdateMsg(final UpdateMsg update, final OmmConsumerEvent event) {
        decode(update);
        if (update.hasPublisherId()) {
            intake.post(
                    index(event),
                    update.publisherIdUserId(),
                    decoder.sequence(MessageKind.POST),
                    decoder.taken(MessageKind.POST),
                    decoder.intendedNs());
        } else {
            intake.update(
                    index(event),
                    decoder.sequence(MessageKind.UPDATE),
                    decoder.taken(MessageKind.UPDATE),
                    decoder.intendedNs());
        }
    }

    @Override
    public void onRefreshMsg(final RefreshMsg refresh, final OmmConsumerEvent event) {
        if (hasStandby && !refresh.solicited()) {
            intake.takenOver(index(event));
        }
        decode(refresh);
        final OmmState state = refresh.state();
        intake.refresh(
                index(event),
                state.streamState(),
                state.dataState(),
                refresh.complete(),
                decoder.sequence(MessageKind.UPDATE));
        onState(state, event);
    }

    @Override
    public void onStatusMsg(final StatusMsg status, final OmmConsumerEvent event) {
        if (status.hasState()) {
            intake.status(index(event), status.state().streamState(), status.state().dataState());
            onState(status.state(), event);
        } else {
            intake.status();
        }
    }

    private void onState(final OmmState state, final OmmConsumerEvent event) {
        if (ItemIntake.isFinal(state.streamState())) {
            intake.closed(index(event), state.statusText());
        }
    }

    @Override
    public void onGenericMsg(final GenericMsg generic, final OmmConsumerEvent event) {
        decode(generic);
        intake.generic(
                index(event),
                decoder.sequence(MessageKind.GENERIC),
                decoder.taken(MessageKind.GENERIC),
                decoder.intendedNs());
    }

    @Override
    public void onAckMsg(final AckMsg ack, final OmmConsumerEvent event) {
        intake.acknowledged(ack.hasNackCode());
    }

    @Override
    public void onAllMsg(final Msg message, final OmmConsumerEvent event) {
        // each kind has a method of its own
    }
}

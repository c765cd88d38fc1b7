package io.tickmark.workloads.market.consumer;

import com.refinitiv.eta.codec.AckMsg;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.MsgClasses;
import com.refinitiv.eta.codec.RefreshMsg;
import com.refinitiv.eta.codec.State;
import com.refinitiv.eta.codec.StatusMsg;
import com.refinitiv.eta.codec.UpdateMsg;
import com.refinitiv.eta.valueadd.reactor.ReactorChannel;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.MessageKind;
import io.tickmark.workloads.market.data.PayloadDecoder;
import java.util.concurrent.TimeUnit;

/**
 * Decodes the item messages of one connection on the Transport API, every field of them. One
 * thread.
 */
final class ConsumerInbox {
    private final WatchedItems items;
    private final ItemIntake intake;
    private PayloadDecoder decoder;

    ConsumerInbox(
            final WatchedItems items, final ItemIntake intake, final FieldDictionary dictionary) {
        this.items = items;
        this.intake = intake;
        dictionary(dictionary);
    }

    /** Decodes with this dictionary from now on. */
    void dictionary(final FieldDictionary dictionary) {
        // the raw number: its unit is seen from the number itself
        decoder = new PayloadDecoder(dictionary, TimeUnit.NANOSECONDS);
    }

    void on(final Msg message, final ReactorChannel channel) {
        if (message == null) {
            intake.garbled();
            return;
        }
        final int index = items.index(message.streamId());
        if (index < 0) {
            intake.stray();
            return;
        }
        switch (message.msgClass()) {
            case MsgClasses.UPDATE -> onUpdate((UpdateMsg) message, index, channel);
            case MsgClasses.REFRESH -> onRefresh((RefreshMsg) message, index, channel);
            case MsgClasses.STATUS -> onStatus((StatusMsg) message, index);
            case MsgClasses.GENERIC -> onGeneric(message, index, channel);
            case MsgClasses.ACK -> intake.acknowledged(((AckMsg) message).checkHasNakCode());
            default -> intake.stray(); // a provider has nothing else to say
        }
    }

    private void decode(final Msg message, final ReactorChannel channel) {
        final long beginNs = intake.beginDecode();
        final int code = decoder.decode(message, channel.majorVersion(), channel.minorVersion());
        intake.decoded(beginNs, code >= CodecReturnCodes.SUCCESS, decoder.unknownFields());
    }

    private void onUpdate(final UpdateMsg update, final int index, final ReactorChannel channel) {
        decode(update, channel);
        if (update.checkHasPostUserInfo()) {
            intake.post(
                    index,
                    update.postUserInfo().userId(),
                    decoder.sequence(MessageKind.POST),
                    decoder.takenNs(MessageKind.POST),
                    decoder.intendedNs());
        } else {
            intake.update(
                    index,
                    decoder.sequence(MessageKind.UPDATE),
                    decoder.takenNs(MessageKind.UPDATE),
                    decoder.intendedNs());
        }
    }

    private void onGeneric(final Msg generic, final int index, final ReactorChannel channel) {
        decode(generic, channel);
        intake.generic(
                index,
                decoder.sequence(MessageKind.GENERIC),
                decoder.takenNs(MessageKind.GENERIC),
                decoder.intendedNs());
    }

    private void onRefresh(
            final RefreshMsg refresh, final int index, final ReactorChannel channel) {
        decode(refresh, channel);
        final State state = refresh.state();
        intake.refresh(
                index,
                state.streamState(),
                state.dataState(),
                refresh.checkRefreshComplete(),
                decoder.sequence(MessageKind.UPDATE));
        onState(state, index);
    }

    private void onStatus(final StatusMsg status, final int index) {
        if (status.checkHasState()) {
            intake.status(index, status.state().streamState(), status.state().dataState());
            onState(status.state(), index);
        } else {
            intake.status();
        }
    }

    private void onState(final State state, final int index) {
        if (ItemIntake.isFinal(state.streamState())) {
            intake.closed(index, state.text().toString());
        }
    }
}

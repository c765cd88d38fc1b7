package io.tickmark.workloads.market.provider;

import com.refinitiv.ema.access.AckMsg;
import com.refinitiv.ema.access.ComplexType;
import com.refinitiv.ema.access.DataType.DataTypes;
import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.Msg;
import com.refinitiv.ema.access.OmmException;
import com.refinitiv.ema.access.OmmProvider;
import com.refinitiv.ema.access.Payload;
import com.refinitiv.ema.access.PostMsg;
import com.refinitiv.ema.access.RefreshMsg;
import com.refinitiv.ema.access.UpdateMsg;
import io.tickmark.workloads.market.rssl.EmaRefusals;
import java.util.ArrayList;
import java.util.List;

/**
 * A message that answers a post on the Message API: its acknowledgement, or what all watchers of
 * the item receive of it, as on the Transport API.
 *
 * @param handle of the stream that was posted on
 * @param message to submit
 */
record EmaAnswer(long handle, Msg message) {
    /**
     * The answers of a post.
     *
     * @param post what it holds is referred to until they are submitted or copied
     * @param handle of its stream
     * @param isWatched false on the login stream, which has no watchers
     * @param dropped is called where no consumer will see the post
     */
    static List<EmaAnswer> of(
            final PostMsg post,
            final long handle,
            final boolean isWatched,
            final Runnable dropped) {
        final List<EmaAnswer> answers = new ArrayList<>(2);
        if (post.solicitAck()) {
            answers.add(new EmaAnswer(handle, acknowledgement(post)));
        }
        try {
            final Msg reflection = isWatched ? reflection(post) : null;
            if (reflection == null) {
                dropped.run();
            } else {
                answers.add(new EmaAnswer(handle, reflection));
            }
        } catch (final OmmException _) {
            dropped.run(); // its content cannot be read, and therefore not be reflected
        }
        return answers;
    }

    private static Msg acknowledgement(final PostMsg post) {
        final AckMsg message =
                EmaFactory.createAckMsg().domainType(post.domainType()).ackId(post.postId());
        return post.hasSeqNum() ? message.seqNum(post.seqNum()) : message;
    }

    /** Null where the post holds neither an image nor an update nor content. */
    private static Msg reflection(final PostMsg post) {
        return switch (post.payload().dataType()) {
            case DataTypes.UPDATE_MSG -> {
                final UpdateMsg posted = post.payload().updateMsg();
                yield update(post, posted.payload()).updateTypeNum(posted.updateTypeNum());
            }
            case DataTypes.REFRESH_MSG ->
                    EmaFactory.createRefreshMsg(post.payload().refreshMsg())
                            .publisherId(post.publisherIdUserId(), post.publisherIdUserAddress());
            case DataTypes.ERROR,
                    DataTypes.STATUS_MSG,
                    DataTypes.GENERIC_MSG,
                    DataTypes.POST_MSG,
                    DataTypes.REQ_MSG,
                    DataTypes.ACK_MSG ->
                    null;
            default -> update(post, post.payload());
        };
    }

    private static UpdateMsg update(final PostMsg post, final Payload posted) {
        final UpdateMsg update =
                EmaFactory.createUpdateMsg()
                        .domainType(post.domainType())
                        .publisherId(post.publisherIdUserId(), post.publisherIdUserAddress());
        return posted.data() instanceof final ComplexType content
                ? update.payload(content)
                : update;
    }

    boolean isReflection() {
        return !(message instanceof AckMsg);
    }

    /** The same without the content of the post. */
    EmaAnswer copy() {
        return message instanceof final UpdateMsg update
                ? new EmaAnswer(handle, EmaFactory.createUpdateMsg(update))
                : this; // an image is a copy already
    }

    /** The size of its content; only of a copy. */
    int contentBytes() {
        return isReflection() ? message.payload().data().asHex().remaining() : 0;
    }

    /**
     * Submits it.
     *
     * @param dropped is called where it was refused for a reason other than buffers
     * @return false where no output buffer is free; what is refused for another reason is done
     *     with: the poster has gone, or what it posted cannot be sent on
     */
    boolean isTakenBy(final OmmProvider provider, final Runnable dropped) {
        try {
            switch (message) {
                case final RefreshMsg image -> provider.submit(image, handle);
                case final UpdateMsg update -> provider.submit(update, handle);
                default -> provider.submit((AckMsg) message, handle);
            }
            return true;
        } catch (final OmmException | NullPointerException e) {
            // release 3.9.1 finds no session of a consumer that is just disconnecting
            if (EmaRefusals.isWantOfBuffers(e)) {
                return false;
            }
            dropped.run();
            return true;
        }
    }
}

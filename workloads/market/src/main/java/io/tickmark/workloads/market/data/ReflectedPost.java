package io.tickmark.workloads.market.data;

import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.DecodeIterator;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.MsgClasses;
import com.refinitiv.eta.codec.PostMsg;
import com.refinitiv.eta.codec.PostUserInfo;
import com.refinitiv.eta.codec.RefreshMsg;
import com.refinitiv.eta.codec.UpdateMsg;

/**
 * What all watchers of an item receive of a post to it: the message inside, with the poster's user
 * info, or an update made of the post's content. Single-threaded; allocates nothing after
 * construction.
 */
public final class ReflectedPost {
    private final Msg message = CodecFactory.createMsg();
    private final DecodeIterator iterator = CodecFactory.createDecodeIterator();

    /** Of nothing yet. */
    public ReflectedPost() {}

    /**
     * Takes a post.
     *
     * @param post just decoded; what it holds is referred to until the reflection is sent
     * @param majorVersion of the channel it came on
     * @param minorVersion of the channel it came on
     * @return the message to send, after setting its stream; null where the post holds neither an
     *     image nor an update nor content
     */
    public Msg of(final PostMsg post, final int majorVersion, final int minorVersion) {
        message.clear();
        if (post.containerType() != DataTypes.MSG) {
            message.msgClass(MsgClasses.UPDATE);
            message.domainType(post.domainType());
            message.containerType(post.containerType());
            message.encodedDataBody(post.encodedDataBody());
        } else {
            iterator.clear();
            iterator.setBufferAndRWFVersion(post.encodedDataBody(), majorVersion, minorVersion);
            if (message.decode(iterator) < CodecReturnCodes.SUCCESS) {
                return null;
            }
        }
        return switch (message.msgClass()) {
            case MsgClasses.UPDATE -> {
                final UpdateMsg update = (UpdateMsg) message;
                update.applyHasPostUserInfo();
                yield by(post, update.postUserInfo());
            }
            case MsgClasses.REFRESH -> {
                final RefreshMsg refresh = (RefreshMsg) message;
                refresh.applyHasPostUserInfo();
                yield by(post, refresh.postUserInfo());
            }
            default -> null;
        };
    }

    private Msg by(final PostMsg post, final PostUserInfo info) {
        info.userId(post.postUserInfo().userId());
        info.userAddr(post.postUserInfo().userAddr());
        return message;
    }
}

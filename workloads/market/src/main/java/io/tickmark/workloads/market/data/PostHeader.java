package io.tickmark.workloads.market.data;

import com.refinitiv.eta.codec.PostMsg;

/** Who posts and what he wants to hear of it; one per sending thread. Mutable. */
public final class PostHeader {
    private long userId;
    private long userAddress;
    private long postId;
    private boolean acknowledged;

    /** Of nobody yet. */
    public PostHeader() {}

    /**
     * The poster, by which he knows his own posts when they come back.
     *
     * @param id of the user or process
     * @param address IPv4, as a number
     * @return this
     */
    public PostHeader by(final long id, final long address) {
        userId = id;
        userAddress = address;
        return this;
    }

    /**
     * Asks for an acknowledgement.
     *
     * @param id that the acknowledgement will name
     * @return this
     */
    public PostHeader acknowledged(final long id) {
        postId = id;
        acknowledged = true;
        return this;
    }

    /**
     * Asks for none.
     *
     * @return this
     */
    public PostHeader unacknowledged() {
        acknowledged = false;
        return this;
    }

    void applyTo(final PostMsg post) {
        post.applyPostComplete();
        if (acknowledged) {
            post.applyAck();
            post.applyHasPostId();
            post.postId(postId);
        }
        post.postUserInfo().userId(userId);
        post.postUserInfo().userAddr(userAddress);
    }
}

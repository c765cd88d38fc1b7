package io.tickmark.workloads.market.data;

import com.refinitiv.eta.codec.PostMsg;

/**
 * Who posts, by which he knows his own posts when they come back.
 *
 * @param userId of the user or process
 * @param userAddress IPv4, as a number
 */
public record PostHeader(long userId, long userAddress) {
    void applyTo(final PostMsg post) {
        post.applyPostComplete();
        post.postUserInfo().userId(userId);
        post.postUserInfo().userAddr(userAddress);
    }
}

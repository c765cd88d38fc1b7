package io.tickmark.workloads.market.data;

import com.refinitiv.eta.codec.PostMsg;

/**
 * The identity of a poster, by which it recognises its own posts when they return.
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

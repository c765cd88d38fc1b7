package io.tickmark.workloads.market.hub;

import com.refinitiv.eta.codec.GenericMsg;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.MsgClasses;
import com.refinitiv.eta.codec.NakCodes;
import com.refinitiv.eta.codec.PostMsg;
import com.refinitiv.eta.codec.RefreshMsg;
import io.tickmark.workloads.market.data.ReflectedPost;
import io.tickmark.workloads.market.hub.HubCounts.Traffic;
import io.tickmark.workloads.market.hub.cache.ImageCodec;
import io.tickmark.workloads.market.hub.cache.ItemImage;

/**
 * Messages of consumers to items. A post is sent to the provider where that accepts posts;
 * otherwise the hub merges it into its image and reflects it to all watchers. Single-threaded.
 */
final class Posts {
    private final Services services;
    private final Items items;
    private final Answers answers;
    private final ImageCodec images;
    private final PendingMerges merges;
    private final Dictionaries dictionaries;
    private final HubCounts counts;
    private final ReflectedPost reflected = new ReflectedPost();

    Posts(
            final Services services,
            final Items items,
            final Answers answers,
            final ImageCodec images,
            final PendingMerges merges,
            final Dictionaries dictionaries,
            final HubCounts counts) {
        this.services = services;
        this.items = items;
        this.answers = answers;
        this.images = images;
        this.merges = merges;
        this.dictionaries = dictionaries;
        this.counts = counts;
    }

    void post(final HubConsumer from, final PostMsg post) {
        counts.traffic().posts().increment();
        final HubItem item = item(from, post);
        if (item == null) {
            refuse(from, post, NakCodes.SYMBOL_UNKNOWN, "the hub does not know the item");
            return;
        }
        final ItemSource source = item.source();
        if (source == null) {
            refuse(from, post, NakCodes.SOURCE_DOWN, "no provider has the item at the moment");
            return;
        }
        final String misread = dictionaries.misread(item.service());
        if (!misread.isEmpty()) {
            refuse(from, post, NakCodes.INVALID_CONTENT, misread);
            return;
        }
        if (!source.post(item, post) && !reflect(item, from, post)) {
            refuse(
                    from,
                    post,
                    NakCodes.INVALID_CONTENT,
                    "the post holds neither an update nor an image that goes into the item's");
            return;
        }
        answers.acknowledge(from, post, NakCodes.NONE, "");
    }

    /** Counted, because a poster without acknowledgements would not know. */
    private void refuse(
            final HubConsumer from, final PostMsg post, final int code, final String why) {
        counts.dropped(Traffic::postsRefused, () -> "one of %s, as %s".formatted(from.name(), why));
        answers.acknowledge(from, post, code, why);
    }

    /** On an item's stream, or on the login's with the item's key. */
    private HubItem item(final HubConsumer from, final PostMsg post) {
        final ItemSubscription subscription = from.streams().get(post.streamId());
        if (subscription != null) {
            return subscription.item();
        }
        if (post.streamId() != from.loginStream() || !post.checkHasMsgKey()) {
            return null;
        }
        final HubService service = services.byId(post.msgKey().serviceId());
        return service == null
                ? null
                : service.find(post.domainType(), post.msgKey().name().toString());
    }

    private boolean reflect(final HubItem item, final HubConsumer from, final PostMsg post) {
        final int major = from.channel().majorVersion();
        final int minor = from.channel().minorVersion();
        final Msg message = reflected.of(post, major, minor);
        if (message == null) {
            return false;
        }
        merges.drain();
        if (item.image() != null) {
            final boolean isImage = message.msgClass() == MsgClasses.REFRESH;
            final ItemImage image = isImage ? images.image(message, major, minor) : item.image();
            if (image == null || !isImage && !images.canMerge(image, message, major, minor)) {
                return false; // before the item is changed by half of it
            }
            if (!isImage && !images.merge(image, message, major, minor)) {
                return false;
            }
            item.image(image);
        }
        if (message instanceof final RefreshMsg refresh && refresh.checkHasMsgKey()) {
            refresh.msgKey().serviceId(item.service().id());
        }
        answers.encode(message);
        items.toAll(item);
        return true;
    }

    void generic(final HubConsumer from, final GenericMsg message) {
        counts.traffic().genericMessages().increment();
        final ItemSubscription subscription = from.streams().get(message.streamId());
        final ItemSource source = subscription == null ? null : subscription.item().source();
        final String misread =
                subscription == null ? "" : dictionaries.misread(subscription.item().service());
        if (!misread.isEmpty()) {
            counts.dropped(
                    Traffic::messagesUnreadable,
                    () -> "one of the consumer %s: %s".formatted(from.name(), misread));
        } else if (source == null || !source.generic(subscription.item(), message)) {
            counts.dropped(Traffic::genericMessagesDropped, () -> "one of " + from.name());
        }
    }
}

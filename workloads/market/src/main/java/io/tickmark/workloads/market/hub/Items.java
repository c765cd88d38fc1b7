package io.tickmark.workloads.market.hub;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.DataStates;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.RefreshMsg;
import com.refinitiv.eta.codec.State;
import com.refinitiv.eta.codec.StateCodes;
import com.refinitiv.eta.codec.StatusMsg;
import com.refinitiv.eta.codec.StreamStates;
import com.refinitiv.eta.codec.UpdateMsg;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.Service;
import io.tickmark.workloads.market.hub.HubCounts.Traffic;
import io.tickmark.workloads.market.hub.cache.ImageCodec;
import io.tickmark.workloads.market.hub.cache.ItemImage;
import java.util.List;

/**
 * What happens to items: consumers request them, sources provide them. Images are cached and
 * updates merged into them where caching is on and the content allows it; everything is sent to all
 * watchers. Single-threaded.
 */
final class Items {
    private final boolean caches;
    private final boolean placeholders;
    private final Answers answers;
    private final ImageCodec images;
    private final PendingMerges merges;
    private final HubCounts counts;

    Items(
            final HubSettings settings,
            final Answers answers,
            final ImageCodec images,
            final PendingMerges merges,
            final HubCounts counts) {
        caches = settings.cache();
        placeholders = settings.placeholders();
        this.answers = answers;
        this.images = images;
        this.merges = merges;
        this.counts = counts;
    }

    /** A consumer opens a stream. */
    void open(final ItemSubscription subscription) {
        subscription.consumer().streams().put(subscription.streamId(), subscription);
        subscription.item().subscriptions().add(subscription);
        answer(subscription);
    }

    /**
     * The hub becomes a consumer's standby for a stream or takes over. A consumer that was kept
     * without content receives the current image, which includes what arrived meanwhile.
     */
    void standby(final ItemSubscription subscription, final boolean isStandby) {
        final boolean takesOver = subscription.isSilent() && !isStandby;
        subscription.silent(isStandby);
        if (!takesOver || subscription.isWaiting()) {
            return; // the image to come is complete
        }
        merges.drain();
        final HubItem item = subscription.item();
        if (item.image() != null && !item.isPartial()) {
            answers.image(subscription, false);
        } else if (item.source() != null && item.source().acceptsRequests()) {
            subscription.awaitImage();
            ask(item.source(), item);
        }
    }

    /** A consumer requests the image of an open stream again. */
    void reissue(final ItemSubscription subscription) {
        subscription.ask();
        answer(subscription);
    }

    private void answer(final ItemSubscription subscription) {
        merges.drain();
        final HubItem item = subscription.item();
        final HubService service = item.service();
        if (item.image() != null && !item.isPartial()) {
            answers.image(subscription, true);
            endSnapshot(subscription);
            return;
        }
        if (!service.isUp()) {
            answers.suspect(subscription, "the service is down; the item will come back with it");
            return;
        }
        if (item.source() == null && !service.acceptsRequests()) {
            answers.suspect(
                    subscription,
                    "the service takes no new requests; the item will come when it does");
            return;
        }
        if (item.source() == null || item.source().acceptsRequests()) {
            final ItemSource source = item.source() == null ? service.toAsk() : item.source();
            if (source != null) {
                ask(source, item);
                return;
            }
        }
        if (placeholders && subscription.isStreaming()) {
            answers.placeholder(subscription);
            return;
        }
        counts.dropped(Traffic::requestsRefused, () -> item + ", which is not in the hub's cache");
        answers.status(
                subscription,
                StreamStates.CLOSED,
                DataStates.SUSPECT,
                StateCodes.NOT_FOUND,
                "the item is not in the hub's cache");
        close(subscription);
    }

    /**
     * Requests an image once for all that wait, but again where a part has already been forwarded
     * and is not kept.
     */
    private static void ask(final ItemSource source, final HubItem item) {
        final boolean isPassing = item.isPartial() && item.image() == null;
        if (!item.awaitsImage() || isPassing) {
            source.request(item);
        }
    }

    private void endSnapshot(final ItemSubscription subscription) {
        if (!subscription.isStreaming()) {
            close(subscription);
        }
    }

    /** A stream has ended; an unwatched item that cannot be kept up to date is removed. */
    void close(final ItemSubscription subscription) {
        final HubItem item = subscription.item();
        subscription.consumer().streams().remove(subscription.streamId());
        item.subscriptions().remove(subscription);
        if (!item.subscriptions().isEmpty()) {
            return;
        }
        final ItemSource source = item.source();
        if (source == null) {
            if (item.image() == null) {
                item.service().forget(item);
            }
        } else if (source.acceptsRequests()) {
            countUnanswered(item);
            source.close(item);
            source.items().remove(item.sourceStream());
            forget(item);
        }
    }

    /** Counts the request for an item where nobody waits for its answer any more. */
    void countUnanswered(final HubItem item) {
        if (item.isUnanswered()) {
            counts.dropped(
                    Traffic::requestsUnanswered,
                    () -> "%s at %s".formatted(item, item.source().name()));
        }
    }

    private void forget(final HubItem item) {
        if (item.image() != null) {
            counts.traffic().items().add(-1);
        }
        item.image(null);
        item.from(null, 0);
        item.service().forget(item);
    }

    /** A source sends an image. */
    void image(final HubItem item, final RefreshMsg refresh, final int major, final int minor) {
        counts.traffic().imagesIn().increment();
        item.answered();
        merges.drain();
        final boolean continues = item.isPartial();
        item.describe(refresh);
        if (isFinal(refresh.state())) {
            ended(item, refresh.state());
            return;
        }
        final ItemImage before = item.image();
        if (!caches) {
            item.image(null);
        } else if (!continues) {
            item.image(images.image(refresh, major, minor));
            countUncached(item);
        } else if (before != null && !images.merge(before, refresh, major, minor)) {
            counts.dropped(Traffic::imagesDropped, () -> item + ": " + images.failure());
            item.image(null);
        }
        if (before == null ^ item.image() == null) {
            counts.traffic().items().add(item.image() == null ? -1 : 1);
        }
        item.partial(!refresh.checkRefreshComplete());
        final boolean passes = item.image() == null;
        if (item.isPartial() && !passes) {
            return; // consumers get the whole image once it has arrived
        }
        final List<ItemSubscription> all = item.subscriptions();
        for (int i = all.size() - 1; i >= 0; i--) { // backwards: a snapshot leaves the list
            final ItemSubscription each = all.get(i);
            final boolean solicited = each.isRequested();
            if (!each.isWaiting() && refresh.checkSolicited()) {
                continue; // another one has requested it
            }
            if (!passes) {
                answers.image(each, solicited);
            } else if (each.isSilent() && item.isPartial()) {
                continue; // its image without content is sent with the last part
            } else {
                answers.forward(refresh, each, solicited);
                each.answered(!item.isPartial());
            }
            if (!item.isPartial()) {
                endSnapshot(each);
            }
        }
    }

    private void countUncached(final HubItem item) {
        if (item.image() == null) {
            final String why = images.failure();
            counts.dropped(
                    why.isEmpty() ? Traffic::imagesNotCached : Traffic::imagesUnreadable,
                    () -> item + (why.isEmpty() ? "" : ": " + why));
        }
    }

    /** The text of a state; the codec uses null for none in some of its messages. */
    private static String textOf(final State state) {
        return state.text().length() == 0 ? "" : state.text().toString();
    }

    private static boolean isFinal(final State state) {
        return state.streamState() != StreamStates.OPEN
                && state.streamState() != StreamStates.NON_STREAMING;
    }

    /** A source sends an update. */
    void update(final HubItem item, final UpdateMsg update, final int major, final int minor) {
        counts.traffic().updatesIn().increment();
        if (update.checkHasMsgKey() && update.msgKey().checkHasServiceId()) {
            update.msgKey().serviceId(item.service().id());
            answers.encode(update);
            toAll(item);
        } else {
            pass(item, update.encodedMsgBuffer());
        }
        if (item.image() != null && !update.checkDoNotCache()) {
            merges.add(item, update, major, minor);
        }
    }

    private void pass(final HubItem item, final Buffer message) {
        final List<ItemSubscription> all = item.subscriptions();
        for (int i = 0; i < all.size(); i++) { // by index: an iterator would be garbage
            final ItemSubscription each = all.get(i);
            if (!each.isWaiting() && !each.isSilent()) {
                answers.send(message, each);
                counts.traffic().updatesOut().increment();
            }
        }
    }

    /** Sends the last encoded message to all watchers. */
    void toAll(final HubItem item) {
        final List<ItemSubscription> all = item.subscriptions();
        for (int i = 0; i < all.size(); i++) {
            if (!all.get(i).isWaiting() && !all.get(i).isSilent()) {
                answers.send(all.get(i));
                counts.traffic().updatesOut().increment();
            }
        }
    }

    /** A generic message of a source is sent to all. */
    void generic(final HubItem item, final Msg message) {
        counts.traffic().genericMessages().increment();
        final List<ItemSubscription> all = item.subscriptions();
        for (int i = 0; i < all.size(); i++) {
            final ItemSubscription each = all.get(i);
            if (!each.isSilent()) {
                each.consumer()
                        .outbox()
                        .send(message.encodedMsgBuffer(), each.streamId(), item.service());
            }
        }
    }

    /** A source reports a new state of an item. */
    void status(final HubItem item, final StatusMsg status) {
        if (status.checkHasGroupId()) {
            item.group(status.groupId());
        }
        if (status.checkHasState()) {
            item.answered();
            state(item, status.state());
        }
    }

    private void state(final HubItem item, final State state) {
        if (isFinal(state)) {
            ended(item, state);
            return;
        }
        if (state.dataState() != DataStates.NO_CHANGE) {
            item.dataState(state.dataState());
        }
        for (final ItemSubscription each : List.copyOf(item.subscriptions())) {
            answers.status(each, StreamStates.OPEN, state.dataState(), state.code(), textOf(state));
        }
    }

    /** The source has closed the item: so are all its streams, with the same words. */
    private void ended(final HubItem item, final State state) {
        final String text = textOf(state);
        for (final ItemSubscription each : List.copyOf(item.subscriptions())) {
            answers.status(each, state.streamState(), state.dataState(), state.code(), text);
            each.consumer().streams().remove(each.streamId());
        }
        item.subscriptions().clear();
        if (item.source() != null) {
            item.source().items().remove(item.sourceStream());
        }
        forget(item);
    }

    /** A source is gone: its items are suspect until they are provided again. */
    void lost(final ItemSource source) {
        for (final HubItem item : List.copyOf(source.items().values())) {
            lost(source, item, "the provider " + source.name() + " is gone");
        }
    }

    private void lost(final ItemSource source, final HubItem item, final String why) {
        countUnanswered(item);
        source.items().remove(item.sourceStream());
        item.orphan();
        for (final ItemSubscription each : item.subscriptions()) {
            answers.suspect(each, why);
            each.awaitImage();
        }
        if (source.acceptsRequests()) {
            if (item.image() != null) {
                counts.traffic().items().add(-1);
            }
            item.image(null); // it will be requested again; it is not kept up to date
            if (item.subscriptions().isEmpty()) {
                item.service().forget(item);
            }
        }
    }

    /**
     * A source that is still there no longer provides a service. Items are requested again when it
     * does, or from another; a publisher reports itself how its items continue.
     */
    void down(final ItemSource source, final HubService service) {
        final String why = "the provider " + source.name() + " no longer provides the service";
        for (final HubItem item : itemsOf(source, service)) {
            if (source.acceptsRequests()) {
                source.close(item);
                lost(source, item, why);
            } else {
                item.dataState(DataStates.SUSPECT);
                item.subscriptions().forEach(each -> answers.suspect(each, why));
            }
        }
    }

    private static List<HubItem> itemsOf(final ItemSource source, final HubService service) {
        return source.items().values().stream().filter(item -> item.service() == service).toList();
    }

    /** A source reports a state of all its items of a service. */
    void state(final ItemSource source, final HubService service, final State state) {
        itemsOf(source, service).forEach(item -> state(item, state));
    }

    /** A source reports a state of a group of its items, or that it is part of another one now. */
    void group(
            final ItemSource source, final HubService service, final Service.ServiceGroup group) {
        for (final HubItem item : itemsOf(source, service)) {
            if (item.isIn(group.group())) {
                if (group.checkHasMergedToGroup()) {
                    item.group(group.mergedToGroup());
                }
                if (group.checkHasStatus()) {
                    state(item, group.status());
                }
            }
        }
    }

    /**
     * A source that accepts requests is available: requests items that are watched but not
     * provided.
     */
    void recover(final HubService service) {
        for (final HubItem item : service.all()) {
            if (item.source() == null && !item.subscriptions().isEmpty()) {
                final ItemSource source = service.toAsk();
                if (source != null) {
                    source.request(item);
                }
            }
        }
    }
}

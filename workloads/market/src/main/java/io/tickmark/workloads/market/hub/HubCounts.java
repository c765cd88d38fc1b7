package io.tickmark.workloads.market.hub;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.Recording;

/** What the hub counts; one writer. */
final class HubCounts {
    final Counter updatesIn;
    final Counter updatesOut;
    final Counter imagesIn;
    final Counter imagesOut;
    final Counter posts;
    final Counter acknowledgements;
    final Counter genericMessages;
    final Counter genericsDropped;
    final Counter items;
    final Counter consumers;
    final Counter slowConsumers;
    final Counter noBuffer;

    HubCounts(final Recording recording) {
        updatesIn = recording.counter("updatesIn");
        updatesOut = recording.counter("updatesOut");
        imagesIn = recording.counter("imagesIn");
        imagesOut = recording.counter("imagesOut");
        posts = recording.counter("posts");
        acknowledgements = recording.counter("acknowledgements");
        genericMessages = recording.counter("genericMessages");
        genericsDropped = recording.counter("genericMessagesDropped");
        items = recording.counter("items");
        consumers = recording.counter("consumers");
        slowConsumers = recording.counter("slowConsumers");
        noBuffer = recording.counter("noBuffer");
    }
}

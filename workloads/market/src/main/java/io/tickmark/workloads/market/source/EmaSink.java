package io.tickmark.workloads.market.source;

import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.GenericMsg;
import com.refinitiv.ema.access.Msg;
import com.refinitiv.ema.access.OmmException;
import com.refinitiv.ema.access.OmmProvider;
import com.refinitiv.ema.access.OmmState;
import com.refinitiv.ema.access.RefreshMsg;
import com.refinitiv.ema.access.UpdateMsg;
import io.tickmark.workloads.market.data.EmaContent;
import io.tickmark.workloads.market.data.MessageKind;
import io.tickmark.workloads.market.data.MessageTemplate;
import io.tickmark.workloads.market.data.Tracking;
import io.tickmark.workloads.market.rssl.EmaRefusals;
import java.util.function.LongUnaryOperator;

/** Submits the messages of one connection to the Message API, each on its own. Single-threaded. */
public final class EmaSink implements FeedSink {
    private final OmmProvider provider;
    private final EmaContent contents;
    private final int serviceId;
    private final LongUnaryOperator handles;
    private final EncodeTime encodeTime;
    private final RefreshMsg refresh = EmaFactory.createRefreshMsg();
    private final UpdateMsg update = EmaFactory.createUpdateMsg();
    private final GenericMsg generic = EmaFactory.createGenericMsg();
    private final EmaRefusals images;
    private final EmaRefusals updates;
    private final EmaRefusals generics;

    /**
     * A sink.
     *
     * @param provider to submit to
     * @param contents of messages
     * @param serviceId in the keys of images
     * @param handles finds the library's handle of a stream by its item's
     * @param encodeTime of updates and generic messages: of filling them; the library encodes while
     *     it submits
     */
    public EmaSink(
            final OmmProvider provider,
            final EmaContent contents,
            final int serviceId,
            final LongUnaryOperator handles,
            final EncodeTime encodeTime) {
        this.provider = provider;
        this.contents = contents;
        this.serviceId = serviceId;
        this.handles = handles;
        this.encodeTime = encodeTime;
        images = new EmaRefusals(encodeTime.clock());
        updates = new EmaRefusals(encodeTime.clock());
        generics = new EmaRefusals(encodeTime.clock());
    }

    /**
     * How often no output buffer was free.
     *
     * @return the count
     */
    public long noBuffer() {
        return images.noBuffer() + updates.noBuffer() + generics.noBuffer();
    }

    /**
     * Why images, updates or generic messages are refused although the connection is open.
     *
     * @return the library's words, once it has refused them for ten seconds; else empty
     */
    public String failure() {
        return EmaRefusals.failure(images, updates, generics);
    }

    @Override
    public boolean image(final SentItem item, final Tracking tracking) {
        final MessageTemplate template = item.messages.refresh();
        refresh.clear()
                .domainType(template.domainType())
                .name(item.name.toString())
                .serviceId(serviceId)
                .solicited(item.isSolicited)
                .complete(true)
                .state(
                        item.isStreaming
                                ? OmmState.StreamState.OPEN
                                : OmmState.StreamState.NON_STREAMING,
                        OmmState.DataState.OK)
                .payload(contents.of(template, tracking));
        return submit(item, refresh, images);
    }

    @Override
    public boolean message(
            final SentItem item, final MessageTemplate template, final Tracking tracking) {
        final boolean isUpdate = template.kind() == MessageKind.UPDATE;
        final long beginNs = encodeTime.begin();
        if (isUpdate) {
            update.clear()
                    .domainType(template.domainType())
                    .doNotConflate(true) // a conflated update would count as lost
                    .payload(contents.of(template, tracking));
        } else {
            generic.clear()
                    .domainType(template.domainType())
                    .complete(true)
                    .payload(contents.of(template, tracking));
        }
        encodeTime.end(beginNs);
        return isUpdate ? submit(item, update, updates) : submit(item, generic, generics);
    }

    private boolean submit(final SentItem item, final Msg message, final EmaRefusals refusals) {
        final long handle = handles.applyAsLong(item.handle);
        try {
            switch (message) {
                case final RefreshMsg image -> provider.submit(image, handle);
                case final UpdateMsg change -> provider.submit(change, handle);
                default -> provider.submit((GenericMsg) message, handle);
            }
            refusals.taken();
            return true;
        } catch (final OmmException | NullPointerException e) {
            // while its own thread handles a disconnecting consumer, release 3.9.1 finds no session
            // for it here; the notice
            // of that follows
            refusals.refused(e);
            return false;
        }
    }

    @Override
    public void flush() {
        // the library sends at once
    }
}

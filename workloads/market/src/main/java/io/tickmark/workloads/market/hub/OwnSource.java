package io.tickmark.workloads.market.hub;

import com.refinitiv.eta.codec.Codec;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataStates;
import com.refinitiv.eta.codec.DecodeIterator;
import com.refinitiv.eta.codec.GenericMsg;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.PostMsg;
import com.refinitiv.eta.codec.RefreshMsg;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.ImageHeader;
import io.tickmark.workloads.market.data.Item;
import io.tickmark.workloads.market.data.MessageEncoder;
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.data.MessageTemplate;
import io.tickmark.workloads.market.data.Tracking;
import io.tickmark.workloads.market.hub.cache.ImageCodec;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * The hub's own service: items with the image of the message file, which posts change and nobody
 * else. Posting can so be measured without any provider. One thread.
 */
final class OwnSource implements Source {
    private final Map<Integer, HubService> services;
    private final Int2ObjectHashMap<HubItem> items = new Int2ObjectHashMap<>();

    OwnSource(final HubService service) {
        services = Map.of(service.id(), service);
    }

    /** Fills the cache with the images of all items. */
    void fill(
            final Iterable<Item> list,
            final MessageFile file,
            final FieldDictionary dictionary,
            final ImageCodec images) {
        final HubService service = services.values().iterator().next();
        final MessageEncoder encoder = new MessageEncoder(dictionary, TimeUnit.MICROSECONDS);
        final HubScratch scratch = new HubScratch();
        int stream = 0;
        for (final Item each : list) {
            final HubItem item = service.item(each.domainType(), each.name());
            final RefreshMsg refresh =
                    refresh(item, file.messages(each.domainType()).refresh(), encoder, scratch);
            item.describe(refresh);
            item.image(images.image(refresh, Codec.majorVersion(), Codec.minorVersion()));
            if (item.image() == null) {
                throw new IllegalStateException(
                        "the image of %s cannot be cached: %s".formatted(item, images.failure()));
            }
            item.dataState(DataStates.OK);
            item.from(this, ++stream);
            items.put(stream, item);
            service.domains().add((long) each.domainType());
        }
    }

    private static RefreshMsg refresh(
            final HubItem item,
            final MessageTemplate template,
            final MessageEncoder encoder,
            final HubScratch scratch) {
        final ImageHeader header =
                new ImageHeader().of(item.codecName(), item.service().id()).as(true, true);
        encoder.refresh(
                scratch.begin(template.maxBytes(item.codecName().length())),
                template,
                1,
                new Tracking().plain(0),
                header);
        final Msg decoded = CodecFactory.createMsg();
        final DecodeIterator iterator = CodecFactory.createDecodeIterator();
        iterator.setBufferAndRWFVersion(
                scratch.encoded(), Codec.majorVersion(), Codec.minorVersion());
        if (decoded.decode(iterator) < CodecReturnCodes.SUCCESS) {
            throw new IllegalStateException("an image of our own cannot be decoded");
        }
        return (RefreshMsg) decoded;
    }

    @Override
    public String name() {
        return "the hub itself";
    }

    @Override
    public boolean canBeAsked() {
        return false;
    }

    @Override
    public void request(final HubItem item) {
        throw new IllegalStateException("every item of our own has an image");
    }

    @Override
    public void close(final HubItem item) {
        throw new IllegalStateException("items of our own stay");
    }

    @Override
    public boolean post(final HubItem item, final PostMsg post) {
        return false;
    }

    @Override
    public boolean generic(final HubItem item, final GenericMsg message) {
        return false;
    }

    @Override
    public boolean hasClosed(final int streamId) {
        return false;
    }

    @Override
    public Int2ObjectHashMap<HubItem> items() {
        return items;
    }

    @Override
    public Map<Integer, HubService> services() {
        return services;
    }
}

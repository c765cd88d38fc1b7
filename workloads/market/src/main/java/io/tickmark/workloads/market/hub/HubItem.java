package io.tickmark.workloads.market.hub;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.DataStates;
import com.refinitiv.eta.codec.Qos;
import com.refinitiv.eta.codec.QosRates;
import com.refinitiv.eta.codec.QosTimeliness;
import com.refinitiv.eta.codec.RefreshMsg;
import io.tickmark.workloads.market.data.ImageHeader;
import io.tickmark.workloads.market.hub.cache.ItemImage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** An item: where it comes from, its last image, and who watches it. */
final class HubItem {
    private final HubService service;
    private final int domainType;
    private final String name;
    private final Buffer codecName;
    private final List<ItemSubscription> subscriptions = new ArrayList<>(1);
    private final Qos qos = CodecFactory.createQos();
    private Source source;
    private int sourceStream;
    private ItemImage image;
    private boolean partial;
    private boolean awaitsImage;
    private long askedNs;
    private int dataState = DataStates.SUSPECT;
    private int nameType = 1;
    private Buffer permission;
    private Buffer group = CodecFactory.createBuffer();

    HubItem(final HubService service, final int domainType, final String name) {
        this.service = service;
        this.domainType = domainType;
        this.name = name;
        codecName = ImageHeader.nameOf(name);
        qos.timeliness(QosTimeliness.REALTIME);
        qos.rate(QosRates.TICK_BY_TICK);
    }

    @Override
    public String toString() {
        return name + " of " + service.name();
    }

    HubService service() {
        return service;
    }

    int domainType() {
        return domainType;
    }

    String name() {
        return name;
    }

    Buffer codecName() {
        return codecName;
    }

    List<ItemSubscription> subscriptions() {
        return subscriptions;
    }

    /** Who provides it; null where nobody does at the moment. */
    Source source() {
        return source;
    }

    int sourceStream() {
        return sourceStream;
    }

    void from(final Source provider, final int streamId) {
        source = provider;
        sourceStream = streamId;
        awaitsImage = false;
    }

    /** The source has been asked for the image at that time. */
    void asked(final long nowNs) {
        awaitsImage = true;
        askedNs = nowNs;
    }

    /** When the source was asked the last time. */
    long askedNs() {
        return askedNs;
    }

    /** Whether the image that the source has been asked for has not come, or not whole. */
    boolean awaitsImage() {
        return awaitsImage;
    }

    /** The provider is gone: what is cached is what was. */
    void orphan() {
        from(null, 0);
        partial = false;
        dataState = DataStates.SUSPECT;
    }

    /** The last image; null where there is none. */
    ItemImage image() {
        return image;
    }

    void image(final ItemImage newImage) {
        image = newImage;
    }

    /** Whether parts of the image are still to come. */
    boolean isPartial() {
        return partial;
    }

    void partial(final boolean morePartsCome) {
        partial = morePartsCome;
        awaitsImage &= morePartsCome;
    }

    int dataState() {
        return dataState;
    }

    void dataState(final int state) {
        dataState = state;
    }

    /** Keeps what an image's header says. */
    void describe(final RefreshMsg refresh) {
        dataState = refresh.state().dataState();
        if (refresh.checkHasQos()) {
            refresh.qos().copy(qos);
        }
        if (refresh.msgKey().checkHasNameType()) {
            nameType = refresh.msgKey().nameType();
        }
        if (refresh.checkHasPermData()) {
            permission = copyOf(refresh.permData());
        }
        group(refresh.groupId());
    }

    private static Buffer copyOf(final Buffer any) {
        final byte[] bytes = new byte[any.length()];
        any.copy(bytes);
        final Buffer copy = CodecFactory.createBuffer();
        copy.data(ByteBuffer.wrap(bytes), 0, bytes.length);
        return copy;
    }

    /** Its source speaks of it together with all others of this group. */
    void group(final Buffer newGroup) {
        if (!isIn(newGroup)) {
            group = copyOf(newGroup);
        }
    }

    boolean isIn(final Buffer anyGroup) {
        return group.length() == anyGroup.length()
                && (group.length() == 0 || group.equals(anyGroup));
    }

    /** Puts what was kept into the header of an image. */
    void applyTo(final RefreshMsg refresh) {
        refresh.applyHasQos();
        qos.copy(refresh.qos());
        refresh.applyHasMsgKey();
        refresh.msgKey().applyHasName();
        refresh.msgKey().name(codecName);
        refresh.msgKey().applyHasNameType();
        refresh.msgKey().nameType(nameType);
        refresh.msgKey().applyHasServiceId();
        refresh.msgKey().serviceId(service.id());
        if (permission != null) {
            refresh.applyHasPermData();
            refresh.permData(permission);
        }
    }
}

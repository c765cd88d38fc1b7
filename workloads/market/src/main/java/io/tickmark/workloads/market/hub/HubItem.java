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

/** An item: where it comes from, its last image, and its watchers. */
final class HubItem {
    private final HubService service;
    private final int domainType;
    private final String name;
    private final Buffer codecName;
    private final List<ItemSubscription> subscriptions = new ArrayList<>(1);
    private final Qos qos = CodecFactory.createQos();
    private ItemSource source;
    private int sourceStream;
    private ItemImage image;
    private boolean partial;
    private boolean awaitsImage;
    private boolean unanswered;
    private long requestedNs;
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

    /**
     * Whether a peer means this item by a name. Items are found by what a name reads as, so bytes
     * that are no text here, such as those of Latin-1, are other ones than the item's own.
     */
    boolean isNamed(final Buffer sent) {
        return sent.equals(codecName) || sent.toString().equals(name);
    }

    List<ItemSubscription> subscriptions() {
        return subscriptions;
    }

    /** Its provider; null where there is none at the moment. */
    ItemSource source() {
        return source;
    }

    int sourceStream() {
        return sourceStream;
    }

    void from(final ItemSource provider, final int streamId) {
        source = provider;
        sourceStream = streamId;
        awaitsImage = false;
        unanswered = false;
    }

    /** The image was requested from the source at that time. */
    void requested(final long nowNs) {
        awaitsImage = true;
        unanswered = true;
        requestedNs = nowNs;
    }

    /** When the source was last sent a request. */
    long requestedNs() {
        return requestedNs;
    }

    /** Whether the requested image has not arrived, or not completely. */
    boolean awaitsImage() {
        return awaitsImage;
    }

    /** The source has sent a state, or an image or a part of one. */
    void answered() {
        unanswered = false;
    }

    /** Whether the source has sent nothing since the last request. */
    boolean isUnanswered() {
        return unanswered;
    }

    /** The provider is gone: the cached image is outdated. */
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

    /** Whether parts of the image have not arrived yet. */
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

    /** Keeps the header of an image. */
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

    /** Its source reports its state together with that of all others of this group. */
    void group(final Buffer newGroup) {
        if (!isIn(newGroup)) {
            group = copyOf(newGroup);
        }
    }

    boolean isIn(final Buffer anyGroup) {
        return group.length() == anyGroup.length()
                && (group.length() == 0 || group.equals(anyGroup));
    }

    /** Restores the kept header of an image. */
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

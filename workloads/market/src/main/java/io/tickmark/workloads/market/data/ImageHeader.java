package io.tickmark.workloads.market.data;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.DataStates;
import com.refinitiv.eta.codec.QosRates;
import com.refinitiv.eta.codec.QosTimeliness;
import com.refinitiv.eta.codec.RefreshMsg;
import com.refinitiv.eta.codec.StreamStates;
import com.refinitiv.eta.rdm.InstrumentNameTypes;

/** The owner of a refresh's image; one per sending thread, set before each refresh. Mutable. */
public final class ImageHeader {
    private static final int NO_SERVICE = -1;

    private Buffer name;
    private int serviceId = NO_SERVICE;
    private boolean solicited;
    private boolean streaming;

    /** Of no item yet. */
    public ImageHeader() {}

    /**
     * The item.
     *
     * @param itemName bytes of its name, referred to until the refresh is encoded
     * @param service id of the service, as the directory has it
     * @return this
     */
    public ImageHeader of(final Buffer itemName, final int service) {
        name = itemName;
        serviceId = service;
        return this;
    }

    /**
     * The origin of the image.
     *
     * @param isSolicited whether it answers a request
     * @param isStreaming whether updates follow
     * @return this
     */
    public ImageHeader as(final boolean isSolicited, final boolean isStreaming) {
        solicited = isSolicited;
        streaming = isStreaming;
        return this;
    }

    /**
     * A name as the codec takes it; for the items of a list, made once each.
     *
     * @param name of an item
     * @return its bytes
     */
    public static Buffer nameOf(final String name) {
        return Primitive.text(name);
    }

    void applyTo(final RefreshMsg refresh) {
        refresh.applyRefreshComplete();
        refresh.applyClearCache();
        if (solicited) {
            refresh.applySolicited();
        }
        refresh.applyHasQos();
        refresh.qos().timeliness(QosTimeliness.REALTIME);
        refresh.qos().rate(QosRates.TICK_BY_TICK);
        refresh.state().streamState(streaming ? StreamStates.OPEN : StreamStates.NON_STREAMING);
        refresh.state().dataState(DataStates.OK);
        refresh.applyHasMsgKey();
        refresh.msgKey().applyHasName();
        refresh.msgKey().name(name);
        refresh.msgKey().applyHasNameType();
        refresh.msgKey().nameType(InstrumentNameTypes.RIC);
        if (serviceId >= 0) {
            refresh.msgKey().applyHasServiceId();
            refresh.msgKey().serviceId(serviceId);
        }
    }
}

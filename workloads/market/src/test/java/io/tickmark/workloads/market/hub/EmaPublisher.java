package io.tickmark.workloads.market.hub;

import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.FieldList;
import com.refinitiv.ema.access.OmmNiProviderConfig;
import com.refinitiv.ema.access.OmmProvider;
import com.refinitiv.ema.access.OmmReal;
import com.refinitiv.ema.access.OmmState;
import com.refinitiv.ema.access.UpdateMsg;
import com.refinitiv.ema.access.Vector;
import com.refinitiv.ema.access.VectorEntry;
import io.tickmark.workloads.market.rssl.JsonPools;

/** A non-interactive provider that we did not write, with the Message API's own service. */
final class EmaPublisher implements AutoCloseable {
    /** The service that the Message API publishes where nothing is configured. */
    static final String SERVICE = "NI_PUB";

    private final OmmProvider provider;

    EmaPublisher(final String hostAndPort) {
        JsonPools.fill();
        provider =
                EmaFactory.createOmmProvider(
                        EmaFactory.createOmmNiProviderConfig()
                                .operationModel(OmmNiProviderConfig.OperationModel.API_DISPATCH)
                                .username("publisher")
                                .host(hostAndPort));
    }

    static FieldList prices(final long bid, final long ask) {
        final FieldList fields = EmaFactory.createFieldList();
        if (bid > 0) {
            fields.add(
                    EmaFactory.createFieldEntry()
                            .real(22, bid, OmmReal.MagnitudeType.EXPONENT_NEG_2));
        }
        if (ask > 0) {
            fields.add(
                    EmaFactory.createFieldEntry()
                            .real(25, ask, OmmReal.MagnitudeType.EXPONENT_NEG_2));
        }
        return fields;
    }

    EmaPublisher image(final String item, final long handle, final long bid, final long ask) {
        return image(item, handle, prices(bid, ask));
    }

    EmaPublisher image(final String item, final long handle, final FieldList fields) {
        provider.submit(
                EmaFactory.createRefreshMsg()
                        .serviceName(SERVICE)
                        .name(item)
                        .state(
                                OmmState.StreamState.OPEN,
                                OmmState.DataState.OK,
                                OmmState.StatusCode.NONE,
                                "")
                        .complete(true)
                        .payload(fields),
                handle);
        return this;
    }

    EmaPublisher update(final String item, final long handle, final long bid, final long ask) {
        return update(item, handle, prices(bid, ask));
    }

    EmaPublisher update(final String item, final long handle, final FieldList fields) {
        provider.submit(
                EmaFactory.createUpdateMsg().serviceName(SERVICE).name(item).payload(fields),
                handle);
        return this;
    }

    /** A vector of one field list, which the hub is not to merge. */
    static UpdateMsg vectorOf(final FieldList fields) {
        final Vector vector = EmaFactory.createVector();
        vector.add(
                EmaFactory.createVectorEntry().fieldList(0, VectorEntry.VectorAction.SET, fields));
        return EmaFactory.createUpdateMsg().doNotCache(true).payload(vector);
    }

    EmaPublisher updateVector(final String item, final long handle, final FieldList fields) {
        provider.submit(vectorOf(fields).serviceName(SERVICE).name(item), handle);
        return this;
    }

    @Override
    public void close() {
        provider.uninitialize();
    }
}

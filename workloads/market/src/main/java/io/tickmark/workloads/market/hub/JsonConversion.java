package io.tickmark.workloads.market.hub;

import com.refinitiv.eta.codec.DataDictionary;
import com.refinitiv.eta.valueadd.reactor.Reactor;
import com.refinitiv.eta.valueadd.reactor.ReactorErrorInfo;
import com.refinitiv.eta.valueadd.reactor.ReactorFactory;
import com.refinitiv.eta.valueadd.reactor.ReactorJsonConverterOptions;
import com.refinitiv.eta.valueadd.reactor.ReactorReturnCodes;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.market.rssl.Rssl;

/** Lets the Reactor speak JSON with WebSocket peers that want it. */
final class JsonConversion {
    private JsonConversion() {}

    static void start(
            final Reactor reactor, final DataDictionary dictionary, final Services services) {
        final ReactorJsonConverterOptions options =
                ReactorFactory.createReactorJsonConverterOptions();
        options.dataDictionary(dictionary);
        options.catchUnknownJsonFids(false);
        options.catchUnknownJsonKeys(false);
        options.serviceNameToIdCallback((name, event) -> {
            final int id = services.idOf(name.serviceName());
            if (id == 0) {
                return ReactorReturnCodes.FAILURE;
            }
            name.serviceId(id);
            return ReactorReturnCodes.SUCCESS;
        });
        final ReactorErrorInfo error = ReactorFactory.createReactorErrorInfo();
        if (reactor.initJsonConverter(options, error) < ReactorReturnCodes.SUCCESS) {
            throw UserError.environment(
                    "The JSON of WebSocket consumers cannot be converted: %s."
                            .formatted(Rssl.text(error)));
        }
    }
}

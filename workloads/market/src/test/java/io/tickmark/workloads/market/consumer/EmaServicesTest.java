package io.tickmark.workloads.market.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import com.refinitiv.ema.access.ElementList;
import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.FilterEntry;
import com.refinitiv.ema.access.FilterList;
import com.refinitiv.ema.access.Map;
import com.refinitiv.ema.access.MapEntry;
import com.refinitiv.ema.access.OmmConsumerEvent;
import com.refinitiv.ema.access.UpdateMsg;
import com.refinitiv.ema.rdm.EmaRdm;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

class EmaServicesTest {
    private static final int ID = 7;
    private static final OmmConsumerEvent EVENT =
            (OmmConsumerEvent)
                    Proxy.newProxyInstance(
                            OmmConsumerEvent.class.getClassLoader(),
                            new Class<?>[] {OmmConsumerEvent.class},
                            (proxy, method, arguments) -> null);

    private final EmaConsumer.EmaServices services = new EmaConsumer.EmaServices("FEED");

    private static FilterEntry info() {
        final ElementList info = EmaFactory.createElementList();
        info.add(EmaFactory.createElementEntry().ascii(EmaRdm.ENAME_NAME, "FEED"));
        return EmaFactory.createFilterEntry()
                .elementList(EmaRdm.SERVICE_INFO_ID, FilterEntry.FilterAction.SET, info);
    }

    private static FilterEntry state(final int state) {
        final ElementList elements = EmaFactory.createElementList();
        elements.add(EmaFactory.createElementEntry().uintValue(EmaRdm.ENAME_SVC_STATE, state));
        return EmaFactory.createFilterEntry()
                .elementList(EmaRdm.SERVICE_STATE_ID, FilterEntry.FilterAction.SET, elements);
    }

    private void announce(final int action, final FilterEntry... parts) {
        final FilterList filters = EmaFactory.createFilterList();
        for (final FilterEntry part : parts) {
            filters.add(part);
        }
        final Map directory = EmaFactory.createMap();
        directory.add(EmaFactory.createMapEntry().keyUInt(ID, action, filters));
        final UpdateMsg made =
                EmaFactory.createUpdateMsg().domainType(EmaRdm.MMT_DIRECTORY).payload(directory);
        services.onUpdateMsg(EmaFactory.createUpdateMsg(made), EVENT); // a copy can be read
    }

    @Test
    void shouldKeepTheStateOfAServiceThatIsDescribedAnew() {
        announce(MapEntry.MapAction.ADD, info(), state(EmaRdm.SERVICE_DOWN));
        assertThat(services.isReady()).isFalse();

        announce(MapEntry.MapAction.UPDATE, info());
        assertThat(services.isReady()).isFalse();

        announce(MapEntry.MapAction.UPDATE, state(EmaRdm.SERVICE_UP));
        assertThat(services.isReady()).isTrue();
    }

    @Test
    void shouldBeReadyWhereTheDirectoryHasNoStates() {
        announce(MapEntry.MapAction.ADD, info());
        assertThat(services.isReady()).isTrue();
    }
}

package io.tickmark.workloads.market.provider;

import com.refinitiv.ema.access.ElementList;
import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.OmmProviderEvent;
import com.refinitiv.ema.access.OmmState;
import com.refinitiv.ema.access.ReqMsg;
import com.refinitiv.ema.rdm.EmaRdm;

/** What is said at once to logins and refused requests on the Message API. Any thread. */
final class EmaReplies {
    private EmaReplies() {}

    static void login(final ReqMsg request, final OmmProviderEvent event) {
        final ElementList attributes = EmaFactory.createElementList();
        attributes.add(EmaFactory.createElementEntry().uintValue(EmaRdm.ENAME_SUPPORT_POST, 1));
        // not by the field: the library's thread calls as soon as it is there
        event.provider()
                .submit(
                        EmaFactory.createRefreshMsg()
                                .domainType(EmaRdm.MMT_LOGIN)
                                .name(request.name())
                                .nameType(EmaRdm.USER_NAME)
                                .complete(true)
                                .solicited(true)
                                .state(OmmState.StreamState.OPEN, OmmState.DataState.OK)
                                .attrib(attributes),
                        event.handle());
    }

    static void refuse(final ReqMsg request, final OmmProviderEvent event) {
        event.provider()
                .submit(
                        EmaFactory.createStatusMsg()
                                .domainType(request.domainType())
                                .state(
                                        OmmState.StreamState.CLOSED,
                                        OmmState.DataState.SUSPECT,
                                        OmmState.StatusCode.NOT_FOUND,
                                        request.hasName()
                                                ? "the message file has nothing for this domain"
                                                : "the request names no item; batches are not taken here"),
                        event.handle());
    }
}

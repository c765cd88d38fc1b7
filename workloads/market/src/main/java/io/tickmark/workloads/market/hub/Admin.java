package io.tickmark.workloads.market.hub;

import com.refinitiv.eta.codec.DataStates;
import com.refinitiv.eta.codec.StreamStates;
import com.refinitiv.eta.rdm.Login;
import com.refinitiv.eta.valueadd.domainrep.rdm.dictionary.DictionaryRequest;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginMsgFactory;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginMsgType;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginRefresh;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginRequest;
import io.tickmark.workloads.market.hub.HubCounts.Drop;
import io.tickmark.workloads.market.source.AdminReplies;

/** The hub's answers to login, directory and dictionary requests. One thread. */
final class Admin {
    private final Hub hub;

    Admin(final Hub hub) {
        this.hub = hub;
    }

    void login(final Consumer consumer, final LoginRequest request) {
        final LoginRefresh refresh = (LoginRefresh) LoginMsgFactory.createMsg();
        refresh.rdmMsgType(LoginMsgType.REFRESH);
        refresh.streamId(request.streamId());
        refresh.applyHasUserName();
        refresh.userName().data(request.userName().toString());
        refresh.applyHasUserNameType();
        refresh.userNameType(Login.UserIdTypes.NAME);
        refresh.applySolicited();
        refresh.state().streamState(StreamStates.OPEN);
        refresh.state().dataState(DataStates.OK);
        refresh.applyHasAttrib();
        refresh.attrib().applyHasApplicationName();
        refresh.attrib().applicationName().data("tickmark-hub");
        refresh.applyHasFeatures();
        refresh.features().applyHasSupportPost();
        refresh.features().supportOMMPost(1);
        AdminReplies.addRequestFeatures(refresh.features());
        hub.answers().send(consumer, refresh);
    }

    void directory(final Consumer consumer, final int streamId) {
        consumer.directoryStream(streamId);
        hub.answers().send(consumer, hub.services().directory(streamId, true));
    }

    /** Tells everybody what has become of a service. */
    void changed(final HubService service) {
        for (final Consumer consumer : hub.peers().consumers()) {
            if (consumer.directoryStream() != Consumer.NONE) {
                hub.answers()
                        .send(consumer, hub.services().change(consumer.directoryStream(), service));
            }
        }
    }

    void dictionary(final Consumer consumer, final DictionaryRequest request) {
        final String trouble =
                hub.dictionaries()
                        .reply(hub.services().byId(request.serviceId()))
                        .answer(
                                request,
                                part ->
                                        consumer.outbox()
                                                .send(part.encodedMsgBuffer(), request.streamId()));
        if (!trouble.isEmpty()) {
            hub.counts()
                    .dropped(
                            Drop.REQUESTS_REFUSED,
                            () ->
                                    "one of %s for a dictionary: %s"
                                            .formatted(consumer.name(), trouble));
            hub.tell("%s gets no dictionary: %s.".formatted(consumer.name(), trouble));
        }
    }
}

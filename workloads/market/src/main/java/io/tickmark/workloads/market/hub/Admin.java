package io.tickmark.workloads.market.hub;

import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataStates;
import com.refinitiv.eta.codec.StateCodes;
import com.refinitiv.eta.codec.StreamStates;
import com.refinitiv.eta.rdm.Dictionary;
import com.refinitiv.eta.rdm.Login;
import com.refinitiv.eta.valueadd.domainrep.rdm.dictionary.DictionaryMsgFactory;
import com.refinitiv.eta.valueadd.domainrep.rdm.dictionary.DictionaryMsgType;
import com.refinitiv.eta.valueadd.domainrep.rdm.dictionary.DictionaryRefresh;
import com.refinitiv.eta.valueadd.domainrep.rdm.dictionary.DictionaryRequest;
import com.refinitiv.eta.valueadd.domainrep.rdm.dictionary.DictionaryStatus;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginMsgFactory;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginMsgType;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginRefresh;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginRequest;
import io.tickmark.workloads.market.data.FieldDictionary;

/** The hub's answers to login, directory and dictionary requests. One thread. */
final class Admin {
    private static final String FIELDS = "RWFFld";
    private static final String ENUMS = "RWFEnum";
    private static final int FIELD_PART_BYTES = 8_192;

    /** A table of enumerations is never divided: its part must hold the largest. */
    private static final int ENUM_PART_BYTES = 1 << 18;

    private final Hub hub;
    private final FieldDictionary dictionary;

    Admin(final Hub hub, final FieldDictionary dictionary) {
        this.hub = hub;
        this.dictionary = dictionary;
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
        final String name = request.dictionaryName().toString();
        final boolean areFields = name.equals(FIELDS);
        if (!areFields && !name.equals(ENUMS)) {
            unknown(consumer, request);
            return;
        }
        final DictionaryRefresh refresh = (DictionaryRefresh) DictionaryMsgFactory.createMsg();
        refresh.rdmMsgType(DictionaryMsgType.REFRESH);
        refresh.streamId(request.streamId());
        refresh.dictionaryType(
                areFields ? Dictionary.Types.FIELD_DEFINITIONS : Dictionary.Types.ENUM_TABLES);
        refresh.dictionary(dictionary.codec());
        refresh.startFid(dictionary.codec().minFid()); // else fields with negative ids are left out
        refresh.state().streamState(StreamStates.OPEN);
        refresh.state().dataState(DataStates.OK);
        refresh.verbosity(request.verbosity());
        refresh.serviceId(request.serviceId());
        refresh.dictionaryName().data(name);
        refresh.applySolicited();
        int result;
        do {
            result =
                    refresh.encode(
                            hub.scratch().begin(areFields ? FIELD_PART_BYTES : ENUM_PART_BYTES));
            if (result < CodecReturnCodes.SUCCESS) {
                throw new IllegalStateException(
                        "the dictionary cannot be encoded: " + CodecReturnCodes.toString(result));
            }
            consumer.outbox().send(hub.scratch().encoded(), request.streamId());
        } while (result == CodecReturnCodes.DICT_PART_ENCODED);
    }

    private void unknown(final Consumer consumer, final DictionaryRequest request) {
        final DictionaryStatus status = (DictionaryStatus) DictionaryMsgFactory.createMsg();
        status.rdmMsgType(DictionaryMsgType.STATUS);
        status.streamId(request.streamId());
        status.applyHasState();
        status.state().streamState(StreamStates.CLOSED);
        status.state().dataState(DataStates.SUSPECT);
        status.state().code(StateCodes.NOT_FOUND);
        status.state().text().data("the hub has the dictionaries RWFFld and RWFEnum");
        hub.answers().send(consumer, status);
    }
}

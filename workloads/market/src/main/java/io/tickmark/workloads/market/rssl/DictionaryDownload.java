package io.tickmark.workloads.market.rssl;

import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataDictionary;
import com.refinitiv.eta.codec.DecodeIterator;
import com.refinitiv.eta.rdm.Dictionary;
import com.refinitiv.eta.transport.Error;
import com.refinitiv.eta.transport.TransportFactory;
import com.refinitiv.eta.valueadd.domainrep.rdm.MsgBase;
import com.refinitiv.eta.valueadd.domainrep.rdm.dictionary.DictionaryMsg;
import com.refinitiv.eta.valueadd.domainrep.rdm.dictionary.DictionaryMsgFactory;
import com.refinitiv.eta.valueadd.domainrep.rdm.dictionary.DictionaryMsgType;
import com.refinitiv.eta.valueadd.domainrep.rdm.dictionary.DictionaryRefresh;
import com.refinitiv.eta.valueadd.domainrep.rdm.dictionary.DictionaryRequest;
import com.refinitiv.eta.valueadd.domainrep.rdm.dictionary.DictionaryStatus;
import io.tickmark.workloads.market.data.FieldDictionary;
import java.util.Collection;
import java.util.List;

/** Loads a field dictionary and its enumerations over a connection. Single-threaded. */
public final class DictionaryDownload {
    private static final String FIELDS = "RWFFld";
    private static final String ENUMS = "RWFEnum";
    private static final int FIELD_STREAM = 3;
    private static final int ENUM_STREAM = 4;

    private final DataDictionary dictionary = CodecFactory.createDataDictionary();
    private final DecodeIterator iterator = CodecFactory.createDecodeIterator();
    private final Error error = TransportFactory.createError();
    private boolean hasFields;
    private boolean hasEnums;
    private String failure = "";

    /** Has nothing yet. */
    public DictionaryDownload() {}

    /**
     * Whether a provider has the requested dictionaries.
     *
     * @param names of the dictionaries that its directory offers
     * @return false where one of the two is missing
     */
    public static boolean isOffered(final Collection<String> names) {
        return names.containsAll(List.of(FIELDS, ENUMS));
    }

    /**
     * The two requests to be sent.
     *
     * @param serviceId of the service that offers them
     * @return messages on streams below those of items
     */
    public static List<MsgBase> requests(final int serviceId) {
        return List.of(
                request(FIELDS, FIELD_STREAM, serviceId), request(ENUMS, ENUM_STREAM, serviceId));
    }

    private static DictionaryRequest request(
            final String name, final int streamId, final int serviceId) {
        final DictionaryRequest request = (DictionaryRequest) DictionaryMsgFactory.createMsg();
        request.rdmMsgType(DictionaryMsgType.REQUEST);
        request.streamId(streamId);
        request.serviceId(serviceId);
        request.applyStreaming();
        request.verbosity(Dictionary.VerbosityValues.NORMAL);
        request.dictionaryName().data(name);
        return request;
    }

    /**
     * Takes one part of an answer.
     *
     * @param message of one of the two streams
     * @param majorVersion of the channel
     * @param minorVersion of the channel
     */
    public void on(final DictionaryMsg message, final int majorVersion, final int minorVersion) {
        if (message.rdmMsgType() != DictionaryMsgType.REFRESH) {
            failure =
                    "the provider answered the request for the dictionary with a status"
                            + words(message);
            return;
        }
        final DictionaryRefresh part = (DictionaryRefresh) message;
        iterator.clear();
        iterator.setBufferAndRWFVersion(part.dataBody(), majorVersion, minorVersion);
        final boolean areFields = part.streamId() == FIELD_STREAM;
        final int code =
                areFields
                        ? dictionary.decodeFieldDictionary(
                                iterator, Dictionary.VerbosityValues.NORMAL, error)
                        : dictionary.decodeEnumTypeDictionary(
                                iterator, Dictionary.VerbosityValues.NORMAL, error);
        if (code < CodecReturnCodes.SUCCESS) {
            failure = "the provider's dictionary cannot be decoded: " + error.text();
        } else if (part.checkRefreshComplete()) {
            hasFields |= areFields;
            hasEnums |= !areFields;
        }
    }

    private static String words(final DictionaryMsg message) {
        return message instanceof final DictionaryStatus status
                        && message.rdmMsgType() == DictionaryMsgType.STATUS
                        && status.checkHasState()
                        && status.state().text().length() > 0
                ? ": " + status.state().text()
                : "";
    }

    /**
     * Whether both dictionaries are loaded.
     *
     * @return true once {@link #result} may be asked for
     */
    public boolean isComplete() {
        return hasFields && hasEnums;
    }

    /**
     * Why there will be no dictionary.
     *
     * @return empty while all is well
     */
    public String failure() {
        return failure;
    }

    /**
     * The loaded dictionary.
     *
     * @return the dictionary, once it is complete
     */
    public FieldDictionary result() {
        return FieldDictionary.of(dictionary);
    }
}

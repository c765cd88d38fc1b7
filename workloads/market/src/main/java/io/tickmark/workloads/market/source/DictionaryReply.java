package io.tickmark.workloads.market.source;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.Codec;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataStates;
import com.refinitiv.eta.codec.DecodeIterator;
import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.StateCodes;
import com.refinitiv.eta.codec.StreamStates;
import com.refinitiv.eta.rdm.Dictionary;
import com.refinitiv.eta.valueadd.domainrep.rdm.MsgBase;
import com.refinitiv.eta.valueadd.domainrep.rdm.dictionary.DictionaryMsgFactory;
import com.refinitiv.eta.valueadd.domainrep.rdm.dictionary.DictionaryMsgType;
import com.refinitiv.eta.valueadd.domainrep.rdm.dictionary.DictionaryRefresh;
import com.refinitiv.eta.valueadd.domainrep.rdm.dictionary.DictionaryRequest;
import com.refinitiv.eta.valueadd.domainrep.rdm.dictionary.DictionaryStatus;
import io.tickmark.workloads.market.data.FieldDictionary;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;

/**
 * The answer to a request for a dictionary: images in as many parts as necessary, or a status that
 * closes the stream with the reason. Single-threaded.
 */
public final class DictionaryReply {
    private static final String FIELDS = "RWFFld";
    private static final String ENUMS = "RWFEnum";

    /** The names of the dictionaries there are: of the fields, and of their enumerations. */
    public static final List<String> NAMES = List.of(FIELDS, ENUMS);

    private static final int FIELD_PART_BYTES = 8_192;

    /** A table of enumerations is never divided: its part must hold the largest. */
    private static final int ENUM_PART_BYTES = 1 << 18;

    private final FieldDictionary dictionary;
    private final EncodeIterator iterator = CodecFactory.createEncodeIterator();
    private final DecodeIterator decoder = CodecFactory.createDecodeIterator();
    private final Buffer buffer = CodecFactory.createBuffer();
    private final Msg message = CodecFactory.createMsg();

    /**
     * Answers with one dictionary.
     *
     * @param dictionary that is provided
     */
    public DictionaryReply(final FieldDictionary dictionary) {
        this.dictionary = dictionary;
    }

    /**
     * Answers a request.
     *
     * @param request which dictionary, and how much of it
     * @param to receives each message, which is valid only during the call
     * @return empty where the dictionary was sent, else what the status says
     */
    public String answer(final DictionaryRequest request, final Consumer<Msg> to) {
        final String trouble =
                NAMES.contains(request.dictionaryName().toString())
                        ? parts(request, to)
                        : "there is no such dictionary; there are " + String.join(" and ", NAMES);
        if (!trouble.isEmpty()) {
            close(request, trouble, to);
        }
        return trouble;
    }

    private String parts(final DictionaryRequest request, final Consumer<Msg> to) {
        final boolean areFields = request.dictionaryName().toString().equals(FIELDS);
        final DictionaryRefresh refresh = (DictionaryRefresh) DictionaryMsgFactory.createMsg();
        refresh.rdmMsgType(DictionaryMsgType.REFRESH);
        refresh.streamId(request.streamId());
        refresh.dictionaryType(
                areFields ? Dictionary.Types.FIELD_DEFINITIONS : Dictionary.Types.ENUM_TABLES);
        refresh.dictionary(dictionary.codec());
        refresh.startFid(
                dictionary.codec().minFid()); // otherwise fields with negative ids are omitted
        refresh.state().streamState(StreamStates.OPEN);
        refresh.state().dataState(DataStates.OK);
        refresh.verbosity(request.verbosity());
        refresh.serviceId(request.serviceId());
        refresh.dictionaryName().data(request.dictionaryName().toString());
        refresh.applySolicited();
        int code;
        do {
            code = encode(refresh, areFields ? FIELD_PART_BYTES : ENUM_PART_BYTES);
            if (code < CodecReturnCodes.SUCCESS) {
                return "the dictionary cannot be encoded: " + CodecReturnCodes.toString(code);
            }
            hand(to);
        } while (code == CodecReturnCodes.DICT_PART_ENCODED);
        return "";
    }

    private void close(final DictionaryRequest request, final String why, final Consumer<Msg> to) {
        final DictionaryStatus status = (DictionaryStatus) DictionaryMsgFactory.createMsg();
        status.rdmMsgType(DictionaryMsgType.STATUS);
        status.streamId(request.streamId());
        status.applyHasState();
        status.state().streamState(StreamStates.CLOSED);
        status.state().dataState(DataStates.SUSPECT);
        status.state().code(StateCodes.NOT_FOUND);
        status.state().text().data(why);
        encode(status, FIELD_PART_BYTES);
        hand(to);
    }

    private int encode(final MsgBase part, final int bytes) {
        buffer.clear();
        buffer.data(ByteBuffer.allocate(bytes));
        iterator.clear();
        iterator.setBufferAndRWFVersion(buffer, Codec.majorVersion(), Codec.minorVersion());
        synchronized (dictionary) { // it encodes itself with what it keeps between calls
            return part.encode(iterator);
        }
    }

    private void hand(final Consumer<Msg> to) {
        decoder.clear();
        decoder.setBufferAndRWFVersion(buffer, Codec.majorVersion(), Codec.minorVersion());
        message.clear();
        final int code = message.decode(decoder);
        if (code < CodecReturnCodes.SUCCESS) {
            throw new IllegalStateException(
                    "a message of our own cannot be decoded: " + CodecReturnCodes.toString(code));
        }
        to.accept(message);
    }
}

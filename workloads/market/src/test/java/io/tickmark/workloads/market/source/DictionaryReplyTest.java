package io.tickmark.workloads.market.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.refinitiv.eta.codec.Codec;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataDictionary;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.DecodeIterator;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.MsgClasses;
import com.refinitiv.eta.codec.RefreshMsg;
import com.refinitiv.eta.codec.State;
import com.refinitiv.eta.codec.StateCodes;
import com.refinitiv.eta.codec.StatusMsg;
import com.refinitiv.eta.codec.StreamStates;
import com.refinitiv.eta.rdm.Dictionary;
import com.refinitiv.eta.transport.Error;
import com.refinitiv.eta.transport.TransportFactory;
import com.refinitiv.eta.valueadd.domainrep.rdm.dictionary.DictionaryMsgFactory;
import com.refinitiv.eta.valueadd.domainrep.rdm.dictionary.DictionaryMsgType;
import com.refinitiv.eta.valueadd.domainrep.rdm.dictionary.DictionaryRequest;
import io.tickmark.workloads.market.LargeDictionary;
import io.tickmark.workloads.market.data.FieldDictionary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DictionaryReplyTest {
    private static final int STREAM = 7;
    private static final int VERBOSITY = Dictionary.VerbosityValues.NORMAL;

    @TempDir private Path folder;

    private final DataDictionary read = CodecFactory.createDataDictionary();
    private final Error error = TransportFactory.createError();
    private final List<State> closed = new ArrayList<>();
    private int parts;
    private boolean isComplete;

    private FieldDictionary dictionary(final int fields, final int textBytes) throws IOException {
        LargeDictionary.write(folder, fields, textBytes);
        return FieldDictionary.read(
                folder.resolve(FieldDictionary.FIELD_FILE),
                folder.resolve(FieldDictionary.ENUM_FILE));
    }

    private static DictionaryRequest request(final String name) {
        final DictionaryRequest request = (DictionaryRequest) DictionaryMsgFactory.createMsg();
        request.rdmMsgType(DictionaryMsgType.REQUEST);
        request.streamId(STREAM);
        request.verbosity(VERBOSITY);
        request.dictionaryName().data(name);
        return request;
    }

    private void take(final Msg message) {
        assertThat(message.streamId()).isEqualTo(STREAM);
        if (message.msgClass() == MsgClasses.STATUS) {
            final State state = CodecFactory.createState();
            ((StatusMsg) message).state().copy(state);
            closed.add(state);
            return;
        }
        parts++;
        isComplete = ((RefreshMsg) message).checkRefreshComplete();
        final DecodeIterator iterator = CodecFactory.createDecodeIterator();
        iterator.setBufferAndRWFVersion(
                message.encodedDataBody(), Codec.majorVersion(), Codec.minorVersion());
        final boolean areFields =
                message.msgKey().name().toString().equals(DictionaryReply.NAMES.getFirst());
        final int code =
                areFields
                        ? read.decodeFieldDictionary(iterator, VERBOSITY, error)
                        : read.decodeEnumTypeDictionary(iterator, VERBOSITY, error);
        assertThat(code).as(error.text()).isEqualTo(CodecReturnCodes.SUCCESS);
    }

    @Test
    void shouldSendDictionariesOfRealSizeWhole() throws IOException {
        final DictionaryReply reply = new DictionaryReply(dictionary(5000, 11));
        for (final String name : DictionaryReply.NAMES) {
            assertThat(reply.answer(request(name), this::take)).isEmpty();
            assertThat(isComplete).isTrue();
        }
        assertThat(closed).isEmpty();
        assertThat(parts).isGreaterThan(10);
        assertThat(read.entry(LargeDictionary.FIRST_FIELD + 4999).rwfType())
                .isEqualTo(DataTypes.ENUM);
        final com.refinitiv.eta.codec.Enum last = CodecFactory.createEnum();
        last.value(LargeDictionary.ENUM_VALUES - 1);
        assertThat(read.entryEnumType(read.entry(LargeDictionary.FIRST_FIELD), last).display())
                .hasToString("00000001999");
        assertThat(read.entry(-3920)).isNotNull();
    }

    @Test
    void shouldCloseTheStreamOfATableThatIsTooLarge() throws IOException {
        final DictionaryReply reply = new DictionaryReply(dictionary(1, 200));
        final String trouble = reply.answer(request("RWFEnum"), this::take);
        assertThat(trouble).startsWith("the dictionary cannot be encoded: ");
        assertThat(closed).singleElement().satisfies(state -> saysThat(state, trouble));
    }

    @Test
    void shouldCloseTheStreamOfADictionaryThatIsNotThere() {
        final DictionaryReply reply = new DictionaryReply(FieldDictionary.own());
        final String trouble = reply.answer(request("RWFOther"), this::take);
        assertThat(trouble).contains("no such dictionary", "RWFFld and RWFEnum");
        assertThat(closed).singleElement().satisfies(state -> saysThat(state, trouble));
        assertThat(parts).isZero();
    }

    private static void saysThat(final State state, final String words) {
        assertThat(state.streamState()).isEqualTo(StreamStates.CLOSED);
        assertThat(state.code()).isEqualTo(StateCodes.NOT_FOUND);
        assertThat(state.text().toString()).isEqualTo(words);
    }
}

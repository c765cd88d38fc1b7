package io.tickmark.workloads.market.data;

import com.refinitiv.eta.codec.Array;
import com.refinitiv.eta.codec.ArrayEntry;
import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.DecodeIterator;
import com.refinitiv.eta.codec.ElementEntry;
import com.refinitiv.eta.codec.ElementList;
import com.refinitiv.eta.codec.Int;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.UInt;
import com.refinitiv.eta.rdm.ElementNames;
import com.refinitiv.eta.rdm.ViewTypes;
import java.util.ArrayList;
import java.util.List;

/**
 * The content of requests: the items of a batch, the fields of a view (RDM usage guide, "Batch
 * Request" and "View Definition").
 *
 * @param items of a batch, in the order of their streams
 * @param view what is wanted of each item; null where nothing is said of it
 * @param trouble why it cannot be read; empty where it can
 */
public record RequestContent(List<String> items, FieldView view, String trouble) {
    private static final RequestContent NONE = new RequestContent(List.of(), null, "");

    /**
     * Reads the content of a message.
     *
     * @param message a request, just decoded
     * @param majorVersion of its channel
     * @param minorVersion of its channel
     * @return what it says
     */
    public static RequestContent of(
            final Msg message, final int majorVersion, final int minorVersion) {
        final Buffer body = message.encodedDataBody();
        if (message.containerType() != DataTypes.ELEMENT_LIST
                || body == null
                || body.length() == 0) {
            return NONE;
        }
        final DecodeIterator iterator = CodecFactory.createDecodeIterator();
        iterator.setBufferAndRWFVersion(body, majorVersion, minorVersion);
        try {
            return new Reader(iterator).read();
        } catch (final RuntimeException e) { // how the codec reports that lengths do not match
            return unreadable("its lengths do not fit (" + e + ")");
        }
    }

    private static RequestContent unreadable(final String trouble) {
        return new RequestContent(List.of(), null, trouble);
    }

    /** Goes through the elements once. */
    private static final class Reader {
        private final DecodeIterator from;
        private final List<String> items = new ArrayList<>();
        private final List<Integer> fields = new ArrayList<>();
        private boolean hasView;
        private long viewType = ViewTypes.FIELD_ID_LIST;

        Reader(final DecodeIterator from) {
            this.from = from;
        }

        RequestContent read() {
            final ElementList list = CodecFactory.createElementList();
            final ElementEntry element = CodecFactory.createElementEntry();
            int code = list.decode(from, null);
            if (code == CodecReturnCodes.NO_DATA) {
                return NONE;
            }
            if (code < CodecReturnCodes.SUCCESS) {
                return unreadable(CodecReturnCodes.toString(code));
            }
            for (code = element.decode(from);
                    code != CodecReturnCodes.END_OF_CONTAINER;
                    code = element.decode(from)) {
                if (code >= CodecReturnCodes.SUCCESS) {
                    code = element(element);
                }
                if (code < CodecReturnCodes.SUCCESS) {
                    return unreadable(CodecReturnCodes.toString(code));
                }
            }
            if (hasView && viewType != ViewTypes.FIELD_ID_LIST) {
                return unreadable("its view names elements; only views of field ids are known");
            }
            return new RequestContent(items, hasView ? new FieldView(fields) : null, "");
        }

        private int element(final ElementEntry element) {
            final Buffer name = element.name();
            if (name.equals(ElementNames.BATCH_ITEM_LIST)) {
                return array(entry -> items.add(entry.encodedData().toString()));
            }
            if (name.equals(ElementNames.VIEW_DATA)) {
                hasView = true;
                return viewType == ViewTypes.FIELD_ID_LIST
                        ? numbers(fields)
                        : CodecReturnCodes.SUCCESS;
            }
            if (name.equals(ElementNames.VIEW_TYPE)) {
                final UInt type = CodecFactory.createUInt();
                final int code = type.decode(from);
                viewType = type.toLong();
                return code;
            }
            return CodecReturnCodes.SUCCESS; // elements of others are skipped
        }

        private int numbers(final List<Integer> into) {
            final Int number = CodecFactory.createInt();
            final UInt unsigned = CodecFactory.createUInt();
            final int[] type = {0};
            return array(
                    array -> type[0] = array.primitiveType(),
                    _ -> {
                        final boolean isSigned = type[0] == DataTypes.INT;
                        final int code = isSigned ? number.decode(from) : unsigned.decode(from);
                        into.add((int) (isSigned ? number.toLong() : unsigned.toLong()));
                        return code;
                    });
        }

        private int array(final java.util.function.Consumer<ArrayEntry> each) {
            return array(
                    _ -> {},
                    entry -> {
                        each.accept(entry);
                        return CodecReturnCodes.SUCCESS;
                    });
        }

        private int array(
                final java.util.function.Consumer<Array> begin,
                final java.util.function.ToIntFunction<ArrayEntry> each) {
            final Array array = CodecFactory.createArray();
            final ArrayEntry entry = CodecFactory.createArrayEntry();
            int code = array.decode(from);
            if (code == CodecReturnCodes.BLANK_DATA || code == CodecReturnCodes.NO_DATA) {
                return CodecReturnCodes.SUCCESS;
            }
            if (code < CodecReturnCodes.SUCCESS) {
                return code;
            }
            begin.accept(array);
            for (code = entry.decode(from);
                    code != CodecReturnCodes.END_OF_CONTAINER;
                    code = entry.decode(from)) {
                code = code < CodecReturnCodes.SUCCESS ? code : each.applyAsInt(entry);
                if (code < CodecReturnCodes.SUCCESS) {
                    return code;
                }
            }
            return CodecReturnCodes.SUCCESS;
        }
    }
}

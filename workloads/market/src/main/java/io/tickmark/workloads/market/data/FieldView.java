package io.tickmark.workloads.market.data;

import com.refinitiv.eta.codec.Buffer;
import java.util.Arrays;
import java.util.Collection;

/** The fields of an item that a consumer requests: its view. Immutable. */
public final class FieldView {
    private final short[] fieldIds;

    /**
     * A view.
     *
     * @param fieldIds in any order
     */
    public FieldView(final Collection<Integer> fieldIds) {
        this.fieldIds = new short[fieldIds.size()];
        int count = 0;
        for (final int fieldId : fieldIds) {
            this.fieldIds[count++] = (short) fieldId;
        }
        Arrays.sort(this.fieldIds);
    }

    /**
     * Whether a field is requested.
     *
     * @param fieldId any
     * @return true where the view names it
     */
    public boolean has(final int fieldId) {
        return Arrays.binarySearch(fieldIds, (short) fieldId) >= 0;
    }

    /** Leaves of a message the fields of a view. Single-threaded. */
    public static final class ViewFilter extends FieldFilter {
        private FieldView view;

        /** A filter for any view. */
        public ViewFilter() {}

        /**
         * What a consumer with a view receives of a message.
         *
         * @param encoded the message
         * @param wanted the view
         * @return the message itself where all of it is wanted or nothing in it is a field; else
         *     what remains of it, valid until the next call
         */
        public Buffer of(final Buffer encoded, final FieldView wanted) {
            view = wanted;
            return filter(encoded);
        }

        /**
         * Whether the last message was left with nothing but fields of its view.
         *
         * @return false where it stayed whole although it may have others: its fields could not be
         *     separated, or it has content that was not looked into, such as a vector
         */
        public boolean isKept() {
            return !hasFailed() && !hasUnseen();
        }

        @Override
        protected boolean keeps(final int fieldId, final Buffer value) {
            return view.has(fieldId);
        }
    }
}

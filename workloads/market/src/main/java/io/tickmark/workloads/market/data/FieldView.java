package io.tickmark.workloads.market.data;

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
}

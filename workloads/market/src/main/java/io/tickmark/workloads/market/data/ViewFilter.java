package io.tickmark.workloads.market.data;

import com.refinitiv.eta.codec.Buffer;

/** Leaves of a message the fields of a view. Single-threaded. */
public final class ViewFilter extends FieldFilter {
    private FieldView view;

    /** A filter for any view. */
    public ViewFilter() {}

    /**
     * What a consumer with a view receives of a message.
     *
     * @param encoded the message
     * @param wanted the view
     * @return the message itself where all of it is wanted or nothing in it is a field; else what
     *     remains of it, valid until the next call
     */
    public Buffer of(final Buffer encoded, final FieldView wanted) {
        view = wanted;
        return filter(encoded);
    }

    @Override
    protected boolean keeps(final int fieldId, final Buffer value) {
        return view.has(fieldId);
    }
}

package io.tickmark.workloads.fix.dictionary;

import java.util.List;

/**
 * The content of a message of one type after its header.
 *
 * @param body its fields
 * @param isComplete whether other fields do not belong to it
 * @param required fields that are always there
 * @param requiredToo fields that the specification asks for beyond these
 * @param needs fields that others make necessary
 */
public record Definition(
        Group body,
        boolean isComplete,
        List<Integer> required,
        List<Integer> requiredToo,
        List<Need> needs) {
    /** Copies the lists. */
    public Definition {
        required = List.copyOf(required);
        requiredToo = List.copyOf(requiredToo);
        needs = List.copyOf(needs);
    }
}

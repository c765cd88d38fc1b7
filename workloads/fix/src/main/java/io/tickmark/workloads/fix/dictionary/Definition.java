package io.tickmark.workloads.fix.dictionary;

import java.util.List;

/**
 * The content of a message of one type after its header.
 *
 * @param body its fields
 * @param isComplete whether it may have no other fields
 * @param required fields that are always present
 * @param requiredToo further fields that the specification requires
 * @param needs fields that are required by others
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

package io.tickmark.workloads.fix.session;

import java.util.List;

/**
 * The checks of a session on received messages, besides their headers.
 *
 * @param ofFields whether the fields of application messages are well-formed and the required ones
 *     present
 * @param byDictionary whether they are those that FIX has for the type, with their types, values
 *     and order in groups
 * @param thirdParties CompIDs allowed in OnBehalfOfCompID and DeliverToCompID; any where empty
 */
public record Checks(boolean ofFields, boolean byDictionary, List<String> thirdParties) {
    /** Nothing but headers. */
    public static final Checks NONE = new Checks(false, false, List.of());

    /** Fields, as far as no dictionary is necessary. */
    public static final Checks OF_FIELDS = new Checks(true, false, List.of());

    /** Copies the list; checks by dictionary include the others. */
    public Checks {
        ofFields = ofFields || byDictionary;
        thirdParties = List.copyOf(thirdParties);
    }
}

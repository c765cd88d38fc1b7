package io.tickmark.workloads.fix.gateway;

/** How messages of the application are validated. */
public enum Validation {
    /** Fields are well-formed, none is duplicated, the required ones are present. */
    FIELDS,
    /** In addition, what the dictionary says about fields, values and groups of the type. */
    DICTIONARY
}

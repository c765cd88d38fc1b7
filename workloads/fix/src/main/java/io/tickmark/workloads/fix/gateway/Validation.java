package io.tickmark.workloads.fix.gateway;

/** What messages of the application are held against. */
public enum Validation {
    /** Fields are well-formed, none stands twice, the necessary ones are there. */
    FIELDS,
    /** Beyond that, what the dictionary says about fields, values and groups of the type. */
    DICTIONARY
}

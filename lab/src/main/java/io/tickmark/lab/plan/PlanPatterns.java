package io.tickmark.lab.plan;

/** Patterns of text in plans. */
final class PlanPatterns {
    /** Also the name of a folder, so nothing that a file system may refuse. */
    static final String NAME = "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$";

    static final String DURATION = "^([0-9]+(\\.[0-9]+)?\\s*(ns|us|µs|ms|s|m|h)|0)$";
    static final String HEAP = "^[1-9][0-9]{0,8}[kmgKMG]$";
    static final String COUNT = "^[-+]?[0-9][0-9_.,eE+-]*[kMG]?$";

    /** A count, or a share with its percent sign. */
    static final String SHARE = "^[-+]?[0-9][0-9_.,eE+-]*[kMG]?\\s*%?$";

    static final String LIST_OF_COUNTS = "^[0-9][0-9_.,eEkMG ]*$";

    /** An IP address or a host name. */
    static final String ADDRESS = "^[A-Za-z0-9:][A-Za-z0-9:.%_-]{0,253}$";

    /** What ssh connects to; never an option of it. */
    static final String DESTINATION = "^[A-Za-z0-9_][A-Za-z0-9_.@:%/\\[\\]-]{0,253}$";

    /** A path without characters that are special to a shell. */
    static final String REMOTE_PATH = "^[A-Za-z0-9_./][A-Za-z0-9_./+-]{0,253}$";

    /** A name of Kubernetes, RFC 1123, short enough to be extended. */
    static final String LABEL = "^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$";

    /** Bytes as Kubernetes writes them. */
    static final String QUANTITY = "^[1-9][0-9]{0,9}(Ki|Mi|Gi|Ti|k|M|G|T)?$";

    private PlanPatterns() {}
}

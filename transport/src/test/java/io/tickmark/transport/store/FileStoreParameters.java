package io.tickmark.transport.store;

import io.tickmark.kernel.settings.Setting;

/**
 * Parameters of a {@code filestore} channel.
 *
 * @param syncEvery messages after which the disk is waited for
 * @param maxFlight messages that may be unstable
 * @param segmentMessages messages in a file
 * @param deletion whether acknowledged messages are deleted
 * @param refused ordinal of a message that is refused while some after it are stored; -1 for none
 * @param full ordinal from which all are refused after they were accepted; -1 for none
 * @param holdFrom ordinal from which nothing is accepted until the store is started again; -1 for
 *     none
 * @param refusedAcknowledgements those that turn out in the end not to have been accepted
 * @param disturbedAfter ordinal after which a topic's reader, which is the only one it may have,
 *     gets nothing until it is opened again; -1 for none, and for any number of readers
 * @param disturbedMs how long, where it comes back by itself; -1 where it does not
 */
record FileStoreParameters(
        @Setting(help = "Messages after which the disk is waited for.", byDefault = "10", min = 1)
                int syncEvery,
        @Setting(help = "Messages that may be unstable.", byDefault = "100", min = 1) int maxFlight,
        @Setting(help = "Messages in a file.", byDefault = "16", min = 1) int segmentMessages,
        @Setting(help = "When messages are deleted.", byDefault = "kept") Deletion deletion,
        @Setting(
                        help = "Ordinal of a message that is refused, and some behind it are not.",
                        byDefault = "-1",
                        min = -1)
                long refused,
        @Setting(
                        help = "Ordinal from which all messages are refused, as on a full disk.",
                        byDefault = "-1",
                        min = -1)
                long full,
        @Setting(
                        help = "Ordinal from which it accepts nothing until it is started again.",
                        byDefault = "-1",
                        min = -1)
                long holdFrom,
        @Setting(
                        help = "Acknowledgements that turn out in the end to be refused.",
                        byDefault = "0",
                        min = 0)
                long refusedAcknowledgements,
        @Setting(
                        help = "Ordinal after which the only reader gets nothing.",
                        byDefault = "-1",
                        min = -1)
                long disturbedAfter,
        @Setting(
                        help = "After how long the only reader comes back by itself, in ms.",
                        byDefault = "-1",
                        min = -1)
                long disturbedMs) {}

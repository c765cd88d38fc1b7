package io.tickmark.transport.store;

import io.tickmark.kernel.settings.Setting;

/**
 * What a {@code filestore} channel may carry.
 *
 * @param syncEvery messages after which the disk is waited for
 * @param maxFlight messages that may be unstable
 * @param segmentMessages messages in a file
 * @param deletion whether acknowledged messages are deleted
 */
record FileStoreParameters(
        @Setting(help = "Messages after which the disk is waited for.", byDefault = "10", min = 1)
                int syncEvery,
        @Setting(help = "Messages that may be unstable.", byDefault = "100", min = 1) int maxFlight,
        @Setting(help = "Messages in a file.", byDefault = "16", min = 1) int segmentMessages,
        @Setting(help = "When messages are deleted.", byDefault = "kept") Deletion deletion) {}

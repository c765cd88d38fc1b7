package io.tickmark.lab.mock;

import io.tickmark.kernel.settings.Setting;
import java.time.Duration;
import java.util.List;

/**
 * Settings of both mock roles.
 *
 * @param channel passed around
 * @param sizes of the steps
 * @param samples in each step
 * @param lasting each step
 * @param patience of the receiver
 * @param trouble of the role
 * @param troubleOf index of the role that has it
 * @param core that its thread is pinned to
 * @param engineThreads that its engine pretends to keep busy
 * @param warmUps messages that it pretends to send before
 */
public record MockSettings(
        @Setting(help = "Channel.", byDefault = "none") String channel,
        @Setting(help = "Lengths.", byDefault = "64", unit = "bytes", min = 16, max = 65536)
                List<Integer> sizes,
        @Setting(help = "Messages of each size.", byDefault = "100", min = 1, max = 1e6)
                long samples,
        @Setting(help = "Time each size takes.", byDefault = "5ms", max = 6e10) Duration lasting,
        @Setting(help = "How slow it may be.", byDefault = "0", whenWarm = "2s", max = 6e11)
                Duration patience,
        @Setting(help = "What goes wrong.", byDefault = "nothing") Trouble trouble,
        @Setting(help = "Index of the role that has the trouble, 0 for all.", byDefault = "0")
                int troubleOf,
        @Setting(help = "Core of its thread.", byDefault = "-1", min = -1, max = 4095) int core,
        @Setting(help = "Threads of its engine.", byDefault = "0", max = 99) int engineThreads,
        @Setting(help = "Messages before.", byDefault = "5", whenWarm = "0", max = 99)
                int warmUps) {
    /** What goes wrong. */
    public enum Trouble {
        /** Nothing. */
        NOTHING,
        /** This machine lacks something that it needs. */
        LACKS,
        /** A user error while preparing. */
        PREPARE_FAILS,
        /** A user error while connecting. */
        CONNECT_FAILS,
        /** A user error while running. */
        RUN_FAILS,
        /** A defect while running. */
        RUN_BREAKS,
        /** The process ends while running. */
        DIES,
        /** Never returns, but its process stays alive. */
        NEVER_ENDS,
        /** The whole process stands still. */
        HANGS,
        /** Writes without end to standard error. */
        FLOODS,
        /** Prints to standard output, as libraries do. */
        PRINTS,
        /** Writes rubbish to file descriptor 1. */
        GARBAGE,
        /** Loses one message. */
        LOSES,
        /** Fails, and says so in its result. */
        FAILS
    }
}

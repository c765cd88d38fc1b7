package io.tickmark.workloads.fix.gateway;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.workloads.fix.SessionOptions;
import io.tickmark.workloads.fix.gateway.SlowRules.SlowLimits;
import io.tickmark.workloads.fix.session.Checks;
import java.time.Duration;
import java.util.List;

/**
 * Settings of the gateway.
 *
 * @param channel engine that runs it
 * @param bind address it listens on
 * @param producersPort where producers connect
 * @param consumersPort where consumers connect
 * @param session of all its sessions
 * @param checking of messages
 * @param workers threads that serve sessions
 * @param fanOut which messages fan out
 * @param subscriptions which consumers get them
 * @param slow limits of slow consumers
 * @param writeBytes most in one write
 * @param store of messages and numbers
 * @param mostWaiting connections before their Logon
 * @param exitAtEnd whether it ends with its producers
 * @param idle what workers do when there is nothing to do
 */
public record GatewaySettings(
        @Setting(
                        help =
                                "Engine that runs the gateway; an unknown name is refused with the list of installed ones.",
                        byDefault = "tickmark",
                        aliases = {"--engine"},
                        label = "ENGINE")
                String channel,
        @Setting(help = "Address to listen on.", byDefault = "127.0.0.1", label = "ADDRESS")
                String bind,
        @Setting(help = "Port for producers; 0 for any.", byDefault = "3000", min = 0, max = 65535)
                int producersPort,
        @Setting(
                        help =
                                "Port for consumers; 0 for any. The same as for producers: a session is a producer"
                                        + " where its SenderCompID begins with --producer-prefix.",
                        byDefault = "3001",
                        min = 0,
                        max = 65535)
                int consumersPort,
        SessionOptions session,
        Checking checking,
        @Setting(
                        help = "Threads that serve sessions; 0: one for every two cores.",
                        byDefault = "0",
                        min = 0,
                        max = 256)
                int workers,
        @Setting(
                        help = "Which messages fan out: those that are marked (9700=Y), or all.",
                        byDefault = "marked")
                FanOutRule fanOut,
        @Setting(
                        help =
                                "Which consumers get them: all, or those that asked for the symbol (35=V).",
                        byDefault = "all")
                Subscriptions subscriptions,
        Slow slow,
        @Setting(
                        help = "Maximum bytes in one write to a session.",
                        byDefault = "65536",
                        unit = "bytes",
                        min = 1024,
                        max = 16_777_216)
                int writeBytes,
        Store store,
        @Setting(
                        help =
                                "Maximum connections that have not logged on yet; with one more, the one that has"
                                        + " waited longest is closed.",
                        byDefault = "4096",
                        min = 1,
                        max = 1_000_000)
                int mostWaiting,
        @Setting(
                        help = "End when all producers have logged out, and log the consumers out.",
                        byDefault = "false")
                boolean exitAtEnd,
        @Setting(help = "What a worker does when there is nothing to do.", byDefault = "auto")
                IdleMode idle) {

    /**
     * How many threads serve sessions.
     *
     * @return as said, else one for each two cores
     */
    public int workerThreads() {
        return workers > 0 ? workers : Math.max(1, Affinity.allowedCores().size() / 2);
    }

    /**
     * The checks of received messages.
     *
     * @param validate against what
     * @param thirdParties CompIDs allowed in OnBehalfOfCompID and DeliverToCompID
     */
    public record Checking(
            @Setting(
                            help =
                                    "What application messages are checked against: fields (well-formed, no duplicates, the"
                                            + " required ones present) or dictionary (also that FIX defines them for this type"
                                            + " of message, with these values, in this order).",
                            byDefault = "fields")
                    Validation validate,
            @Setting(
                            help =
                                    "CompIDs that are allowed in OnBehalfOfCompID (115) and DeliverToCompID (128);"
                                            + " none: any.",
                            label = "ID,...")
                    List<String> thirdParties) {
        /** Copies the list. */
        public Checking {
            thirdParties = List.copyOf(thirdParties);
        }

        Checks checks() {
            return new Checks(true, validate == Validation.DICTIONARY, thirdParties);
        }
    }

    /**
     * What happens to a consumer that does not keep up.
     *
     * @param slow policy
     * @param slowBytes it is slow while this many are pending for it
     * @param slowTime it is slow once its socket has accepted nothing for this long
     * @param slowSessions rules for single sessions
     */
    public record Slow(
            @Setting(
                            help =
                                    "What happens to messages for a consumer that does not keep up: drop, conflate,"
                                            + " disconnect or block.",
                            byDefault = "drop")
                    SlowPolicy slow,
            @Setting(
                            help = "A consumer is slow while this many bytes wait for it.",
                            byDefault = "1048576",
                            unit = "bytes",
                            min = 4096,
                            max = 1_073_741_824)
                    int slowBytes,
            @Setting(
                            help =
                                    "A consumer is also slow while its socket has accepted nothing for this long.",
                            byDefault = "5s",
                            min = 1e6,
                            max = 3.6e12)
                    Duration slowTime,
            @Setting(
                            help =
                                    "Exceptions for single sessions: a CompID or a prefix with *, a policy, and optionally"
                                            + " bytes and time; the first match applies.",
                            label = "ID=POLICY[:BYTES[:TIME]],...")
                    List<String> slowSessions) {
        /** Copies the list, and refuses invalid values. */
        public Slow {
            slowSessions = List.copyOf(slowSessions);
            new SlowRules(new SlowLimits(slow, slowBytes, slowTime.toNanos()), slowSessions);
        }

        SlowRules rules() {
            return new SlowRules(new SlowLimits(slow, slowBytes, slowTime.toNanos()), slowSessions);
        }
    }

    /**
     * Where numbers and messages are kept.
     *
     * @param store kind of store
     * @param storeBytes most of messages kept for each session
     * @param storeDir folder of the kind {@code file}
     * @param awayBytes most of memory for consumers that are away
     */
    public record Store(
            @Setting(
                            help =
                                    "Where sequence numbers and messages are kept for a session that comes back:"
                                            + " memory, file, or none of the messages.",
                            byDefault = "memory")
                    StoreKind store,
            @Setting(
                            help =
                                    "Messages kept for each session, in bytes; the oldest go first. A session that asks for "
                                            + "older ones gets a gap fill.",
                            byDefault = "262144",
                            unit = "bytes",
                            min = 0,
                            max = 1_073_741_824)
                    int storeBytes,
            @Setting(help = "Folder of the file store.", byDefault = "fix-store", label = "DIR")
                    String storeDir,
            @Setting(
                            help =
                                    "Total memory for messages that are kept for disconnected consumers. Beyond it the "
                                            + "longest-absent consumer loses what was kept, and gets a gap fill for it.",
                            byDefault = "134217728",
                            unit = "bytes",
                            min = 0,
                            max = 1_099_511_627_776.0)
                    long awayBytes) {}

    /** How messages of the application are validated. */
    public enum Validation {
        /** Fields are well-formed, none is duplicated, the required ones are present. */
        FIELDS,
        /** In addition, what the dictionary says about fields, values and groups of the type. */
        DICTIONARY
    }

    /** Which messages of the producers fan out. */
    public enum FanOutRule {
        /**
         * Those that their producer marked ({@link
         * io.tickmark.workloads.fix.message.StampTags#FAN_OUT}).
         */
        MARKED,
        /** All. */
        ALL
    }

    /** Which consumer receives which messages. */
    public enum Subscriptions {
        /** Every consumer gets every message that fans out. */
        ALL,
        /** A consumer receives the symbols that it requested with a MarketDataRequest. */
        SYMBOL
    }

    /** What happens to messages for a consumer that does not keep up. */
    public enum SlowPolicy {
        /** They are dropped before they get a sequence number: the session sees no gap. Counted. */
        DROP,
        /** The newest of each symbol is kept and sent when there is room again. Counted. */
        CONFLATE,
        /** The consumer is disconnected. */
        DISCONNECT,
        /** All others wait for it, and it is disconnected when that takes too long. */
        BLOCK
    }

    /** Where sessions keep sequence numbers and messages. */
    public enum StoreKind {
        /** Only sequence numbers, in memory: a ResendRequest is answered with a gap fill. */
        NONE,
        /** Both in memory: they outlive connections. */
        MEMORY,
        /** Both in files: they outlive the process. */
        FILE
    }
}

package io.tickmark.bench.peers;

import java.util.ArrayList;
import java.util.List;

/** Where foreign DDS programs meet: one domain each, on the loopback interface, as ours do. */
final class DdsPlace {
    static final int DDSPERF_DOMAIN = 61;
    static final int FLOOR_DOMAIN = 62;

    private static final String CONFIG =
            "CYCLONEDDS_URI=<General><Interfaces><NetworkInterface address=\"127.0.0.1\"/></Interfaces>"
                    + "<AllowMulticast>false</AllowMulticast></General>"
                    + "<Discovery><ParticipantIndex>auto</ParticipantIndex>"
                    + "<Peers><Peer address=\"127.0.0.1\"/></Peers></Discovery>";

    private DdsPlace() {}

    /** The command with the library configured to stay on this host. */
    static List<String> onThisHost(final List<String> command) {
        final List<String> words = new ArrayList<>(List.of("env", CONFIG));
        words.addAll(command);
        return words;
    }

    /** As options of programs call it. */
    static String word(final boolean reliable) {
        return reliable ? "reliable" : "best-effort";
    }
}

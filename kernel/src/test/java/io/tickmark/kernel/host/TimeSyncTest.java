package io.tickmark.kernel.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TimeSyncTest {
    private static final String TRACKING =
            "A29FC87B,162.159.200.123,4,1763777105.123456789,0.000012345,-0.000004000,0.000021000,"
                    + "-3.250,-0.001,0.020,0.012345678,0.000456789,64.8,Normal\n";

    private static final String DATA_SETS =
            """
            sending: GET CURRENT_DATA_SET
            \t00aabb.fffe.ccddee-0 seq 0 RESPONSE MANAGEMENT CURRENT_DATA_SET
            \t\tstepsRemoved     1
            \t\toffsetFromMaster -17.0
            \t\tmeanPathDelay    523.0
            sending: GET PORT_DATA_SET
            \t00aabb.fffe.ccddee-1 seq 1 RESPONSE MANAGEMENT PORT_DATA_SET
            \t\tportState               SLAVE
            """;

    @TempDir private Path root;

    private FakeHost running(final String... daemons) {
        FakeHost host = new FakeHost(root).with("/proc/1/comm", "init\n");
        for (int i = 0; i < daemons.length; i++) {
            host = host.with("/proc/" + (70 + i) + "/comm", daemons[i] + "\n");
        }
        return host;
    }

    private static Map<String, Object> facts(final FakeHost host, final String answer) {
        return new TimeSync(host.files(), (words, ms) -> Optional.of(answer))
                .all(Map.of("kernelSynchronised", true))
                .toMap();
    }

    @Test
    void shouldReportWhatChronySays() {
        final Map<String, Object> facts = facts(running("chronyd"), TRACKING);

        assertThat(facts).containsEntry("state", "chronyd, synchronised");
        assertThat(facts.get("chrony"))
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
                .containsEntry("stratum", 4L)
                .containsEntry("systemOffsetNs", 12_345L)
                .containsEntry("rootDelayNs", 12_345_678L)
                .containsEntry("frequencyPpm", -3.25)
                .containsEntry("leapStatus", "Normal");
        assertThat(facts.toString()).as("it names nobody").doesNotContain("162.159");
    }

    @Test
    void shouldReportWhatPtpSays() {
        final FakeHost host =
                running("phc2sys", "ptp4l").with("/sys/class/ptp/ptp0/clock_name", "ice\n");
        final Map<String, Object> facts = facts(host, DATA_SETS);

        assertThat(facts)
                .containsEntry("state", "phc2sys and ptp4l, synchronised")
                .containsEntry("ptpClocks", List.of("ptp0 (ice)"));
        assertThat(facts.get("ptp"))
                .isEqualTo(
                        Map.of(
                                "stepsRemoved", 1L,
                                "offsetNs", -17L,
                                "pathDelayNs", 523L,
                                "portState", "SLAVE"));
    }

    @Test
    void shouldSayNoneWhereNobodyKeepsTheClock() {
        final Map<String, Object> facts =
                new TimeSync(running().files(), (words, ms) -> Optional.empty())
                        .all(Map.of("kernelSynchronised", false))
                        .toMap();

        assertThat(facts).containsEntry("state", "none").doesNotContainKey("chrony");
        assertThat(TimeSync.state(Map.of(TimeSync.GROUP, facts))).isEqualTo("none");
    }

    @Test
    void shouldLeaveOutWhatAProgramDoesNotSay() {
        assertThat(facts(running("chronyd"), "506 Cannot talk to daemon\n"))
                .containsEntry("state", "chronyd, synchronised")
                .doesNotContainKey("chrony");
    }

    @Test
    void shouldAskThisMachine() {
        final Map<String, Object> facts = TimeSync.facts(HostFiles.ofThisHost()).toMap();

        assertThat(facts.get("state")).asString().isNotEmpty();
    }

    @Test
    void shouldWaitForAProgramOnlySoLong() {
        assertThat(TimeSync.Command.output(List.of("echo", "here"), 120_000)).contains("here\n");
        assertThat(TimeSync.Command.output(List.of("sleep", "60"), 50)).isEmpty();
        assertThat(TimeSync.Command.output(List.of("false"), 120_000)).isEmpty();
        assertThat(TimeSync.Command.output(List.of("/no/such/program"), 120_000)).isEmpty();
    }
}

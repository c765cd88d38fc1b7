package io.tickmark.kernel.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LimitFactsTest {
    @TempDir private Path root;
    private FakeHost host;

    @BeforeEach
    void makeHost() {
        host = new FakeHost(root);
    }

    @Test
    void shouldReadSoftLimits() {
        host.with(
                "/proc/self/limits",
                """
                Limit                     Soft Limit           Hard Limit           Units
                Max open files            1024                 4096                 files
                Max locked memory         unlimited            unlimited            bytes
                Max realtime priority     0                    0
                """);

        assertThat(LimitFacts.limits(host.files()).toMap())
                .isEqualTo(
                        Map.of(
                                "openFiles", 1024L,
                                "lockedMemoryBytes", "unlimited",
                                "realTimePriority", 0L));
    }

    @Test
    void shouldFindTheTightestQuotaAboveTheProcess() {
        host.with("/proc/self/cgroup", "0::/pods/one\n")
                .with("/sys/fs/cgroup/pods/cpu.max", "150000 100000\n")
                .with("/sys/fs/cgroup/pods/one/cpu.max", "max 100000\n");

        assertThat(LimitFacts.limits(host.files()).toMap()).containsEntry("cpuQuotaCores", 1.5);
    }

    @Test
    void shouldFindTheQuotaOfAContainerThatSeesItselfAsRoot() {
        host.with("/proc/self/cgroup", "0::/\n").with("/sys/fs/cgroup/cpu.max", "50000 100000\n");

        assertThat(LimitFacts.limits(host.files()).toMap()).containsEntry("cpuQuotaCores", 0.5);
    }

    @Test
    void shouldReadQuotasOfTheFirstKindOfControlGroups() {
        host.with("/proc/self/cgroup", "4:memory:/x\n2:cpu,cpuacct:/a\n1:name=systemd:/\n")
                .with("/sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "200000\n")
                .with("/sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n")
                .with("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n")
                .with("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");

        assertThat(LimitFacts.limits(host.files()).toMap()).containsEntry("cpuQuotaCores", 2.0);
    }

    @Test
    void shouldKnowForHowLongAQuotaHeldTheProcessBack() {
        host.with("/proc/self/cgroup", "0::/pods/one\n")
                .with("/sys/fs/cgroup/pods/cpu.stat", "usage_usec 9\nthrottled_usec 1500\n")
                .with("/sys/fs/cgroup/pods/one/cpu.stat", "usage_usec 9\n");
        assertThat(LimitFacts.throttledNs(host.files())).hasValue(1_500_000);

        host.with("/proc/self/cgroup", "2:cpu,cpuacct:/a\n")
                .with("/sys/fs/cgroup/cpu/a/cpu.stat", "nr_periods 3\nthrottled_time 77\n");
        assertThat(LimitFacts.throttledNs(host.files())).hasValue(77);

        host.with("/proc/self/cgroup", "0::/other\n");
        assertThat(LimitFacts.throttledNs(host.files())).isEmpty();
    }

    @Test
    void shouldKnowWhatTheHypervisorTookOfEachCore() {
        host.with(
                "/proc/stat",
                """
                cpu  1 2 3 4 5 6 7 9 0 0
                cpu0 1 2 3 4 5 6 7 3 0 0
                cpu1 1 2 3 4 5 6 7 6 0 0
                intr 5
                """);
        assertThat(TakenTime.stolenNs(host.files())).containsExactly(30_000_000, 60_000_000);

        host.with("/proc/stat", "cpu  1 2 3 4 5 6 7 0 0 0\ncpu0 1 2 3 4 5 6 7 0 0 0\n");
        assertThat(TakenTime.stolenNs(host.files())).isEmpty();
    }

    @Test
    void shouldKnowNoQuotaWhereThereIsNone() {
        host.with("/proc/self/cgroup", "0::/../x\nodd\n3:cpu:relative\n");

        assertThat(LimitFacts.limits(host.files()).toMap()).isEmpty();
    }

    @Test
    void shouldReadTheLoad() {
        host.with("/proc/loadavg", "2.54 0.91 1.63 1/200 4711\n");

        assertThat(LimitFacts.load(host.files()).toMap())
                .isEqualTo(Map.of("average1m", 2.54, "average5m", 0.91, "average15m", 1.63));
    }

    @Test
    void shouldKnowNoLoadWhereThereIsNone() {
        assertThat(LimitFacts.load(host.files()).toMap()).isEmpty();
        host.with("/proc/loadavg", "a b c");
        assertThat(LimitFacts.load(host.files()).toMap()).isEmpty();
    }
}

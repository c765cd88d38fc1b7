package io.tickmark.kernel.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FactsTest {
    private static final String CPUS = "/sys/devices/system/cpu/";

    @TempDir private Path root;
    private FakeHost host;

    @BeforeEach
    void makeHost() {
        host = new FakeHost(root);
    }

    @Test
    void shouldLeaveOutWhatIsNotKnown() {
        final Facts facts =
                new Facts()
                        .put("blank", " ")
                        .put("none", Optional.empty())
                        .put("noList", List.of())
                        .put("noMap", Map.of())
                        .put("zero", 0)
                        .put("some", Optional.of(7L))
                        .addAbsent(Map.of("zero", 1, "more", 2));

        assertThat(facts.toMap()).isEqualTo(Map.of("zero", 0, "some", 7L, "more", 2));
    }

    @Test
    void shouldDescribeTheProcessor() {
        host.with(
                        "/proc/cpuinfo",
                        "model name\t: Fast One\ncpu MHz\t: 2500.5\nflags\t: fpu constant_tsc fpu\n")
                .with("/proc/self/status", "Cpus_allowed_list:\t1-2\n")
                .with(CPUS + "online", "0-3\n")
                .with(CPUS + "cpu0/cpufreq/scaling_governor", "powersave\n")
                .with(CPUS + "cpu1/cpufreq/scaling_governor", "performance\n")
                .with(CPUS + "cpu2/cpufreq/scaling_governor", "powersave\n")
                .with(CPUS + "intel_pstate/no_turbo", "0\n")
                .with(CPUS + "cpu0/cpuidle/state0/name", "POLL\n")
                .with(CPUS + "cpu0/cpuidle/state1/name", "C6\n")
                .with(CPUS + "cpu0/cpuidle/state1/latency", "133\n")
                .with(CPUS + "cpu0/cpuidle/state2/name", "C10\n")
                .with(CPUS + "cpu0/cpuidle/state2/disable", "1\n");

        assertThat(CpuFacts.cpu(host.files()).toMap())
                .containsEntry("model", "Fast One")
                .containsEntry("currentMhz", 2500.5)
                .containsEntry("onlineCores", "0-3")
                .containsEntry("allowedCores", "1-2")
                .containsEntry("governor", "performance, powersave")
                .containsEntry("turbo", true)
                .containsEntry("constantTsc", true)
                .containsEntry("nonstopTsc", false)
                .containsEntry("idleStates", List.of("POLL", "C6 133 us"));
    }

    @Test
    void shouldReadTurboAsTheDriverWithoutPstatesHasIt() {
        host.with(CPUS + "cpufreq/boost", "0\n").with("/proc/cpuinfo", "cpu MHz\t: fast\n");

        assertThat(CpuFacts.cpu(host.files()).toMap())
                .containsEntry("turbo", false)
                .doesNotContainKey("currentMhz");
    }

    @Test
    void shouldDescribeNumaNodes() {
        final String node = "/sys/devices/system/node/";
        host.with(node + "online", "0-1\n")
                .with(node + "node1/cpulist", "4-7\n")
                .with(
                        node + "node1/meminfo",
                        "Node 1 MemTotal:       2048 kB\nNode 1 MemFree: 1 kB\n")
                .with(node + "power/control", "auto");

        assertThat(CpuFacts.numa(host.files()).toMap())
                .isEqualTo(Map.of("nodes", "0-1", "node1Cores", "4-7", "node1Bytes", 2048L * 1024));
    }

    @Test
    void shouldDescribeMemory() {
        host.with(
                        "/proc/meminfo",
                        "MemTotal: 4 kB\nSwapTotal: 10 kB\nSwapFree: 7 kB\nHugePages_Total: 5\n")
                .with("/sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n");

        assertThat(Environment.MemoryFacts.memory(host.files()).toMap())
                .isEqualTo(
                        Map.of(
                                "totalBytes", 4096L,
                                "swapBytes", 10_240L,
                                "swapUsedBytes", 3_072L,
                                "transparentHugePages", "always",
                                "hugePages", 5L));
    }

    @Test
    void shouldDescribeTheKernel() throws IOException {
        host.with("/proc/sys/kernel/osrelease", "6.1.0\n")
                .with(CPUS + "isolated", "2-3\n")
                .with(CPUS + "nohz_full", "(null)\n")
                .with(CPUS + "vulnerabilities/meltdown", "Not affected\n")
                .with(CPUS + "vulnerabilities/spectre_v2", "Mitigation: Retpolines\n")
                .with("/proc/sys/kernel/numa_balancing", "1\n");
        Files.write(
                root.resolve("proc/config.gz"),
                gzip(
                        "CONFIG_HZ_250=y\nCONFIG_HZ=250\n# CONFIG_NO_HZ_FULL is not set\nCONFIG_RCU_NOCB_CPU=y\n"));

        assertThat(KernelFacts.kernel(host.files()).toMap())
                .isEqualTo(
                        Map.of(
                                "release",
                                "6.1.0",
                                "isolatedCores",
                                "2-3",
                                "timerHz",
                                250L,
                                "nohzFullBuilt",
                                false,
                                "rcuNocbBuilt",
                                true,
                                "mitigated",
                                List.of("spectre_v2"),
                                "numaBalancing",
                                true));
    }

    @Test
    void shouldKeepOnlyTuningOptionsOfTheCommandLine() {
        host.with(
                "/proc/cmdline",
                "BOOT_IMAGE=/vmlinuz root=UUID=12-34 isolcpus=2,3 ip=10.1.2.3 nohz_full=2,3 quiet nosmt\n");

        assertThat(KernelFacts.kernel(host.files()).toMap())
                .isEqualTo(
                        Map.of("tuningOptions", List.of("isolcpus=2,3", "nohz_full=2,3", "nosmt")));
    }

    @Test
    void shouldFindTheTimerInTheBootFolder() {
        host.with("/proc/sys/kernel/osrelease", "6.1.0\n")
                .with("/boot/config-6.1.0", "CONFIG_HZ=1000\n")
                .with("/proc/config.gz", "not packed");

        assertThat(KernelFacts.kernel(host.files()).toMap()).containsEntry("timerHz", 1000L);
    }

    @Test
    void shouldRecogniseAVirtualMachineByItsFlagItsClockOrItsName() {
        assertThat(VirtualFacts.virtualisation(host.files()).toMap())
                .isEqualTo(Map.of("virtualMachine", false));

        host.with("/sys/class/dmi/id/product_name", "VMware7,1\n");
        assertThat(VirtualFacts.virtualisation(host.files()).toMap())
                .containsEntry("virtualMachine", true);

        host.with("/sys/class/dmi/id/product_name", "PowerEdge R650\n")
                .with("/proc/cpuinfo", "flags : fpu hypervisor\n");
        assertThat(VirtualFacts.virtualisation(host.files()).toMap())
                .containsEntry("virtualMachine", true)
                .containsEntry("systemProduct", "PowerEdge R650")
                .doesNotContainKey("hypervisor");

        host.with("/proc/cpuinfo", "flags : fpu\n")
                .with(
                        "/sys/devices/system/clocksource/clocksource0/available_clocksource",
                        "tsc kvm-clock\n")
                .with("/.dockerenv", "");
        assertThat(VirtualFacts.virtualisation(host.files()).toMap())
                .containsEntry("virtualMachine", true)
                .containsEntry("hypervisor", "kvm")
                .containsEntry("container", "docker");
    }

    @Test
    void shouldDescribeDisksThatHoldSomething() {
        host.with("/sys/block/nvme0n1/size", "2048\n")
                .with("/sys/block/nvme0n1/device/model", "Quick Disk   \n")
                .with("/sys/block/nvme0n1/queue/rotational", "0\n")
                .with("/sys/block/nvme0n1/queue/scheduler", "[none] mq-deadline\n")
                .with("/sys/block/loop0/size", "0\n");

        final Map<String, Object> disks =
                DiskFacts.disks(host.files(), root.resolve("not/there/yet")).toMap();

        assertThat(disks)
                .containsOnlyKeys("resultsFolder", "temporaryFolder", "nvme0n1")
                .containsEntry(
                        "nvme0n1",
                        Map.of(
                                "model",
                                "Quick Disk",
                                "sizeBytes",
                                1_048_576L,
                                "rotational",
                                false,
                                "scheduler",
                                "none"));
        for (final String folder : List.of("resultsFolder", "temporaryFolder")) {
            assertThat(disks.get(folder))
                    .asInstanceOf(InstanceOfAssertFactories.MAP)
                    .containsKeys("fileSystem", "freeBytes", "totalBytes");
        }
    }

    @Test
    void shouldNotShowSecretsOrTheNameOfTheUser() {
        final List<String> arguments =
                List.of("-Xmx1g", "-Dfile=/home/jane/x", "-Dkey.password=abc", "-DToken=1");

        assertThat(Environment.JvmFacts.flags(arguments, "/home/jane"))
                .containsExactly("-Xmx1g", "-Dfile=~/x");
        assertThat(Environment.JvmFacts.flags(arguments, "/")).contains("-Dfile=/home/jane/x");
    }

    @Test
    void shouldNameCollectorsAsUsersDo() {
        assertThat(
                        Environment.JvmFacts.collector(
                                List.of("G1 Young Generation", "G1 Old Generation")))
                .isEqualTo("G1");
        assertThat(Environment.JvmFacts.collector(List.of("PS MarkSweep", "PS Scavenge")))
                .isEqualTo("Parallel");
        assertThat(Environment.JvmFacts.collector(List.of("Copy", "MarkSweepCompact")))
                .isEqualTo("Serial");
        assertThat(Environment.JvmFacts.collector(List.of("ZGC Minor Cycles"))).isEqualTo("ZGC");
        assertThat(Environment.JvmFacts.collector(List.of("Shenandoah Cycles")))
                .isEqualTo("Shenandoah");
        assertThat(Environment.JvmFacts.collector(List.of("Epsilon Heap")))
                .isEqualTo("Epsilon Heap");
    }

    private static byte[] gzip(final String text) throws IOException {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream packed = new GZIPOutputStream(bytes)) {
            packed.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }
}

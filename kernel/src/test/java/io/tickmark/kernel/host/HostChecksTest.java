package io.tickmark.kernel.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.host.HostCheck.Severity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostChecksTest {
    private final Map<String, Map<String, Object>> environment = new LinkedHashMap<>();

    HostChecksTest() {
        set("virtualisation", "virtualMachine", false);
        set("cpu", "governor", "performance");
        set("cpu", "allowedCores", "0-15");
        set("cpu", "threadsPerCore", 1);
        set("cpu", "turbo", false);
        set("cpu", "constantTsc", true);
        set("cpu", "nonstopTsc", true);
        set("kernel", "isolatedCores", "2-15");
        set("kernel", "clockSource", "tsc");
        set("timeSync", "state", "chronyd, synchronised");
        set("memory", "transparentHugePages", "madvise");
        set("memory", "swapUsedBytes", 0L);
        set("load", "average1m", 0.1);
        set("sockets", "receiveBufferMaxBytes", 16L << 20);
        set("disks", "resultsFolder", Map.of("freeBytes", 1L << 40));
    }

    @Test
    void shouldFindNothingOnATunedMachine() {
        assertThat(HostChecks.of(environment)).isEmpty();
    }

    @Test
    void shouldJudgeNothingThatTheRecordLacks() {
        assertThat(HostChecks.of(Map.of())).isEmpty();
        assertThat(HostChecks.of(Map.of("cpu", Map.of(), "disks", Map.of("resultsFolder", "?"))))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "virtualisation, virtualMachine, true, WARNING, virtual machine",
        "cpu, governor, powersave, WARNING, governor is 'powersave'",
        "cpu, allowedCores, 0-1, WARNING, Only 2 cores:",
        "cpu, allowedCores, 3, WARNING, Only 1 core:",
        "cpu, threadsPerCore, 2, NOTE, hardware threads",
        "cpu, turbo, true, NOTE, Turbo",
        "cpu, constantTsc, false, WARNING, time stamp counter",
        "cpu, nonstopTsc, false, WARNING, time stamp counter",
        "kernel, isolatedCores, '', NOTE, isolcpus",
        "kernel, clockSource, hpet, WARNING, clock source is 'hpet'",
        "memory, transparentHugePages, always, WARNING, madvise",
        "memory, swapUsedBytes, 3145728, WARNING, Swap is in use (3 MiB)",
        "limits, cpuQuotaCores, 1.5, WARNING, allows 1.5 cores",
        "load, average1m, 9.5, WARNING, load average is 9.5 on 16 cores",
        "sockets, receiveBufferMaxBytes, 212992, WARNING, only 208 KiB",
        "sockets, kernelBypass, onload, NOTE, onload"
    })
    void shouldSayWhatHurts(
            final String group,
            final String name,
            final String value,
            final Severity severity,
            final String words) {
        set(group, name, typed(value));

        assertThat(HostChecks.of(environment))
                .singleElement()
                .satisfies(check -> assertThat(check.severity()).isEqualTo(severity))
                .satisfies(check -> assertThat(check.sentence()).contains(words).endsWith("."));
    }

    @Test
    void shouldReportWhatIsWellToo() {
        assertThat(HostChecks.all(environment))
                .extracting(HostCheck::severity)
                .hasSizeGreaterThan(8)
                .containsOnly(Severity.OK);
    }

    @ParameterizedTest
    @CsvSource({
        "disks, syncedWritesPerSecond, 171, NOTE, each sync has to cover 585",
        "disks, syncedWritesPerSecond, 1408, NOTE, 1408 synced writes",
        "disks, syncedWritesUnknown, no file can be written in /proc, NOTE, was not measured: no file",
        "kernel, timerHz, 250, NOTE, 250 timer ticks",
        "timeSync, state, none, NOTE, No daemon that keeps",
        "timeSync, state, 'ntpd, not synchronised', NOTE, 'The clock is not synchronised (running: ntpd)'",
        "cpu, idleStates, C6 133 us, NOTE, takes 133 us",
        "numa, nodes, 0-1, NOTE, 2 nodes",
        "interrupts, cores, 0-2, WARNING, isolated ones included"
    })
    void shouldSayWhatCouldBeBetterAndHow(
            final String group,
            final String name,
            final String value,
            final Severity severity,
            final String words) {
        set(group, name, typed(value));

        assertThat(HostChecks.of(environment))
                .singleElement()
                .satisfies(check -> {
                    assertThat(check.severity()).isEqualTo(severity);
                    assertThat(check.sentence()).contains(words);
                    assertThat(check.better()).isNotEmpty();
                    assertThat(check.helps()).isNotEmpty();
                    assertThat(check.toMap()).containsKeys("severity", "is", "better", "helps");
                });
    }

    @Test
    void shouldWarnOfANetworkMountAndACardThatWaits() {
        set("disks", "resultsFolder", Map.of("freeBytes", 1L << 40, "fileSystem", "nfs4"));
        set("network", "eth1", Map.of("receiveCoalesceUs", 50L));

        assertThat(HostChecks.of(environment))
                .extracting(HostCheck::sentence)
                .anyMatch(sentence -> sentence.contains("network mount (nfs4)"))
                .anyMatch(sentence -> sentence.contains("ethtool -C eth1 rx-usecs 0"));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '~',
            value = {
                "resultsFolder, nfs4, WARNING, Results and stores go to a network mount (nfs4)",
                "resultsFolder, overlay, NOTE, the layers of a container",
                "resultsFolder, btrfs, NOTE, syncs take longer",
                "temporaryFolder, tmpfs, NOTE, Stores without '--store-directory' go to memory (tmpfs)"
            })
    void shouldJudgeTheFileSystemUnderAStore(
            final String folder, final String type, final Severity severity, final String words) {
        set("disks", folder, Map.of("fileSystem", type));

        assertThat(HostChecks.of(environment))
                .singleElement()
                .satisfies(check -> {
                    assertThat(check.severity()).isEqualTo(severity);
                    assertThat(check.sentence()).contains(words);
                    assertThat(check.better()).isNotEmpty();
                    assertThat(check.helps()).isEqualTo("stores");
                });
    }

    @Test
    void shouldNameTheDisksAndWhatTheyAre() {
        set("disks", "nvme0n1", Map.of("model", "FAST 1 ", "rotational", false));
        set("disks", "loop0", Map.of("rotational", true));
        set(
                "disks",
                "sda",
                Map.of("model", "OLD 2", "rotational", true, "writeCache", "write back"));

        assertThat(HostChecks.all(environment))
                .extracting(HostCheck::sentence)
                .contains("nvme0n1 (FAST 1) is a solid-state disk.")
                .noneMatch(sentence -> sentence.contains("loop0"));
        assertThat(HostChecks.of(environment))
                .singleElement()
                .satisfies(check ->
                        assertThat(check.is())
                                .isEqualTo(
                                        "sda (OLD 2), write cache: write back, is a spinning disk"));
    }

    @Test
    void shouldNotTakeAVirtualDiskAtItsWord() {
        set("virtualisation", "virtualMachine", true);
        set("disks", "vda", Map.of("rotational", true));

        assertThat(HostChecks.all(environment))
                .filteredOn(check -> check.subject().equals("disk vda"))
                .singleElement()
                .satisfies(check -> assertThat(check.severity()).isEqualTo(Severity.OK));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '~',
            value = {
                "/etc/default/grub, 0-1, &isolcpus=1 nohz_full=1 rcu_nocbs=1 /' /etc/default/grub && update-grub",
                "/usr/sbin/grubby, 0-3, grubby --update-kernel=ALL --args='isolcpus=1-3 nohz_full=1-3 rcu_nocbs=1-3'"
            })
    void shouldGiveTheCommandOfTheSystemThatIsolatesCores(
            final String place, final String cores, final String command) {
        set("kernel", "bootOptionsIn", place);
        set("cpu", "allowedCores", cores);
        set("kernel", "isolatedCores", "");

        assertThat(HostChecks.of(environment))
                .filteredOn(check -> check.subject().equals("isolated cores"))
                .singleElement()
                .satisfies(check -> assertThat(check.command()).contains(command));
    }

    @Test
    void shouldNotAdviseWhatTheKernelWasBuiltWithoutNorAFileThatIsNotThere() {
        set("kernel", "isolatedCores", "");
        set("kernel", "timerHz", 250L);
        set("kernel", "nohzFullBuilt", false);
        set("kernel", "rcuNocbBuilt", true);

        assertThat(HostChecks.of(environment))
                .extracting(HostCheck::subject)
                .containsExactly("isolated cores", "timer ticks");
        assertThat(HostChecks.of(environment))
                .allSatisfy(check -> {
                    assertThat(check.command()).isEmpty();
                    assertThat(check.sentence()).doesNotContain("nohz_full", "sed -i");
                });
        assertThat(HostChecks.of(environment).getFirst().better())
                .contains("isolcpus=... rcu_nocbs=...", "neither grubby nor /etc/default/grub");
        assertThat(HostChecks.of(environment).getLast().better())
                .contains("built without NO_HZ_FULL");
    }

    @Test
    void shouldSayWhatItCouldNotCheck() {
        set("kernel", "isolatedCores", "");
        set("kernel", "bootOptionsIn", "/etc/default/grub");

        assertThat(HostChecks.of(environment))
                .singleElement()
                .extracting(HostCheck::better)
                .asString()
                .contains("nohz_full", "could not be checked");
    }

    @ParameterizedTest
    @CsvSource({
        "intel_pstate, echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo",
        "intel_cpufreq, echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo",
        "amd-pstate-epp, echo 0 > /sys/devices/system/cpu/cpufreq/boost",
        "acpi-cpufreq, echo 0 > /sys/devices/system/cpu/cpufreq/boost"
    })
    void shouldGiveTheCommandOfTheDriverThatSwitchesTurboOff(
            final String driver, final String command) {
        set("cpu", "turbo", true);
        set("cpu", "frequencyDriver", driver);

        assertThat(HostChecks.of(environment))
                .singleElement()
                .satisfies(check -> assertThat(check.command()).isEqualTo(command));
    }

    @Test
    void shouldNameTheHypervisor() {
        set("virtualisation", "virtualMachine", true);
        set("virtualisation", "hypervisor", "kvm");

        assertThat(HostChecks.of(environment).getFirst().sentence())
                .startsWith("This is a virtual machine (kvm):");
    }

    @Test
    void shouldCountAllCoresWhereTheAllowedOnesAreNotKnown() {
        environment.get("cpu").remove("allowedCores");
        set("cpu", "logicalCores", 2);

        assertThat(HostChecks.of(environment).getFirst().sentence()).startsWith("Only 2 cores");
    }

    @Test
    void shouldWarnOfADiskThatIsNearlyFull() {
        set("disks", "resultsFolder", Map.of("freeBytes", 7 << 20));

        assertThat(HostChecks.of(environment).getFirst().sentence()).startsWith("Only 7 MiB");
    }

    @Test
    void shouldJoinTheNamesOfBypassLibraries() {
        set("sockets", "kernelBypass", List.of("dpdk", "vma"));

        assertThat(HostChecks.of(environment).getFirst().sentence()).contains("dpdk, vma");
    }

    @Test
    void shouldPutTheWorstFirst() {
        set("cpu", "turbo", true);
        set("memory", "transparentHugePages", "always");

        assertThat(HostChecks.of(environment))
                .extracting(HostCheck::severity)
                .containsExactly(Severity.WARNING, Severity.NOTE);
    }

    private void set(final String group, final String name, final Object value) {
        environment.computeIfAbsent(group, any -> new LinkedHashMap<>()).put(name, value);
    }

    private static Object typed(final String text) {
        if (text.equals("true") || text.equals("false")) {
            return Boolean.valueOf(text);
        }
        return text.matches("\\d+\\.\\d+|\\d{3,}|2") ? (Object) Double.valueOf(text) : text;
    }
}

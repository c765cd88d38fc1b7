package io.tickmark.kernel.host;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Whether the machine is physical or virtual. */
final class VirtualFacts {
    private static final String DMI = "/sys/class/dmi/id";

    /** Words in a product's or vendor's name that only virtual machines have. */
    private static final List<String> VIRTUAL_PRODUCTS =
            List.of(
                    "kvm",
                    "qemu",
                    "vmware",
                    "virtualbox",
                    "virtual machine",
                    "domu",
                    "bochs",
                    "bhyve",
                    "parallels",
                    "compute engine",
                    "openstack");

    /** Clock sources that only guests are offered, with the name of the hypervisor. */
    private static final Map<String, String> GUEST_CLOCKS =
            Map.of("kvm-clock", "kvm", "hyperv", "hyper-v", "xen", "xen");

    private VirtualFacts() {}

    static Facts virtualisation(final HostFiles files) {
        final Optional<String> vendor = files.text(DMI + "/sys_vendor");
        final Optional<String> product = files.text(DMI + "/product_name");
        final Optional<String> hypervisor = hypervisor(files);
        final String names =
                (vendor.orElse("") + " " + product.orElse("")).toLowerCase(Locale.ROOT);
        final boolean flagged =
                files.keyed("/proc/cpuinfo", ":")
                        .map(info -> info.getOrDefault("flags", ""))
                        .filter(flags -> (" " + flags + " ").contains(" hypervisor "))
                        .isPresent();
        final boolean virtual =
                flagged
                        || hypervisor.isPresent()
                        || VIRTUAL_PRODUCTS.stream().anyMatch(names::contains);
        return new Facts()
                .put("virtualMachine", virtual)
                .put("hypervisor", hypervisor)
                .put("systemVendor", vendor)
                .put("systemProduct", product)
                .put("container", container(files));
    }

    private static Optional<String> hypervisor(final HostFiles files) {
        final String clocks =
                files.text("/sys/devices/system/clocksource/clocksource0/available_clocksource")
                        .orElse("");
        return files.text("/sys/hypervisor/type")
                .or(() ->
                        GUEST_CLOCKS.entrySet().stream()
                                .filter(clock -> clocks.contains(clock.getKey()))
                                .map(Map.Entry::getValue)
                                .findFirst());
    }

    private static String container(final HostFiles files) {
        if (files.exists("/.dockerenv")) {
            return "docker";
        }
        if (files.exists("/run/.containerenv")) {
            return "podman";
        }
        return files.exists("/var/run/secrets/kubernetes.io") ? "kubernetes" : "";
    }
}

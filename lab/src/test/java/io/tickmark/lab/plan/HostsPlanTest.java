package io.tickmark.lab.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostsPlanTest {
    private static final String THREE =
            """
            schema: tickmark.hosts/1
            hosts:
              - {name: left, address: 10.1.0.1}
              - {name: middle, address: 10.1.0.2, ssh: bench@middle, port: 2222}
              - {name: right, address: "fd00::3", java: /opt/jdk/bin/java, folder: scratch}
            """;

    private static RoleInstance role(
            final String name, final int index, final List<String> hosts, final String process) {
        final RolePlan plan =
                new RolePlan(name, 1, Map.of(), null, process, null, null, null, hosts);
        return new RoleInstance(
                RoleCatalog.load().find(name),
                null,
                Map.of(),
                index,
                1,
                process.isEmpty() ? name + "-" + index : process,
                plan,
                List.of(),
                0);
    }

    private static List<RoleInstance> instances(final int receivers, final List<String> hosts) {
        final List<RoleInstance> instances = new ArrayList<>();
        instances.add(role("mock-sender", 1, List.of(), ""));
        for (int i = 1; i <= receivers; i++) {
            instances.add(role("mock-receiver", i, hosts, ""));
        }
        return instances;
    }

    @Test
    void shouldReadWhatIsGivenAndFillInTheRest() {
        final HostsPlan plan = HostsPlan.parse(THREE, "hosts.yaml");

        assertThat(plan.hosts())
                .element(0)
                .isEqualTo(
                        new HostPlan(
                                "left",
                                "10.1.0.1",
                                "10.1.0.1",
                                0,
                                "",
                                "",
                                "java",
                                ".cache/tickmark"));
        assertThat(plan.hosts().get(1).ssh()).isEqualTo("bench@middle");
        assertThat(plan.hosts().get(2).folder()).isEqualTo("scratch");
    }

    @Test
    void shouldPutTheFirstRoleOnTheFirstHostAndTheOthersInTurnsBehindIt() {
        final HostsPlan plan = HostsPlan.parse(THREE, "hosts.yaml");

        assertThat(plan.placing().place(instances(3, List.of())))
                .containsOnly(
                        Map.entry("mock-sender-1", "left"),
                        Map.entry("mock-receiver-1", "middle"),
                        Map.entry("mock-receiver-2", "right"),
                        Map.entry("mock-receiver-3", "middle"));
    }

    @Test
    void shouldKeepTogetherWhoSharesAProcess() {
        final HostsPlan plan = HostsPlan.parse(THREE, "hosts.yaml");

        assertThat(
                        plan.placing()
                                .place(
                                        List.of(
                                                role("mock-sender", 1, List.of("right"), "one"),
                                                role("mock-receiver", 1, List.of(), "one"))))
                .containsEntry("mock-receiver-1", "right");
    }

    @Test
    void shouldHeedThePlanThenTheFile() {
        final HostsPlan plan =
                HostsPlan.parse(
                        THREE + "roles: {mock-sender: [right], mock-receiver: [middle]}\n", "h");

        assertThat(plan.placing().place(instances(2, List.of())))
                .containsEntry("mock-sender-1", "right")
                .containsEntry("mock-receiver-2", "middle");
        assertThat(plan.placing().place(instances(2, List.of("left", "right"))))
                .containsEntry("mock-receiver-1", "left")
                .containsEntry("mock-receiver-2", "right");
    }

    @Test
    void shouldRefuseAHostThatIsNotListedAndAProcessOnTwoHosts() {
        final HostsPlan plan = HostsPlan.parse(THREE, "hosts.yaml");

        assertThatThrownBy(() -> plan.placing().place(instances(1, List.of("moon"))))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("host moon, which the hosts file does not list");
        assertThatThrownBy(() ->
                        plan.placing()
                                .place(
                                        List.of(
                                                role("mock-sender", 1, List.of("left"), "one"),
                                                role("mock-receiver", 1, List.of("right"), "one"))))
                .hasMessageContaining("shares the process one, which runs on left");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "name: left, address: 10.1.0.9 | line 6: hosts[3].name is used in line 3 already",
                "name: far | line 6: hosts[3] needs the key 'address'",
                "name: far, address: 10.1.0.9, java: 'java; reboot' | hosts[3].java is java; reboot; it must be a path",
                "name: far, address: 10.1.0.9, ssh: -oProxyCommand=x | it must be a destination of ssh",
                "name: far, address: 10.1.0.9, folder: $(reboot) | it must be a path",
                "name: far, address: 10.1.0.9, port: 70000 | it must be at most 65535",
            })
    void shouldNameFileLineAndKeyOfWhatIsWrong(final String host, final String sentence) {
        assertThatThrownBy(() -> HostsPlan.parse(THREE + "  - {" + host + "}\n", "hosts.yaml"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("hosts.yaml")
                .hasMessageContaining(sentence);
    }

    @Test
    void shouldNotPassOverARoleThatThereIsNot() {
        assertThatThrownBy(() ->
                        HostsPlan.parse(THREE + "roles: {mock-sendr: [left]}\n", "hosts.yaml"))
                .hasMessageContaining(
                        "line 6: roles.mock-sendr names mock-sendr, which is not a role; did you mean mock-sender?");
    }

    @Test
    void shouldSayThatAPlanIsNoFileOfHosts() {
        assertThatThrownBy(() -> HostsPlan.parse("just words", "hosts.yaml"))
                .hasMessage(
                        "hosts.yaml: not a hosts file; it must start with 'schema: tickmark.hosts/1'.");
    }
}

package io.tickmark.lab.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tickmark.kernel.settings.UserError;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanReaderTest {
    private static final String GOOD =
            """
            schema: tickmark.plan/1
            name: good
            tests:
              - name: one
                workload: mock
                channels: ["mock:a"]
                settings: {sizes: [64], samples: 1k}
                roles:
                  - role: mock-sender
                    count: 1
                  - role: mock-receiver
                    settings:
                      lasting: 5ms
            """;

    private final PlanReader reader = new PlanReader(RoleCatalog.load());

    private String refused(final String from, final String to) {
        assertThat(GOOD).contains(from);
        return refused(GOOD.replace(from, to));
    }

    private String refused(final String text) {
        final UserError error =
                catchThrowableOfType(UserError.class, () -> reader.read(text, "plan.yaml"));
        assertThat(error).as("nothing was refused").isNotNull();
        assertThat(error.kind()).isEqualTo(UserError.Kind.USAGE);
        return error.getMessage();
    }

    @Test
    void shouldFillInDefaults() {
        final PlanFile plan = reader.read(GOOD, "plan.yaml");

        assertThat(plan.noise()).isEqualTo(Duration.ofSeconds(1));
        final TestPlan test = plan.tests().getFirst();
        assertThat(test.repeats()).isEqualTo(1);
        assertThat(test.criteria()).isEqualTo(Criteria.DEFAULT);
        assertThat(test.roles().getFirst().jvm().flags(""))
                .isEqualTo(List.of("-Xms512m", "-Xmx512m", "-XX:+UseParallelGC"));
    }

    @Test
    void shouldPutFlagsOfAllRolesBeforeThoseOfAPlan() {
        assertThat(new JvmPlan("64m", null, List.of("-Da=2")).flags("-Da=1  -XX:+UseNUMA"))
                .containsExactly(
                        "-Xms64m",
                        "-Xmx64m",
                        "-XX:+UseParallelGC",
                        "-Da=1",
                        "-XX:+UseNUMA",
                        "-Da=2");
    }

    @Test
    void shouldNameLineAndKeyOfAWrongType() {
        assertThat(refused("count: 1", "count: many"))
                .isEqualTo(
                        "plan.yaml line 10: tests[0].roles[0].count is many; it must be a whole number.");
    }

    @Test
    void shouldNameTheNearestKeyForAnUnknownOne() {
        assertThat(refused("channels:", "chanels:"))
                .isEqualTo(
                        "plan.yaml line 6: tests[0].chanels is not a key here; did you mean channels?");
    }

    @Test
    void shouldNameTheNearestRole() {
        assertThat(refused("role: mock-sender", "role: mock-sendr"))
                .startsWith("plan.yaml line 9: tests[0].roles[0].role is mock-sendr; ")
                .contains("mock-sender");
    }

    @Test
    void shouldCheckSettingsByRole() {
        assertThat(refused("lasting: 5ms", "lastin: 5ms"))
                .contains("line 13: tests[0].roles[1].settings.lastin is not a key here")
                .contains("did you mean lasting?");
        assertThat(refused("lasting: 5ms", "lasting: soon"))
                .contains("line 13: tests[0].roles[1].settings.lasting is soon");
        assertThat(refused("sizes: [64]", "sizes: [64, 5]"))
                .contains("line 7: tests[0].settings.sizes[1] is 5");
        assertThat(refused("samples: 1k", "sampels: 1k"))
                .contains("line 7: tests[0].settings.sampels");
    }

    @Test
    void shouldSayWhatWouldBeRight() {
        assertThat(refused("lasting: 5ms", "lasting: 5"))
                .endsWith(
                        "lasting is 5; it must be a number with ns, us, ms, s, m or h, for example 10s.");
        assertThat(refused("lasting: 5ms", "lasting: [5ms]"))
                .endsWith(
                        "lasting is a list; it must be a number with ns, us, ms, s, m or h, for example 10s.");
        assertThat(refused("sizes: [64]", "sizes: [8]")).endsWith("is 8; it must be at least 16.");
        assertThat(refused("name: good", "name: so good"))
                .endsWith(
                        "it must be letters, digits, dots, dashes and underscores, at most 64 of them.");
        assertThat(refused("channels: [\"mock:a\"]", "channels: []"))
                .endsWith("channels is a list; it must have at least 1 in it.");
    }

    @Test
    void shouldCheckTheBoundsOfNumbersWithSuffixes() {
        assertThat(refused("samples: 1k", "samples: 5G"))
                .startsWith("plan.yaml line 7: tests[0].settings.samples is 5000000000;");
    }

    @Test
    void shouldReportAllProblemsAtOnce() {
        assertThat(
                        refused(
                                GOOD.replace("count: 1", "count: 0")
                                        .replace("workload: mock", "wrokload: mock")
                                        .replace("lasting: 5ms", "lasting: 5")))
                .startsWith("plan.yaml has 4 problems:\n")
                .contains("line 4: tests[0] needs the key 'workload'")
                .contains("line 5: tests[0].wrokload")
                .contains("line 10: tests[0].roles[0].count")
                .contains("line 13: tests[0].roles[1].settings.lasting");
    }

    @Test
    void shouldNameTheLineOfASettingThatIsWrongOnlyForItsRole() {
        assertThat(refused("lasting: 5ms", "lasting: 5h"))
                .startsWith("plan.yaml line 13: tests[0].roles[1].settings.lasting is 5h;");
    }

    @Test
    void shouldRefuseAnotherVersion() {
        assertThat(refused("tickmark.plan/1", "tickmark.plan/2"))
                .isEqualTo(
                        "plan.yaml line 1: schema is tickmark.plan/2; it must be tickmark.plan/1.");
    }

    @Test
    void shouldRefuseAFaultForARoleThatIsNotThere() {
        assertThat(
                        refused(
                                GOOD
                                        + "    faults:\n      - {role: mock-receiver, index: 3, at: 1s, do: kill}\n"))
                .startsWith("plan.yaml line 15: tests[0].faults[0] is for mock-receiver number 3");
    }

    @Test
    void shouldRefuseAFaultForAMemberThatARoleDoesNotHave() {
        assertThat(
                        refused(
                                GOOD
                                        + "    faults:\n      - {role: mock-receiver, member: 1, at: 1s, do: kill}\n"))
                .isEqualTo(
                        "plan.yaml line 15: tests[0].faults[0].member is 1, and mock-receiver runs no processes"
                                + " of its own; leave it out, or name another role.");
        assertThat(
                        refused(
                                GOOD
                                        + """
                                              - role: mock-observer
                                            faults:
                                              - {role: mock-observer, member: 3, at: 1s, do: kill}
                                        """))
                .isEqualTo(
                        "plan.yaml line 16: tests[0].faults[0].member is 3, and mock-observer-1 has the"
                                + " members 1 to 2; name one of those.");
    }

    @Test
    void shouldNameTheNearestWorkload() {
        assertThat(refused("workload: mock", "workload: mok"))
                .isEqualTo("plan.yaml line 5: tests[0].workload is mok; did you mean mock?");
    }

    @Test
    void shouldNameTheNearestRoleOfAFault() {
        assertThat(refused(GOOD + "    faults:\n      - {role: mock-recever, at: 1s, do: kill}\n"))
                .isEqualTo(
                        "plan.yaml line 15: tests[0].faults[0].role is mock-recever, which the test does"
                                + " not have; did you mean mock-receiver?");
    }

    @Test
    void shouldRefuseATestOfWatchersAlone() {
        assertThat(
                        refused(
                                GOOD.substring(0, GOOD.indexOf("    roles:"))
                                                .replace(
                                                        "    settings: {sizes: [64], samples: 1k}\n",
                                                        "")
                                        + "    roles: [{role: mock-observer}]\n"))
                .contains("roles: mock-observer watches others, and there are none");
    }

    @Test
    void shouldTakePercentAndRefuseMoreThanTheWholeWithout() {
        final String criteria = "    criteria: {maxLostPart: %s}\n";

        assertThat(
                        reader.read(GOOD + criteria.formatted("5%"), "plan.yaml")
                                .tests()
                                .getFirst()
                                .criteria()
                                .maxLostPart())
                .isEqualTo(0.05);
        assertThat(refused(GOOD + criteria.formatted("5")))
                .isEqualTo(
                        "plan.yaml line 14: tests[0].criteria.maxLostPart is 5; without a percent sign it is a fraction, where"
                                + " 0.05 is 5%: write 5%.");
        assertThat(refused(GOOD + criteria.formatted("\"5\""))).endsWith("write 5%.");
    }

    @Test
    void shouldRefuseDifferentJvmsInOneProcess() {
        assertThat(
                        refused(
                                GOOD.replace("count: 1", "process: p\n        jvm: {heap: 1g}")
                                        .replace(
                                                "settings:\n          lasting",
                                                "process: p\n        settings:\n          lasting")))
                .contains("tests[0].roles[1] shares process p with mock-sender");
    }

    @Test
    void shouldRefuseCoresForThreadsThatAreNotTheRoles() {
        assertThat(
                        refused(
                                GOOD
                                        + """
                                              - role: mock-observer
                                                cores: [1]
                                        """))
                .startsWith("plan.yaml line 15: tests[0].roles[2].cores is for threads of the role")
                .contains("hot threads of mock-observer are those of its engine; leave it out");
    }

    @Test
    void shouldRefuseTheSameNameTwice() {
        final String second = GOOD.substring(GOOD.indexOf("  - name: one"));

        assertThat(refused(GOOD + second))
                .startsWith("plan.yaml line 14: tests[1].name is used by another test already");
    }

    @Test
    void shouldRefuseAliases() {
        assertThat(refused(GOOD.replace("[64]", "&a [64]").replace("lasting: 5ms", "sizes: *a")))
                .contains("plan.yaml line 13: aliases");
    }

    @Test
    void shouldRefuseTheSameKeyTwice() {
        assertThat(refused("name: good", "name: good\nname: better")).contains("line 3");
    }

    @Test
    void shouldRefuseWhatIsNotYaml() {
        assertThat(refused("tests: [")).startsWith("plan.yaml line ").contains("not YAML");
    }

    @Test
    void shouldRefuseAnEmptyFileAndAList() {
        assertThat(refused("")).contains("not a plan");
        assertThat(refused("- 1\n")).contains("not a plan");
        assertThat(refused("just text")).contains("not a plan");
    }

    @Test
    void shouldRefuseASecondDocument() {
        assertThat(refused(GOOD + "---\nname: two\n")).contains("second document");
    }

    @Test
    void shouldRefuseDeepNesting() {
        assertThat(refused("tests: " + "[".repeat(200) + "]".repeat(200))).contains("plan.yaml");
    }

    @Test
    void shouldRefuseControlCharactersInNames() {
        assertThat(refused("name: one", "name: ../../etc"))
                .startsWith("plan.yaml line 4: tests[0].name is ../../etc;");
    }
}

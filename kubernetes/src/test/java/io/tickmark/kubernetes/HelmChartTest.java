package io.tickmark.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.tickmark.lab.plan.KubernetesPlan;
import io.tickmark.lab.plan.PodsPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The chart as Helm renders it, held against the model of Kubernetes and against our own jobs. */
class HelmChartTest {
    private static final Path CHART =
            Path.of(System.getProperty("tickmark.root"), "deploy/helm/tickmark");
    private static final Map<String, Class<?>> KINDS =
            Map.of(
                    "Job", Job.class,
                    "ConfigMap", ConfigMap.class,
                    "ServiceAccount", ServiceAccount.class,
                    "Role", Role.class,
                    "RoleBinding", RoleBinding.class);

    @TempDir private Path folder;

    private TemplateCommand template(final String values) throws IOException {
        return new Helm(CHART)
                .template()
                .withName("bench")
                .withNamespace("lab")
                .withKubeVersion("1.30.0")
                .withValuesFile(Files.writeString(folder.resolve("values.yaml"), values));
    }

    /** Everything the chart makes, strictly read, by kind and name. */
    private Map<String, Object> rendered(final String values) throws Exception {
        final Map<String, Object> all = new HashMap<>();
        final ObjectMapper yaml = new ObjectMapper(new YAMLFactory());
        try (MappingIterator<JsonNode> documents =
                yaml.readerFor(JsonNode.class).readValues(template(values).call())) {
            while (documents.hasNextValue()) {
                final JsonNode document = documents.nextValue();
                if (!document.isObject()) {
                    continue;
                }
                final String kind = document.path("kind").asText();
                assertThat(KINDS).containsKey(kind);
                all.put(
                        kind + " " + document.at("/metadata/name").asText(),
                        StrictModel.read(document, KINDS.get(kind)));
            }
        }
        return all;
    }

    @Test
    void shouldPassHelmsOwnLint() {
        assertThat(new Helm(CHART).lint().strict().call().isFailed()).isFalse();
    }

    @Test
    void shouldMakeWhatAControllerInTheClusterNeeds() throws Exception {
        final Map<String, Object> all = rendered("{}");

        assertThat(all)
                .containsOnlyKeys(
                        "Job bench-publisher",
                        "Job bench-subscriber",
                        "Job bench-run",
                        "ConfigMap bench-tickmark",
                        "ServiceAccount bench-tickmark",
                        "Role bench-tickmark",
                        "RoleBinding bench-tickmark");
        final Role role = (Role) all.get("Role bench-tickmark");
        assertThat(role.getRules())
                .anySatisfy(rule -> {
                    assertThat(rule.getResources()).containsExactly("pods/exec");
                    assertThat(rule.getVerbs()).contains("create", "get");
                });
        final Job run = (Job) all.get("Job bench-run");
        assertThat(run.getSpec().getTemplate().getSpec().getServiceAccountName())
                .isEqualTo("bench-tickmark");
    }

    @Test
    void shouldMakeTheSameJobsAsTheControllerDoes() throws Exception {
        final String jobs =
                """
                hostNetwork: true
                jobs:
                  - {name: pub, roles: [latency-pub]}
                  - name: sub
                    count: 3
                    roles: [latency-sub]
                    cpus: 4
                    memory: 8Gi
                    sharedMemory: 1Gi
                    nodeSelector: {pool: bench}
                    podSpec:
                      priorityClassName: high
                      securityContext: {runAsUser: 1000}
                      tolerations: [{key: bench, operator: Exists}]
                      containers:
                        - name: tickmark
                          resources: {limits: {example.com/nic: 1}, requests: {example.com/nic: 1}}
                          env: [{name: AERON_DIR, value: /dev/shm}]
                          securityContext: {$patch: replace, runAsGroup: 7}
                          volumeMounts: [{name: huge, mountPath: /hugepages}, {name: files, mountPath: /dev/shm}]
                        - {name: beside, image: "beside:1", ports: [{containerPort: 9100}]}
                      volumes:
                        [{name: huge, emptyDir: {medium: HugePages}}, {name: shm, $patch: delete},
                         {name: files, hostPath: {path: /data}}]
                """;
        final Map<String, Object> all =
                rendered("image: {repository: registry.example/tickmark, tag: '1'}\n" + jobs);
        final KubernetesPlan plan =
                KubernetesPlan.parse(
                        "schema: tickmark.kubernetes/1\nimage: registry.example/tickmark:1\n"
                                + jobs.replaceAll("roles: .[a-z-]+.", "roles: []"),
                        "pods.yaml");

        for (final PodsPlan pods : plan.jobs()) {
            final Job ours = new PodJobs(plan, "bench").job(pods);
            final Job charts = (Job) all.get("Job bench-" + pods.name());
            assertThat(StrictModel.tree(charts.getSpec()))
                    .isEqualTo(StrictModel.tree(ours.getSpec()));
            assertThat(charts.getSpec().getCompletionMode()).isEqualTo("Indexed");
        }
        final PodSpec merged =
                new PodJobs(plan, "bench")
                        .job(plan.jobs().get(1))
                        .getSpec()
                        .getTemplate()
                        .getSpec();
        assertThat(merged.getContainers())
                .extracting(container -> container.getName())
                .containsExactly("tickmark", "beside");
        final Container own = merged.getContainers().getFirst();
        assertThat(own.getImage()).isEqualTo("registry.example/tickmark:1");
        assertThat(own.getCommand()).endsWith("keep");
        assertThat(own.getResources().getLimits())
                .as("one more resource takes one line")
                .containsOnlyKeys("cpu", "memory", "example.com/nic");
        assertThat(own.getSecurityContext().getRunAsGroup()).isEqualTo(7);
        assertThat(own.getSecurityContext().getAllowPrivilegeEscalation()).isNull();
        assertThat(own.getVolumeMounts())
                .extracting(mount -> mount.getMountPath() + " " + mount.getName())
                .containsExactly("/var/lib/tickmark files", "/dev/shm files", "/hugepages huge");
        assertThat(merged.getVolumes())
                .extracting(volume -> volume.getName())
                .containsExactly("files", "huge");
        assertThat(merged.getVolumes().getFirst().getEmptyDir()).isNull();
        assertThat(merged.getVolumes().getFirst().getHostPath().getPath()).isEqualTo("/data");
    }

    /** A list that is replaced as a whole, and what is no merge at all. */
    @Test
    void shouldReplaceListsAsTheControllerDoes() throws Exception {
        final String jobs =
                """
                jobs:
                  - name: pub
                    roles: [latency-pub]
                    podSpec: {volumes: [{$patch: replace}, {name: files, emptyDir: {}}, {name: shm, emptyDir: {}}]}
                """;
        final KubernetesPlan plan =
                KubernetesPlan.parse(
                        "schema: tickmark.kubernetes/1\nimage: tickmark:1\n"
                                + jobs.replaceAll("roles: .[a-z-]+.", "roles: []"),
                        "pods.yaml");
        final Job ours = new PodJobs(plan, "bench").job(plan.jobs().getFirst());
        final Job charts = (Job) rendered(jobs).get("Job bench-pub");

        assertThat(ours.getSpec().getTemplate().getSpec().getVolumes())
                .hasSize(2)
                .allMatch(volume -> volume.getEmptyDir().getMedium() == null);
        assertThat(
                        StrictModel.tree(
                                charts.getSpec().getTemplate().getSpec().getVolumes().getLast()))
                .isEqualTo(
                        StrictModel.tree(
                                ours.getSpec().getTemplate().getSpec().getVolumes().getLast()));
        final TemplateCommand wrong = template(jobs.replace("replace}", "remove}"));
        assertThatThrownBy(wrong::call).hasMessageContaining("is not replace or delete");
    }

    @Test
    void shouldGiveTheControllerAFileThatItReads() throws Exception {
        final ConfigMap map =
                (ConfigMap)
                        rendered("jobs: [{name: pub, count: 2, roles: [latency-pub]}]")
                                .get("ConfigMap bench-tickmark");
        final KubernetesPlan plan =
                KubernetesPlan.parse(
                        map.getData().get("pods.yaml").replace("[\"latency-pub\"]", "[]"),
                        "pods.yaml");

        assertThat(plan.release()).isEqualTo("bench");
        assertThat(plan.namespace()).isEqualTo("lab");
        assertThat(plan.placing().hosts()).containsExactly("pub-0", "pub-1");
        assertThat(map.getData().get("pods.yaml")).contains("roles: [\"latency-pub\"]");
    }

    @Test
    void shouldKnowTheKeysOfTheFileOfPods() throws IOException {
        final JsonNode schema =
                new ObjectMapper().readTree(CHART.resolve("values.schema.json").toFile());
        final List<String> keys = new ArrayList<>();
        schema.at("/properties/jobs/items/properties").fieldNames().forEachRemaining(keys::add);

        assertThat(keys)
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(PodsPlan.class.getRecordComponents())
                                .map(component -> component.getName())
                                .toList());
    }

    @Test
    void shouldRefuseValuesThatItDoesNotKnow() throws IOException {
        for (final String wrong :
                List.of(
                        "hostNetwrok: true",
                        "jobs: [{name: Pub}]",
                        "jobs: [{name: pub, count: 0}]",
                        "jobs: []",
                        "jobs: [{name: pub, podSpec: []}]")) {
            final TemplateCommand command = template(wrong);
            assertThatThrownBy(command::call).as(wrong).hasMessageContaining("schema");
        }
    }

    @Test
    void shouldLeaveTheRunToOthersWhereSwitchedOff() throws Exception {
        assertThat(rendered("run: {enabled: false}")).doesNotContainKey("Job bench-run");
    }
}

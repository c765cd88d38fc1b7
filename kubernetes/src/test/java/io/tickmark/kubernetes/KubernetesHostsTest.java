package io.tickmark.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.KubernetesPlan;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a cluster can have against a run; front-door runs with real agents are a system test. */
class KubernetesHostsTest {
    private static final String KUBECONFIG = "kubeconfig";

    @TempDir private Path folder;

    private MockCluster cluster;

    @BeforeEach
    void start() {
        cluster = new MockCluster(folder);
        System.setProperty(KUBECONFIG, cluster.kubeconfig().toString());
    }

    @AfterEach
    void end() {
        System.clearProperty(KUBECONFIG);
        cluster.close();
    }

    private static void open(final String image, final String more) {
        open("60s", image, more);
    }

    private static void open(final String patience, final String image, final String more) {
        KubernetesHosts.open(
                        KubernetesPlan.parse(
                                """
                                schema: tickmark.kubernetes/1
                                image: %s
                                patience: %s
                                %s
                                """
                                        .formatted(image, patience, more),
                                "pods.yaml"),
                        sentence -> {})
                .close();
    }

    private void fails(final String image, final String more, final String... words) {
        failsAfter("60s", image, more, words);
    }

    private void failsAfter(
            final String patience, final String image, final String more, final String... words) {
        assertThatThrownBy(() -> open(patience, image, more))
                .isInstanceOf(UserError.class)
                .hasMessageContainingAll(words)
                .satisfies(thrown ->
                        assertThat(((UserError) thrown).kind())
                                .isEqualTo(UserError.Kind.ENVIRONMENT));
    }

    @Test
    void shouldSayThatTheImageIsMissingAndDeleteTheJobs() {
        fails(
                "missing/tickmark:1",
                "jobs: [{name: pub}, {name: sub, count: 2}]",
                "The pod for host pub-0 does not come up: ErrImagePull",
                "missing/tickmark:1");
        assertThat(cluster.jobs()).isEmpty();
    }

    /** A real API server asks for another right where all that have a label go in one request. */
    @Test
    void shouldDeleteJobsOneByOne() {
        cluster.refuse("DELETE /apis/batch/v1/namespaces/bench/jobs?", 403);
        fails("missing/tickmark:1", "jobs: [{name: pub}]", "does not come up: ErrImagePull");
        assertThat(cluster.jobs()).isEmpty();
    }

    @Test
    void shouldSayThatJobsAreStillThereWhereNoPodComesUp() {
        cluster.refuse("DELETE /apis/batch", 403);
        fails(
                "missing/tickmark:1",
                "jobs: [{name: pub}]",
                "does not come up: ErrImagePull",
                "They are still there: 'kubectl delete jobs -n bench -l");
    }

    @Test
    void shouldSayWhyAPodIsNeverScheduled() {
        // the cluster may need some before it says why, and more beside busy loops
        final int patienceS = 5 * Integer.getInteger("tickmark.test.patience", 1);
        failsAfter(
                patienceS + "s",
                "tickmark:1",
                "jobs: [{name: big, cpus: 128}]",
                "host big-0 does not come up: not within "
                        + patienceS
                        + " s, Unschedulable: 0/1 nodes are available: 1 Insufficient cpu");
        assertThat(cluster.jobs()).isEmpty();
    }

    @Test
    void shouldSayWhatIsForbidden() {
        cluster.refuse("POST /apis/batch", 403);
        fails(
                "tickmark:1",
                "jobs: [{name: pub}]",
                "does not permit this caller to make the job tickmark-",
                "User \"me\" cannot create resource \"jobs\"",
                "docs/kubernetes.md");
    }

    @Test
    void shouldSayWhatTheServerRefuses() {
        cluster.refuse("GET /api/v1/namespaces/bench/pods", 500);
        fails("tickmark:1", "jobs: [{name: pub, cpus: 128}]", "refuses to list pods", "had enough");
        assertThat(cluster.jobs()).isEmpty();
    }

    @Test
    void shouldSayThatNoServerIsThere() {
        cluster.close();
        fails("tickmark:1", "jobs: [{name: pub}]", "cannot be reached", "kubectl get pods");
    }

    @Test
    void shouldSayThatAReleaseHasNoPods() {
        failsAfter(
                "1s",
                "''",
                "release: bench\njobs: [{name: pub}]",
                "host pub-0 does not come up",
                "there is none with the labels of bench");
    }

    @Test
    void shouldSayThatNoClusterIsConfigured() {
        System.setProperty(KUBECONFIG, folder.resolve("nowhere").toString());
        fails("tickmark:1", "jobs: [{name: pub}]", "No cluster is configured", "KUBECONFIG");
    }

    @Test
    void shouldRefuseAContextThatThereIsNot() {
        assertThatThrownBy(() -> open("tickmark:1", "context: moon\njobs: [{name: pub}]"))
                .hasMessageContaining("the kubeconfig has no moon");
    }

    @Test
    void shouldRefuseWhatIsNoKeyOfAPod() {
        assertThatThrownBy(
                        () -> open("tickmark:1", "jobs: [{name: pub, podSpec: {tolerationz: []}}]"))
                .hasMessageContaining("podSpec of pub is not valid for Kubernetes")
                .hasMessageContaining("tolerationz");
        assertThat(cluster.jobs()).isEmpty();
    }
}

package io.tickmark.kubernetes;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.http.Dispatcher;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The client's mock of the API server, with what it lacks: a node that makes pods of jobs. Their
 * containers are processes of this machine, and so is what exec starts in them; each pod has its
 * own loopback address. As a program it reads its orders from standard input.
 */
public final class MockCluster implements AutoCloseable {
    /** Cores of the node. */
    private static final int CORES = 64;

    private final Path folder;
    private final KubernetesCrudDispatcher crud = new KubernetesCrudDispatcher();
    private final KubernetesMockServer server;
    private final KubernetesClient client;
    private final Map<String, Integer> refusals = new ConcurrentHashMap<>();
    private final Map<String, MockPod> pods = new ConcurrentHashMap<>();

    public MockCluster(final Path folder) {
        this.folder = folder;
        server =
                new KubernetesMockServer(
                        new Context(new ObjectMapper()),
                        new MockWebServer(),
                        new HashMap<>(),
                        new Requests(),
                        false);
        server.init(InetAddress.getLoopbackAddress(), 0);
        client =
                new KubernetesClientBuilder()
                        .withConfig(
                                new ConfigBuilder(Config.empty())
                                        .withMasterUrl(address())
                                        .withNamespace("bench")
                                        .withHttp2Disable(true)
                                        .build())
                        .withHttpClientFactory(new JdkHttpClientFactory())
                        .build();
    }

    private String address() {
        return "http://127.0.0.1:" + server.getPort();
    }

    /** A kubeconfig that leads here. */
    public Path kubeconfig() {
        try {
            return Files.writeString(
                    folder.resolve("kubeconfig"),
                    """
                    apiVersion: v1
                    kind: Config
                    clusters: [{name: mock, cluster: {server: "%s"}}]
                    users: [{name: me, user: {token: secret}}]
                    contexts: [{name: mock, context: {cluster: mock, user: me, namespace: bench}}]
                    current-context: mock
                    """
                            .formatted(address()));
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Answers requests whose method and path contain {@code part} with an error from now on. */
    public void refuse(final String part, final int code) {
        refusals.put(part, code);
    }

    public List<Job> jobs() {
        return client.batch().v1().jobs().inAnyNamespace().list().getItems();
    }

    public void add(final Pod pod) {
        client.pods().inNamespace("bench").resource(pod).create();
    }

    /** The node is short of memory: pods whose name contains {@code part} have to go. */
    public void evict(final String part) {
        for (final MockPod pod : pods.values()) {
            if (pod.name().contains(part)) {
                status(
                        pod.name(),
                        new PodStatusBuilder()
                                .withPhase("Failed")
                                .withReason("Evicted")
                                .withMessage("The node was low on resource: memory.")
                                .build());
                pod.close();
            }
        }
    }

    /** Somebody deletes pods whose name contains {@code part}. */
    public void delete(final String part) {
        for (final MockPod pod : pods.values()) {
            if (pod.name().contains(part)) {
                client.pods().inNamespace("bench").withName(pod.name()).delete();
                pod.close();
            }
        }
    }

    private final class Requests extends Dispatcher {
        @Override
        public MockResponse dispatch(final RecordedRequest request) {
            final String line = request.getMethod() + " " + request.getPath();
            for (final Map.Entry<String, Integer> refusal : refusals.entrySet()) {
                if (line.contains(refusal.getKey())) {
                    return refused(refusal.getValue());
                }
            }
            if (request.getPath().contains("/exec?")) {
                final String path = request.getPath();
                final MockPod pod =
                        pods.get(path.substring(path.indexOf("/pods/") + 6, path.indexOf("/exec")));
                return new MockResponse()
                        .setHeader("Sec-WebSocket-Protocol", "v4.channel.k8s.io")
                        .withWebSocketUpgrade(pod.exec(path));
            }
            final MockResponse response = crud.dispatch(request);
            if (line.startsWith("POST") && line.contains("/jobs") && response.code() < 300) {
                run(Serialization.unmarshal(response.getBody().readUtf8(), Job.class));
            } else if (line.startsWith("DELETE") && line.contains("/jobs")) {
                pods.values().forEach(MockPod::close);
            }
            return response;
        }

        private MockResponse refused(final int code) {
            final Status status =
                    new StatusBuilder()
                            .withStatus("Failure")
                            .withCode(code)
                            .withMessage(
                                    code == 403
                                            ? "jobs.batch is forbidden: User \"me\" cannot create resource \"jobs\""
                                            : "the server has had enough")
                            .build();
            return new MockResponse()
                    .setResponseCode(code)
                    .setHeader("Content-Type", "application/json")
                    .setBody(Serialization.asJson(status));
        }
    }

    /**
     * What the job controller, the scheduler and the kubelet do, after the request was answered.
     */
    private void run(final Job job) {
        Thread.ofPlatform()
                .daemon()
                .start(() -> {
                    for (int i = 0; i < job.getSpec().getCompletions(); i++) {
                        start(job, i);
                    }
                });
    }

    private void start(final Job job, final int index) {
        final var spec = job.getSpec().getTemplate().getSpec();
        final String name = job.getMetadata().getName() + "-" + index;
        client.pods()
                .inNamespace(job.getMetadata().getNamespace())
                .resource(
                        new PodBuilder()
                                .withNewMetadata()
                                .withName(name)
                                .withLabels(job.getSpec().getTemplate().getMetadata().getLabels())
                                .addToAnnotations(PodJobs.INDEX, Integer.toString(index))
                                .endMetadata()
                                .withSpec(spec)
                                .build())
                .create();
        final var container = spec.getContainers().getFirst();
        if (Quantity.getAmountInBytes(container.getResources().getRequests().get("cpu")).intValue()
                > CORES) {
            status(name, MockPod.unschedulable());
        } else if (container.getImage().startsWith("missing")) {
            status(name, MockPod.withoutImage(container.getImage()));
        } else {
            final String address = "127.0.7." + (pods.size() + 1);
            final MockPod pod =
                    new MockPod(name, folder.resolve(name), status -> status(name, status));
            pods.put(name, pod);
            pod.start(container.getCommand());
            status(name, MockPod.running(address));
        }
    }

    private void status(final String name, final PodStatus status) {
        final var pod = client.pods().inNamespace("bench").withName(name);
        if (pod.get() != null) {
            // As with the kubelet, what made a pod fail stays said.
            pod.editStatus(before ->
                    before.getStatus() != null && "Failed".equals(before.getStatus().getPhase())
                            ? before
                            : new PodBuilder(before).withStatus(status).build());
        }
    }

    @Override
    public void close() {
        pods.values().forEach(MockPod::close);
        client.close();
        server.destroy();
    }

    /** Serves until its input ends; each line is a word and what it is about. */
    public static void main(final String[] args) throws IOException {
        try (MockCluster cluster = new MockCluster(Path.of(args[0]));
                BufferedReader orders =
                        new BufferedReader(
                                new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            System.out.println(cluster.kubeconfig());
            for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                final String[] words = order.split(" ");
                switch (words[0]) {
                    case "evict" -> cluster.evict(words[1]);
                    case "delete" -> cluster.delete(words[1]);
                    case "refuse" ->
                            cluster.refuse(words[1] + " " + words[2], Integer.parseInt(words[3]));
                    case "jobs" -> System.out.println("jobs " + cluster.jobs().size());
                    default -> throw new IllegalArgumentException(order);
                }
            }
        }
    }
}

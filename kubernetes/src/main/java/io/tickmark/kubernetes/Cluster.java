package io.tickmark.kubernetes;

import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.ContainerResource;
import io.fabric8.kubernetes.client.dsl.ExecListener;
import io.fabric8.kubernetes.client.dsl.ExecWatch;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.place.PlacedProcess;
import io.tickmark.lab.plan.FaultPlan;
import io.tickmark.lab.plan.KubernetesPlan;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The API server, as far as it is needed; what it refuses is a sentence. Any thread. */
final class Cluster implements AutoCloseable {
    private static final int ANSWER_MS = 10_000;
    private static final int PING_MS = 2_000;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;

    private final KubernetesClient client;
    private final String namespace;
    private final Map<String, ExecProcess> open = new ConcurrentHashMap<>();

    private Cluster(final KubernetesClient client, final String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    /** As the kubeconfig says, or as a pod's service account does. */
    static Cluster of(final KubernetesPlan plan) {
        final Config config =
                new ConfigBuilder(
                                Config.autoConfigure(
                                        plan.context().isEmpty() ? null : plan.context()))
                        .withRequestRetryBackoffLimit(1)
                        .withConnectionTimeout(ANSWER_MS)
                        .withRequestTimeout(ANSWER_MS)
                        .withHttp2Disable(true) // exec needs HTTP/1.1, and the rest is little
                        .withWebsocketPingInterval((long) PING_MS)
                        .build();
        if (!plan.context().isEmpty()
                && config.getContexts().stream()
                        .noneMatch(known -> known.getName().equals(plan.context()))) {
            throw UserError.usage(
                    "context: the kubeconfig has no %s; 'kubectl config get-contexts' lists what it has."
                            .formatted(plan.context()));
        }
        if (config.getContexts().isEmpty()
                && System.getenv("KUBERNETES_SERVICE_HOST") == null
                && config.getMasterUrl().contains("kubernetes.default.svc")) {
            throw UserError.environment(
                    "No cluster is configured: name a kubeconfig with the variable KUBECONFIG, or have one in ~/.kube/config.");
        }
        final String namespace =
                plan.namespace().isEmpty()
                        ? Optional.ofNullable(config.getNamespace()).orElse("default")
                        : plan.namespace();
        return new Cluster(
                new KubernetesClientBuilder()
                        .withConfig(config)
                        .withHttpClientFactory(new JdkHttpClientFactory())
                        .build(),
                namespace);
    }

    String namespace() {
        return namespace;
    }

    private <A> A ask(final String what, final Supplier<A> question) {
        try {
            return question.get();
        } catch (final KubernetesClientException e) {
            throw UserError.environment(sentence(what, e), e);
        }
    }

    private String sentence(final String what, final KubernetesClientException e) {
        final String said =
                e.getStatus() == null || e.getStatus().getMessage() == null
                        ? deepest(e)
                        : e.getStatus().getMessage();
        final String words = said.replaceAll("\\p{Cntrl}", " ").strip().replaceAll("[.;]+$", "");
        return switch (e.getCode()) {
            case UNAUTHORIZED ->
                    "The API server %s does not recognise the caller (%s); log in again, or name another 'context:'."
                            .formatted(client.getMasterUrl(), words);
            case FORBIDDEN ->
                    "The API server does not permit this caller to %s: %s; docs/kubernetes.md lists the rights that are needed."
                            .formatted(what, words);
            case NOT_FOUND ->
                    "The API server did not find what it needs to %s: %s; see whether namespace %s exists."
                            .formatted(what, words, namespace);
            default ->
                    e.getCode() > 0
                            ? "The API server refuses to %s: %s.".formatted(what, words)
                            : "The API server %s cannot be reached to %s (%s); 'kubectl get pods' must work from here."
                                    .formatted(client.getMasterUrl(), what, words);
        };
    }

    private static String deepest(final Throwable thrown) {
        Throwable cause = thrown;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    void create(final Job job) {
        ask(
                "make the job " + job.getMetadata().getName(),
                () -> client.batch().v1().jobs().inNamespace(namespace).resource(job).create());
    }

    /**
     * Jobs and their pods; those that are already gone are ignored. One by one: deleting by label
     * in one request needs a separate permission (deletecollection).
     */
    void delete(final Map<String, String> labels) {
        final var jobs = client.batch().v1().jobs().inNamespace(namespace);
        ask(
                "delete jobs of " + labels.get(PodJobs.INSTANCE),
                () ->
                        jobs.withLabels(labels).list().getItems().stream()
                                .map(job ->
                                        jobs.withName(job.getMetadata().getName())
                                                .withPropagationPolicy(
                                                        DeletionPropagation.BACKGROUND)
                                                .delete())
                                .toList());
    }

    List<Pod> pods(final Map<String, String> labels) {
        return ask(
                "list pods",
                () -> client.pods().inNamespace(namespace).withLabels(labels).list().getItems());
    }

    Optional<Pod> pod(final String name) {
        return ask(
                "look at the pod " + name,
                () ->
                        Optional.ofNullable(
                                client.pods().inNamespace(namespace).withName(name).get()));
    }

    /** What the cluster said last about an object; rights to see it are not asked for. */
    Optional<String> event(final String kind, final String name) {
        try {
            return client.v1().events().inNamespace(namespace).list().getItems().stream()
                    .filter(event -> event.getInvolvedObject() != null)
                    .filter(event ->
                            kind.equals(event.getInvolvedObject().getKind())
                                    && name.equals(event.getInvolvedObject().getName()))
                    .filter(event -> "Warning".equals(event.getType()))
                    .reduce((before, last) -> last)
                    .map(event -> event.getMessage());
        } catch (final KubernetesClientException e) {
            return Optional.empty();
        }
    }

    /** Starts a program in the pod; its words are fixed, no shell is between. */
    PlacedProcess start(final String pod, final String program, final String word) {
        final ExecProcess started =
                ask(
                        "start a program in the pod " + pod,
                        () ->
                                ExecProcess.start(
                                        client.pods()
                                                .inNamespace(namespace)
                                                .withName(pod)
                                                .inContainer(PodJobs.TICKMARK),
                                        () -> PodState.whyLost(Cluster.this, pod),
                                        program,
                                        word));
        open.put(pod, started);
        return started;
    }

    /** Closes the streams to some pods; their readers get the reason. */
    void cut(final Predicate<String> isLost) {
        open.forEach((pod, process) -> {
            if (isLost.test(pod)) {
                process.cut();
            }
        });
    }

    @Override
    public void close() {
        client.close();
    }

    /** A program in a pod, over the websocket of exec. */
    private static final class ExecProcess implements PlacedProcess {
        private static final int LOST = -1;

        private final CompletableFuture<Integer> end = new CompletableFuture<>();
        private final Supplier<String> whyLost;
        private ExecWatch watch;
        private volatile boolean isOurs;

        private ExecProcess(final Supplier<String> whyLost) {
            this.whyLost = whyLost;
        }

        /**
         * Starts it; {@code whyLost} is asked, once its streams have ended, for what they do not
         * say.
         */
        static ExecProcess start(
                final ContainerResource container,
                final Supplier<String> whyLost,
                final String... words) {
            final ExecProcess process = new ExecProcess(whyLost);
            process.watch =
                    container
                            .redirectingInput()
                            .redirectingOutput()
                            .redirectingError()
                            .usingListener(process.new Ends())
                            .exec(words);
            return process;
        }

        private final class Ends implements ExecListener {
            @Override
            public void onFailure(final Throwable thrown, final Response failed) {
                end.complete(LOST);
            }

            @Override
            public void onClose(final int code, final String reason) {
                end.complete(LOST);
            }

            @Override
            public void onExit(
                    final int code, final io.fabric8.kubernetes.api.model.Status status) {
                end.complete(code);
            }
        }

        @Override
        public OutputStream input() {
            return new FilterOutputStream(watch.getInput()) {
                /** The client throws what is no IOException once the connection is gone. */
                @Override
                public void write(final byte[] bytes, final int offset, final int length)
                        throws IOException {
                    try {
                        out.write(bytes, offset, length);
                    } catch (final KubernetesClientException e) {
                        throw new IOException(e);
                    }
                }

                @Override
                public void flush() throws IOException {
                    try {
                        out.flush();
                    } catch (final KubernetesClientException e) {
                        throw new IOException(e);
                    }
                }
            };
        }

        @Override
        public InputStream output() {
            return watch.getOutput();
        }

        /** What the program says, and then what the cluster says about its end. */
        @Override
        public InputStream errors() {
            final Iterator<Supplier<InputStream>> parts =
                    List.<Supplier<InputStream>>of(this::said, this::lastWords).iterator();
            return new SequenceInputStream(
                    new Enumeration<>() {
                        @Override
                        public boolean hasMoreElements() {
                            return parts.hasNext();
                        }

                        @Override
                        public InputStream nextElement() {
                            return parts.next().get();
                        }
                    });
        }

        /** Until the connection ends, however it does: why it did is for the cluster to say. */
        private InputStream said() {
            return new FilterInputStream(watch.getError()) {
                @Override
                public int read(final byte[] buffer, final int from, final int length) {
                    try {
                        return super.read(buffer, from, length);
                    } catch (final IOException e) {
                        return -1;
                    }
                }
            };
        }

        private InputStream lastWords() {
            final String words = isOurs ? "" : whyLost.get();
            return new ByteArrayInputStream(
                    (words.isEmpty() ? "" : "\n" + words + "\n").getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public OptionalInt awaitEnd(final Duration atMost) {
            return PlacedProcess.awaitEnd(end, atMost);
        }

        @Override
        public void inject(final FaultPlan.Action action, final long pid) {
            throw new IllegalStateException("faults are injected into roles, by the agent");
        }

        /**
         * Closes the connection; the agent ends everything it started when the controller is lost.
         */
        @Override
        public void kill() {
            isOurs = true;
            cut();
        }

        /** The same, with another reason, which is then reported. */
        void cut() {
            watch.close();
            end.complete(LOST);
        }
    }
}

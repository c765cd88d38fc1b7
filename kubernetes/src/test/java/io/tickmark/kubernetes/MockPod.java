package io.tickmark.kubernetes;

import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.mockwebserver.http.Response;
import io.fabric8.mockwebserver.http.WebSocket;
import io.fabric8.mockwebserver.http.WebSocketListener;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** A pod whose container, and what exec starts in it, are processes of this machine. */
final class MockPod implements AutoCloseable {
    /** Each reads a stream to its end. */
    private static final Executor THREADS = Thread.ofVirtual()::start;

    private static final int OUTPUT = 1;
    private static final int ERRORS = 2;
    private static final int STATUS = 3;

    private final String name;
    private final Path folder;
    private final Consumer<PodStatus> watcher;
    private final List<Process> processes = new ArrayList<>();
    private boolean isClosed;

    MockPod(final String name, final Path folder, final Consumer<PodStatus> watcher) {
        this.name = name;
        this.folder = folder;
        this.watcher = watcher;
    }

    String name() {
        return name;
    }

    static PodStatus running(final String address) {
        return new PodStatusBuilder()
                .withPhase("Running")
                .withPodIP(address)
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .addNewContainerStatus()
                .withName(PodJobs.TICKMARK)
                .withReady(true)
                .withNewState()
                .withNewRunning()
                .endRunning()
                .endState()
                .endContainerStatus()
                .build();
    }

    static PodStatus unschedulable() {
        return new PodStatusBuilder()
                .withPhase("Pending")
                .addNewCondition()
                .withType("PodScheduled")
                .withStatus("False")
                .withReason("Unschedulable")
                .withMessage("0/1 nodes are available: 1 Insufficient cpu.")
                .endCondition()
                .build();
    }

    static PodStatus withoutImage(final String image) {
        return new PodStatusBuilder()
                .withPhase("Pending")
                .addNewContainerStatus()
                .withName(PodJobs.TICKMARK)
                .withNewState()
                .withNewWaiting()
                .withReason("ErrImagePull")
                .withMessage("failed to resolve reference \"" + image + "\": not found")
                .endWaiting()
                .endState()
                .endContainerStatus()
                .build();
    }

    /** The container's own command; the pod ends with it. */
    void start(final List<String> command) {
        final Process main = process(command);
        main.onExit()
                .thenAccept(ended ->
                        watcher.accept(
                                new PodStatusBuilder()
                                        .withPhase(ended.exitValue() == 0 ? "Succeeded" : "Failed")
                                        .build()));
    }

    private synchronized Process process(final List<String> command) {
        try {
            Files.createDirectories(folder);
            final ProcessBuilder builder = new ProcessBuilder(command);
            builder.environment().put("TICKMARK_HOLD", folder.resolve("hold").toString());
            builder.environment().put("TICKMARK_FOLDER", folder.resolve("files").toString());
            builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
            final Process process = builder.start();
            processes.add(process);
            return process;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The far end of exec, version 4 of its protocol: the first byte is the channel. */
    WebSocketListener exec(final String path) {
        final List<String> command =
                Arrays.stream(path.substring(path.indexOf('?') + 1).split("&"))
                        .filter(word -> word.startsWith("command="))
                        .map(word -> URLDecoder.decode(word.substring(8), StandardCharsets.UTF_8))
                        .toList();
        return new Exec(command);
    }

    private final class Exec extends WebSocketListener {
        private final List<String> command;
        private Process process;

        Exec(final List<String> command) {
            this.command = command;
        }

        @Override
        public void onOpen(final WebSocket socket, final Response response) {
            process = process(command);
            final CompletableFuture<Void> output =
                    CompletableFuture.runAsync(
                            () -> carry(process.getInputStream(), OUTPUT, socket), THREADS);
            CompletableFuture.runAsync(
                            () -> carry(process.getErrorStream(), ERRORS, socket), THREADS)
                    .thenCombine(output, (errors, all) -> all)
                    .thenRun(() -> end(socket));
        }

        private void end(final WebSocket socket) {
            final int code = process.onExit().join().exitValue();
            final String status =
                    code == 0
                            ? "{\"status\":\"Success\"}"
                            : ("{\"status\":\"Failure\",\"reason\":\"NonZeroExitCode\",\"details\":{\"causes\":"
                                            + "[{\"reason\":\"ExitCode\",\"message\":\"%d\"}]}}")
                                    .formatted(code);
            send(socket, STATUS, status.getBytes(StandardCharsets.UTF_8), status.length());
            socket.close(1000, "");
        }

        @Override
        public void onMessage(final WebSocket socket, final byte[] bytes) {
            try {
                if (bytes.length > 1 && bytes[0] == 0) {
                    process.getOutputStream().write(bytes, 1, bytes.length - 1);
                    process.getOutputStream().flush();
                }
            } catch (final IOException e) {
                // it ended
            }
        }

        @Override
        public void onClosed(final WebSocket socket, final int code, final String reason) {
            try {
                process.getOutputStream().close();
            } catch (final IOException e) {
                // it ended
            }
        }
    }

    private static void carry(final InputStream from, final int channel, final WebSocket socket) {
        final byte[] buffer = new byte[16_384];
        try (from) {
            for (int length = from.read(buffer); length >= 0; length = from.read(buffer)) {
                send(socket, channel, buffer, length);
            }
        } catch (final IOException e) {
            // killed
        }
    }

    private static void send(
            final WebSocket socket, final int channel, final byte[] bytes, final int length) {
        final byte[] message = new byte[length + 1];
        message[0] = (byte) channel;
        System.arraycopy(bytes, 0, message, 1, length);
        socket.send(message);
    }

    /** As the kubelet ends a pod: at once, with all that runs in it. */
    @Override
    public synchronized void close() {
        if (!isClosed) {
            isClosed = true;
            for (final Process process : processes) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        }
    }
}

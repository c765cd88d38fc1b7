package io.tickmark.transport.broker;

import io.tickmark.transport.store.ServerProcess;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The program of a server, looked up in the folders of PATH or named by an environment variable.
 *
 * @param name of the program
 * @param variable that may name another one
 * @param debianPackage that contains it
 */
public record ServerProgram(String name, String variable, String debianPackage) {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private String chosen() {
        final String named = System.getenv(variable);
        return named == null || named.isBlank() ? name : named;
    }

    /**
     * Why no server can be started here.
     *
     * @return a clause that explains how to get one; empty where the program is installed
     */
    public Optional<String> absence() {
        return ServerProcess.find(chosen()).isPresent()
                ? Optional.empty()
                : Optional.of(
                        ("the server (%s) is not installed, so only one that is already running can be used; Debian's package"
                                        + " is %s")
                                .formatted(chosen(), debianPackage));
    }

    /**
     * Where it is.
     *
     * @param channel that needs it
     * @return its path
     * @throws io.tickmark.kernel.settings.UserError if it is not installed
     */
    public Path required(final BrokerChannel<?> channel) {
        return ServerProcess.find(chosen())
                .orElseThrow(
                        () -> channel.failed(absence().orElse("there is no server here"), null));
    }

    /**
     * What it prints, until it ends; one that does not end in thirty seconds is killed.
     *
     * @param channel that needs it
     * @param argument such as {@code --version}
     * @return its output and errors
     * @throws io.tickmark.kernel.settings.UserError if it cannot be run, or does not end
     */
    public String printed(final BrokerChannel<?> channel, final String argument) {
        return printed(channel, argument, PATIENCE);
    }

    String printed(final BrokerChannel<?> channel, final String argument, final Duration patience) {
        final Path program = required(channel);
        Process asked = null;
        try {
            asked =
                    new ProcessBuilder(program.toString(), argument)
                            .redirectErrorStream(true)
                            .start();
            asked.getOutputStream().close();
            final FutureTask<byte[]> output =
                    new FutureTask<>(asked.getInputStream()::readAllBytes);
            Thread.ofVirtual().start(output);
            return new String(
                    output.get(patience.toNanos(), TimeUnit.NANOSECONDS), Charset.defaultCharset());
        } catch (final IOException | ExecutionException e) {
            throw channel.failed(
                    program.getFileName() + " cannot be run (" + e.getMessage() + ")", e);
        } catch (final TimeoutException e) {
            throw channel.failed(
                    "%s %s does not end; see whether it is the server, or name another with %s"
                            .formatted(program.getFileName(), argument, variable),
                    e);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw channel.failed("asking " + program.getFileName() + " was interrupted", e);
        } finally {
            if (asked != null) {
                asked.destroyForcibly();
            }
        }
    }
}

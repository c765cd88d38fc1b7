package io.tickmark.transport.broker;

import io.tickmark.transport.store.ServerProcess;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The program of a server, looked up in the folders of PATH or named by an environment variable.
 *
 * @param name of the program
 * @param variable that may name another one
 * @param debianPackage that contains it
 */
public record ServerProgram(String name, String variable, String debianPackage) {
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
     * What it prints, until it ends.
     *
     * @param channel that needs it
     * @param argument such as {@code --version}
     * @return its output and errors
     * @throws io.tickmark.kernel.settings.UserError if it cannot be run
     */
    public String printed(final BrokerChannel<?> channel, final String argument) {
        final Path program = required(channel);
        try {
            final Process asked =
                    new ProcessBuilder(program.toString(), argument)
                            .redirectErrorStream(true)
                            .start();
            asked.getOutputStream().close();
            return new String(asked.getInputStream().readAllBytes(), Charset.defaultCharset());
        } catch (final IOException e) {
            throw channel.failed(
                    program.getFileName() + " cannot be run (" + e.getMessage() + ")", e);
        }
    }
}

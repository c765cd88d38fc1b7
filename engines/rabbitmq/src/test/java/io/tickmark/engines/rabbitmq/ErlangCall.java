package io.tickmark.engines.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The call that rabbitmqctl makes, without its start. */
final class ErlangCall {
    private ErlangCall() {}

    /**
     * Returns once the server has answered.
     *
     * @param member folder of the server
     * @param function a module, a function of it, and its arguments in brackets
     */
    static void make(final Path member, final String function) throws Exception {
        call(member, "", "-a", function);
    }

    /**
     * The same for functions whose arguments are no words, numbers or lists of them.
     *
     * @param member folder of the server
     * @param expression in Erlang, with its full stop
     * @param result what it gives
     */
    static void evaluate(final Path member, final String expression, final String result)
            throws Exception {
        assertThat(call(member, expression, "-e")).isEqualTo("{ok, %s}".formatted(result));
    }

    private static String call(final Path member, final String input, final String... how)
            throws Exception {
        final ProcessBuilder call =
                new ProcessBuilder(
                        "erl_call",
                        "-sname",
                        RabbitmqServer.NODE,
                        "-c",
                        Files.readString(member.resolve(".erlang.cookie")).strip());
        call.command().addAll(List.of(how));
        call.environment().put("ERL_EPMD_PORT", Integer.toString(mapperPort(member)));
        call.redirectErrorStream(true);
        final Process called = call.start();
        try (Writer to = called.outputWriter(StandardCharsets.UTF_8)) {
            to.write(input);
        }
        final String said =
                new String(called.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(called.waitFor()).as(said).isZero();
        return said.strip();
    }

    /** The port of the mapper of a server that runs. */
    static int mapperPort(final Path member) throws IOException {
        final String pid = Files.readString(member.resolve("pid")).strip();
        final String environment =
                Files.readString(Path.of("/proc", pid, "environ"), StandardCharsets.ISO_8859_1);
        return Stream.of(environment.split("\0"))
                .filter(variable -> variable.startsWith("ERL_EPMD_PORT="))
                .mapToInt(
                        variable -> Integer.parseInt(variable.substring(variable.indexOf('=') + 1)))
                .findFirst()
                .orElseThrow();
    }
}

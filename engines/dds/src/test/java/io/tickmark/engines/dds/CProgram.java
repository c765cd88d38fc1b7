package io.tickmark.engines.dds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A C program on the library, its types generated from IDL; it contains no code of ours. */
final class CProgram implements AutoCloseable {
    /**
     * Address at which a program with the library's default configuration finds our domain on this
     * host.
     */
    static final String ON_THIS_HOST =
            "<General><Interfaces><NetworkInterface address=\"127.0.0.1\"/></Interfaces>"
                    + "<AllowMulticast>false</AllowMulticast></General>"
                    + "<Discovery><ParticipantIndex>auto</ParticipantIndex>"
                    + "<Peers><Peer address=\"127.0.0.1\"/></Peers></Discovery>";

    private static final Path SOURCES = Path.of("src/test/c").toAbsolutePath();

    private final Process process;

    private CProgram(final Process process) {
        this.process = process;
    }

    /** Generates, compiles and links in a folder. */
    static Path build(
            final Path folder, final String idl, final String source, final String... defines)
            throws Exception {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/idlc"))
                        && Files.isExecutable(Path.of("/usr/bin/gcc")),
                "a C program from IDL needs the packages cyclonedds-dev, cyclonedds-tools and gcc");
        final Path program = folder.resolve(idl + "-" + source);
        run(folder, List.of("idlc", "-l", "c", SOURCES.resolve(idl + ".idl").toString()));
        final List<String> gcc = new ArrayList<>(List.of("gcc", "-O1", "-I", folder.toString()));
        gcc.addAll(List.of(defines));
        gcc.addAll(
                List.of(
                        "-o",
                        program.toString(),
                        SOURCES.resolve(source + ".c").toString(),
                        folder.resolve(idl + ".c").toString(),
                        "-lddsc"));
        run(folder, gcc);
        return program;
    }

    private static void run(final Path folder, final List<String> command)
            throws IOException, InterruptedException {
        final Process process =
                new ProcessBuilder(command).directory(folder.toFile()).inheritIO().start();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).as(command.toString()).isTrue();
        assertThat(process.exitValue()).as(command.toString()).isZero();
    }

    static CProgram start(final Path program, final String... arguments) throws IOException {
        final List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        final ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        builder.environment().put("CYCLONEDDS_URI", ON_THIS_HOST);
        return new CProgram(builder.start());
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}

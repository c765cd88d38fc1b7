package io.tickmark.kernel.host;

import java.io.Closeable;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import org.agrona.CloseHelper;

/** Processes of tests that may open few files and sockets. */
public final class FewHandles {
    private FewHandles() {}

    /**
     * Starts a class of the test's class path in a process of its own, which may have so many file
     * handles. Its standard error is the test's.
     *
     * @param folder for jars
     * @param handles at most
     * @param main class to start
     */
    public static Process start(final Path folder, final int handles, final Class<?> main)
            throws IOException {
        final List<String> command =
                new ArrayList<>(
                        List.of(
                                "sh",
                                "-c",
                                "ulimit -n " + handles + "; exec \"$@\"",
                                "sh",
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString()));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.matches("--(add|enable|sun)-.*")) // what our libraries need
                .forEach(command::add);
        command.addAll(List.of("-cp", classPathOfJars(folder), main.getName()));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    /**
     * As a release has it: a class in a folder needs a file handle when it is first used, and what
     * the process first uses when there are none would end it.
     */
    private static String classPathOfJars(final Path folder) throws IOException {
        final List<String> jars = new ArrayList<>();
        for (final String part : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (!Files.isDirectory(Path.of(part))) {
                jars.add(part);
                continue;
            }
            final String jar = folder.resolve(jars.size() + ".jar").toString();
            final int exitCode =
                    ToolProvider.findFirst("jar")
                            .orElseThrow()
                            .run(
                                    System.out,
                                    System.err,
                                    "--create",
                                    "--file",
                                    jar,
                                    "-C",
                                    part,
                                    ".");
            if (exitCode != 0) {
                throw new IOException("no jar of " + part);
            }
            jars.add(jar);
        }
        return String.join(File.pathSeparator, jars);
    }

    /** Opens files until this process may open no more; to be called in a process of few. */
    public static List<Closeable> takeAll() {
        final List<Closeable> taken = new ArrayList<>();
        try {
            while (true) {
                taken.add(new FileInputStream("/dev/null"));
            }
        } catch (final IOException e) {
            return taken;
        }
    }

    /** Gives them back. */
    public static void giveBack(final List<Closeable> taken) {
        CloseHelper.closeAll(taken);
    }
}

package io.tickmark.system.docs;

import io.tickmark.system.PlainEcho;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Real output of the commands that pages show: it is between {@code <!-- output: COMMAND -->} and
 * {@code <!-- end -->}. Words after {@code &} are another command that runs at the same time, and
 * whose output is not shown; {@code echo udp://127.0.0.1:7007 10000/s} is an echo service that
 * sends back no more than that.
 */
final class DocumentedRuns {
    private static final Pattern BLOCK =
            Pattern.compile("(<!-- output: ([^\n]+?) -->\n)(.*?)(<!-- end -->)", Pattern.DOTALL);

    private static final Pattern ECHO =
            Pattern.compile("echo udp://127\\.0\\.0\\.1:([0-9]+) ([0-9]+)/s");

    private static final long LONGEST_SECONDS = 300;

    private final Path folder;
    private final Pattern wanted;

    /**
     * Runs commands in which an expression is found, in a folder of their own beside the samples.
     */
    DocumentedRuns(final Path folder, final String wanted) {
        this.folder = folder;
        this.wanted = Pattern.compile(wanted);
    }

    /** What a page shows, in the order of its blocks. */
    static List<ShownOutput> shown(final String page) {
        return BLOCK.matcher(page)
                .results()
                .map(block ->
                        new ShownOutput(
                                block.group(2),
                                block.group(3)
                                        .lines()
                                        .filter(line -> !line.startsWith("```"))
                                        .toList()))
                .toList();
    }

    /**
     * What a command printed.
     *
     * @param command words after the launcher's name
     * @param lines it printed
     */
    record ShownOutput(String command, List<String> lines) {}

    /** The page with the output of runs made now. */
    String renew(final String page) {
        return BLOCK.matcher(page).replaceAll(block -> Matcher.quoteReplacement(renewed(block)));
    }

    private String renewed(final MatchResult block) {
        return wanted.matcher(block.group(2)).find()
                ? block.group(1) + output(block.group(2)) + block.group(4)
                : block.group();
    }

    private String output(final String commands) {
        final List<PlainEcho> echoes = new ArrayList<>();
        try {
            final Path samples = folder.resolve("samples");
            if (!Files.exists(samples)) {
                Files.createSymbolicLink(samples, Repository.SAMPLES);
            }
            final List<Process> processes = new ArrayList<>();
            final String[] each = commands.split(" & ");
            for (int i = each.length - 1; i >= 0; i--) {
                final Matcher echo = ECHO.matcher(each[i]);
                if (echo.matches()) {
                    echoes.add(
                            PlainEcho.udp(
                                    Integer.parseInt(echo.group(1)),
                                    Long.parseLong(echo.group(2))));
                } else {
                    processes.addFirst(start(each[i]));
                }
            }
            final String out =
                    new String(
                            processes.getFirst().getInputStream().readAllBytes(),
                            StandardCharsets.UTF_8);
            for (final Process process : processes) {
                if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                    process.destroy();
                    throw new AssertionError("still running: " + commands);
                }
            }
            if (out.isBlank()) {
                throw new AssertionError("printed nothing: " + commands);
            }
            return "```text\n" + out.stripTrailing() + "\n```\n";
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        } catch (final InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            echoes.forEach(PlainEcho::close);
        }
    }

    private Process start(final String command) throws IOException {
        final List<String> words = new ArrayList<>();
        words.add(Repository.ROOT.resolve("tickmark").toString());
        words.addAll(List.of(command.replace("\"", "").split(" +")));
        final Path err = Files.createTempFile(folder, "err", ".txt");
        final ProcessBuilder builder =
                new ProcessBuilder(words).directory(folder.toFile()).redirectError(err.toFile());
        // pages show what users get, not the JVMs and the idle threads that make tests short
        builder.environment().keySet().removeIf(name -> name.startsWith("TICKMARK_"));
        builder.environment().remove("ERL_AFLAGS");
        builder.environment().put("TICKMARK_BUILD", "never");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        final Process process = builder.start();
        process.getOutputStream().close();
        return process;
    }
}

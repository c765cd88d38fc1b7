package io.tickmark.lab.hosts;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.place.ClassArchive;
import io.tickmark.lab.place.Launch;
import io.tickmark.lab.place.LocalPlacement;
import io.tickmark.lab.place.PlacedProcess;
import io.tickmark.lab.plan.HostPlan;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The system's ssh to one host. It does not prompt: keys and known hosts are configured in ssh. The
 * command for the other side's shell is put together from fixed words, the build's version and two
 * names of the hosts file that contain nothing special to a shell; it contains nothing from a plan.
 */
final class Ssh implements HostAccess {
    private static final Duration COPY = Duration.ofMinutes(5);
    private static final Duration LOOK = Duration.ofSeconds(30);
    private static final int NOT_CONNECTED = 255;
    private static final int MOST_SAID = 2_000;

    /**
     * Classes of the agent as its JVM maps them, written by the build. Another Java there goes
     * without them, and must not say so on standard output, which is the agent's.
     */
    private static final String CLASSES = "classes/agent.jsa";

    private final HostPlan host;
    private final Build build;

    Ssh(final HostPlan host, final Build build) {
        this.host = host;
        this.build = build;
    }

    private List<String> command(final String remote) {
        final List<String> words =
                new ArrayList<>(
                        List.of(
                                "ssh",
                                "-T",
                                "-o",
                                "BatchMode=yes",
                                "-o",
                                "ConnectTimeout=10",
                                "-o",
                                "ServerAliveInterval=5",
                                "-o",
                                "ServerAliveCountMax=4"));
        if (!host.configuration().isEmpty()) {
            words.addAll(List.of("-F", host.configuration()));
        }
        if (host.port() > 0) {
            words.addAll(List.of("-p", host.port().toString()));
        }
        if (!host.identity().isEmpty()) {
            words.addAll(List.of("-i", host.identity(), "-o", "IdentitiesOnly=yes"));
        }
        words.addAll(List.of("--", host.ssh(), remote));
        return words;
    }

    private PlacedProcess start(final List<String> words) {
        return new LocalPlacement().start(new Launch("ssh to " + host.name(), words, Map.of()));
    }

    private String place() {
        return host.folder() + "/" + build.version();
    }

    /**
     * Copies the build where that host does not have this version yet; returns whether it had to.
     */
    private boolean install() {
        final End look = run(command("test -f " + place() + "/complete"), LOOK);
        if (look.exitCode() == NOT_CONNECTED) {
            throw UserError.environment(
                    "Host %s cannot be reached: %s; 'ssh %s' must work without a password."
                            .formatted(host.name(), look.said(), host.ssh()));
        }
        if (look.exitCode() == 0) {
            return false;
        }
        final String fresh = place() + ".$$";
        final End copy =
                pipe(
                        packing(),
                        command(
                                "umask 077 && mkdir -p "
                                        + fresh
                                        + " && tar -xf - -C "
                                        + fresh
                                        + " && touch "
                                        + fresh
                                        + "/complete && { mv -T "
                                        + fresh
                                        + " "
                                        + place()
                                        + " 2>/dev/null || rm -rf "
                                        + fresh
                                        + "; } || { rm -rf "
                                        + fresh
                                        + "; exit 1; }"));
        if (copy.exitCode() != 0) {
            throw UserError.environment(
                    "Host %s could not store the build in %s: %s; free some space there, or name another 'folder:'."
                            .formatted(host.name(), host.folder(), copy.said()));
        }
        return true;
    }

    private boolean has(final String classes) {
        return Files.isRegularFile(build.home().resolve(classes));
    }

    private String mapped() {
        return has(CLASSES)
                ? " -XX:SharedArchiveFile=%s/%s -Xlog:disable".formatted(place(), CLASSES)
                : "";
    }

    /** Plug-ins are copied beside {@code lib}, into the folder of plug-ins there. */
    private List<String> packing() {
        final List<String> words =
                new ArrayList<>(
                        List.of(
                                "tar",
                                "-cf",
                                "-",
                                "-C",
                                build.home().toString(),
                                "lib",
                                "classpaths"));
        for (final String classes : List.of(CLASSES, ClassArchive.OF_EVERY_ROLE)) {
            if (has(classes)) {
                words.add(classes);
            }
        }
        words.addAll(
                List.of(
                        "-C",
                        build.options().toAbsolutePath().getParent().toString(),
                        build.options().getFileName().toString()));
        for (final Path plugin : build.plugins()) {
            words.addAll(List.of("-C", plugin.getParent().toString(), "./" + plugin.getFileName()));
        }
        return words;
    }

    @Override
    public String name() {
        return host.name();
    }

    @Override
    public String address() {
        return host.address();
    }

    @Override
    public String shown() {
        return host.ssh();
    }

    @Override
    public String otherVersion() {
        return "Host %s runs another version of tickmark; remove %s there and try again."
                .formatted(host.name(), host.folder());
    }

    @Override
    public String trouble(final String said) {
        return AgentTrouble.sentence(host.name(), said);
    }

    /** Copies the build where it is missing, and starts the agent. */
    @Override
    public PlacedProcess agent() {
        install();
        return start(
                command(
                        "exec %s -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx192m%s -Dtickmark.home=%s -Dtickmark.plugins=%s"
                                        .formatted(host.java(), mapped(), place(), place())
                                + " -Dtickmark.jvm.options=%s/%s -cp %s/lib/%s %s %s"
                                        .formatted(
                                                place(),
                                                build.options().getFileName(),
                                                place(),
                                                build.agentJar(),
                                                HostAgent.class.getName(),
                                                host.folder())));
    }

    /** How a command ended, and its messages. */
    private record End(int exitCode, String said) {}

    private End run(final List<String> words, final Duration atMost) {
        final PlacedProcess process = start(words);
        try {
            process.input().close();
            return ended(process, atMost);
        } catch (final IOException e) {
            return new End(NOT_CONNECTED, e.getMessage());
        } finally {
            process.kill();
        }
    }

    /**
     * The first command's output is the second one's input; a local command that fails fails both.
     */
    private End pipe(final List<String> from, final List<String> to) {
        final PlacedProcess source = start(from);
        final PlacedProcess sink = start(to);
        try (InputStream in = source.output();
                OutputStream out = sink.input()) {
            in.transferTo(out);
        } catch (final IOException e) {
            // the other side gave up, and reports why
        }
        try {
            final End end = ended(sink, COPY);
            return end.exitCode() == 0 ? ended(source, LOOK) : end;
        } catch (final IOException e) {
            return new End(NOT_CONNECTED, e.getMessage());
        } finally {
            source.kill();
            sink.kill();
        }
    }

    private static End ended(final PlacedProcess process, final Duration atMost)
            throws IOException {
        final OptionalInt exitCode = process.awaitEnd(atMost);
        if (exitCode.isEmpty()) {
            process.kill();
            return new End(NOT_CONNECTED, "no answer within " + atMost.toSeconds() + " s");
        }
        return new End(exitCode.getAsInt(), words(process.errors().readNBytes(MOST_SAID)));
    }

    /** The last whole line that names the error; the last line of tar does not. */
    static String words(final byte[] said) {
        final List<String> lines =
                new String(said, StandardCharsets.UTF_8)
                        .lines()
                        .map(line -> line.replaceAll("\\p{Cntrl}", " ").strip())
                        .filter(line -> !line.isEmpty() && !line.endsWith("due to previous errors"))
                        .toList();
        if (lines.isEmpty()) {
            return "it gave no reason";
        }
        final int cut = said.length == MOST_SAID && lines.size() > 1 ? 2 : 1;
        return lines.get(lines.size() - cut).replaceAll("[.;]+$", "");
    }

    /** What keeps an agent from starting, in terms for the user. */
    static final class AgentTrouble {
        private AgentTrouble() {}

        static String sentence(final String host, final String said) {
            if (said.contains("UnsupportedClassVersionError")) {
                return "Host "
                        + host
                        + " has a Java that is too old; name a JDK 25 with 'java:' in the hosts file.";
            }
            if (said.contains("not found") || said.contains("No such file")) {
                return "Host %s has no Java where it was looked for (%s); name it with 'java:' in the hosts file."
                        .formatted(host, said);
            }
            return "Host %s was lost: %s; see whether it is up and can be reached."
                    .formatted(host, said);
        }
    }
}

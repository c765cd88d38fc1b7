package io.tickmark.cli.command;

import io.tickmark.cli.output.Terminal;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.result.PackedRun;
import io.tickmark.lab.result.ResultFolder;
import io.tickmark.lab.result.ResultJson;
import io.tickmark.lab.verdict.RunVerdict;
import io.tickmark.report.ReportFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code report}: writes the readable files of a result folder again. */
final class ReportCommand implements Command {
    private static final String ZIP = "--zip";

    ReportCommand() {}

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description(
                        "Writes report.html, summary.txt and stats.csv of a result folder again, from "
                                + "result.json and the roles'"
                                + " files;"
                                + " also for a run that was interrupted.");
        spec.addPositional(folder("A result folder."));
        spec.addOption(
                OptionSpec.builder(ZIP)
                        .type(Path.class)
                        .arity("1")
                        .paramLabel("FILE")
                        .description(
                                "Also packs the whole run into this file, to pass it on: plan, environment, histograms,"
                                        + " report and their SHA-256 sums. 'tickmark compare', 'tickmark why' and 'tickmark"
                                        + " history add' read it like a folder.")
                        .build());
        return spec;
    }

    /** The result folder of a command, which says what else it may be. */
    static PositionalParamSpec folder(final String description) {
        return PositionalParamSpec.builder()
                .paramLabel("DIR")
                .index("0")
                .arity("1")
                .required(true)
                .type(Path.class)
                .description(description)
                .build();
    }

    @Override
    public String example() {
        return "./tickmark report results/20261120-120000_messaging";
    }

    /** A folder left by a killed controller states that it is incomplete. */
    private static Optional<String> partial(final Path folder) {
        final Path result = folder.resolve(ResultFolder.RESULT);
        return Files.isRegularFile(result)
                ? RunVerdict.partial(ResultJson.read(result).reasons())
                : Optional.empty();
    }

    @Override
    public int run(final ParseResult arguments, final Terminal terminal) {
        final Path folder = arguments.matchedPositional(0).getValue();
        final Path zip = arguments.matchedOptionValue(ZIP, null);
        if (PackedRun.isPacked(folder)) {
            throw UserError.usage(
                    "%s was packed and stays as it is; unpack it, and name the folder that you get."
                            .formatted(folder));
        }
        if (zip != null) {
            PackedRun.check(folder, zip);
        }
        terminal.out().println(ReportFiles.rewrite(folder));
        if (zip != null) {
            final PackedRun.Packed packed = PackedRun.write(folder, zip);
            terminal.out().println(zip);
            terminal.out().println("SHA-256: " + packed.sum());
            if (packed.leftOut() > 0) {
                terminal.err()
                        .println(
                                "tickmark: %s left out of %s; copy what others need into the folder, and pack it again."
                                        .formatted(
                                                Plural.of(
                                                        packed.leftOut(),
                                                        "link (or other special file) was",
                                                        "links (or other special files) were"),
                                                zip));
            }
        }
        partial(folder).ifPresent(reason -> terminal.err().println("tickmark: " + reason));
        return 0;
    }
}

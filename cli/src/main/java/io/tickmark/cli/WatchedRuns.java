package io.tickmark.cli;

import io.tickmark.console.RunSource;
import io.tickmark.lab.live.KeptRuns;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The runs of a folder of results, for the console. */
final class WatchedRuns implements RunSource {
    private final KeptRuns runs;

    WatchedRuns(final Path results) {
        runs = new KeptRuns(results);
    }

    @Override
    public List<Entry> runs() {
        return runs.all().stream()
                .map(run ->
                        new Entry(
                                run.id(),
                                run.plan(),
                                run.startedAt(),
                                run.state(),
                                run.verdict(),
                                run.isKept()))
                .toList();
    }

    @Override
    public Optional<Part> lines(final String run, final long from) {
        return runs.part(run, from).map(part -> new Part(part.lines(), part.next(), part.state()));
    }
}

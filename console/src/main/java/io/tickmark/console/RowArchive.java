package io.tickmark.console;

import java.util.List;

/** Writes rows into a result folder; the front door knows how. */
@FunctionalInterface
public interface RowArchive {
    /**
     * Writes a result folder with a report.
     *
     * @param rows that a page measured, at least one
     * @return where it is
     */
    String write(List<BrowserRow> rows);
}

package io.tickmark.console;

/** Called with the rows that a page measures by itself; any thread. */
@FunctionalInterface
public interface RowListener {
    /**
     * A row is whole.
     *
     * @param row that was measured
     */
    void measured(BrowserRow row);

    /**
     * There will be no row.
     *
     * @param reason a sentence of the page
     */
    default void brokenOff(final String reason) {}
}

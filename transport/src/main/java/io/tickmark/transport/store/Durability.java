package io.tickmark.transport.store;

/** Where a message is kept once it is called stable; every result states it. */
public enum Durability {
    /** In memory of a process: lost when the process ends. */
    D0("D0 memory"),
    /** In the page cache of one machine: survives the process, not the machine. */
    D1("D1 page cache"),
    /** Synced to the disk of one machine. */
    D2("D2 synced"),
    /** In the page cache of most members. */
    D3("D3 quorum in page cache"),
    /** Synced to the disks of most members. */
    D4("D4 quorum synced");

    private final String words;

    Durability(final String words) {
        this.words = words;
    }

    /**
     * The durability class as results show it.
     *
     * @return for example {@code D1 page cache}
     */
    public String words() {
        return words;
    }
}

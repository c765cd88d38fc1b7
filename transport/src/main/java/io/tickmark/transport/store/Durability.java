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
     * The class of messages that are in files.
     *
     * @param isSynced whether they are on the disk when they are acknowledged
     * @param members that keep each; of several a majority has it then
     * @return one from {@link #D1} on
     */
    public static Durability inFiles(final boolean isSynced, final int members) {
        if (members > 1) {
            return isSynced ? D4 : D3;
        }
        return isSynced ? D2 : D1;
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

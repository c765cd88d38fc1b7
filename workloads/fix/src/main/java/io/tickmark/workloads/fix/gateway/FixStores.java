package io.tickmark.workloads.fix.gateway;

import io.tickmark.workloads.fix.gateway.GatewaySettings.StoreKind;
import io.tickmark.workloads.fix.session.FileStore;
import io.tickmark.workloads.fix.session.MemoryStore;
import io.tickmark.workloads.fix.session.MessageStore;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ObjIntConsumer;

/** The stores of all counterparts, each lent to one session at a time. Any thread. */
final class FixStores implements AutoCloseable {
    /** More names than this are considered bogus. */
    private static final int MOST_SESSIONS = 100_000;

    /** A file keeps more than memory does. */
    private static final long FILE_FACTOR = 1024;

    private final GatewaySettings.Store settings;
    private final Map<String, MessageStore> stores = new HashMap<>();
    private final Map<String, Integer> homes = new HashMap<>();
    private final Set<String> lent = new HashSet<>();
    private final Optional<StoreFolder> folder;

    /** Reports at once if the folder of a file store cannot be used. */
    FixStores(final GatewaySettings.Store settings) {
        this.settings = settings;
        folder =
                settings.store() == StoreKind.FILE
                        ? Optional.of(StoreFolder.take(Path.of(settings.storeDir())))
                        : Optional.empty();
    }

    /**
     * The worker that a counterparty was connected to before, or is about to be: what is kept for
     * it while it is away is there, in the order in which that worker sent messages.
     */
    synchronized int home(final String counterpart, final int otherwise) {
        return homes.getOrDefault(counterpart, otherwise);
    }

    /**
     * Opens the stores of counterparties for which messages were kept before this gateway started,
     * each for a worker in turn.
     */
    synchronized void findKept(
            final int workers, final long nowMs, final ObjIntConsumer<Kept> found) {
        if (folder.isEmpty()) {
            return;
        }
        for (final String counterpart : FileStore.sessions(Path.of(settings.storeDir()))) {
            final MessageStore store = open(counterpart, nowMs);
            if (store.isKeptFor() && stores.size() < MOST_SESSIONS) {
                final int worker = homes.size() % workers;
                stores.put(counterpart, store);
                homes.put(counterpart, worker);
                found.accept(new Kept(counterpart, store), worker);
            } else {
                store.close();
            }
        }
    }

    /** A store in which messages are kept for a disconnected counterparty. */
    record Kept(String counterpart, MessageStore store) {}

    /**
     * The store of a counterpart for a worker; null where it is in use, or there are too many, or
     * another worker was quicker.
     */
    synchronized MessageStore lend(final String counterpart, final int worker, final long nowMs) {
        if (homes.getOrDefault(counterpart, worker) != worker
                || lent.contains(counterpart)
                || !stores.containsKey(counterpart) && stores.size() >= MOST_SESSIONS) {
            return null;
        }
        final MessageStore store = stores.computeIfAbsent(counterpart, name -> open(name, nowMs));
        lent.add(counterpart);
        homes.put(counterpart, worker);
        return store;
    }

    private MessageStore open(final String counterpart, final long nowMs) {
        return switch (settings.store()) {
            case NONE -> new MemoryStore(0, nowMs);
            case MEMORY -> new MemoryStore(settings.storeBytes(), nowMs);
            case FILE ->
                    FileStore.open(
                            Path.of(settings.storeDir()),
                            counterpart,
                            FILE_FACTOR * settings.storeBytes(),
                            nowMs);
        };
    }

    synchronized void giveBack(final String counterpart) {
        lent.remove(counterpart);
    }

    @Override
    public synchronized void close() {
        stores.values().forEach(MessageStore::close);
        folder.ifPresent(StoreFolder::close);
    }
}

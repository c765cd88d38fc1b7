package io.tickmark.workloads.messaging.store;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import java.util.List;
import java.util.stream.IntStream;

/** Makes stores. */
public final class StoreFactory implements RoleFactory<StoreSettings> {
    /** For the service loader. */
    public StoreFactory() {}

    @Override
    public String name() {
        return "store";
    }

    @Override
    public String summary() {
        return "Runs a store, and reads back from disk what it has acknowledged.";
    }

    @Override
    public Class<StoreSettings> settings() {
        return StoreSettings.class;
    }

    @Override
    public List<HotThread> hotThreads(
            final StoreSettings settings, final int index, final int count) {
        return IntStream.rangeClosed(1, members(settings))
                .mapToObj(member -> new HotThread("store member " + member, false))
                .toList();
    }

    /** They are of its members, which are processes of the engine's. */
    @Override
    public boolean isPlaceable() {
        return false;
    }

    @Override
    public int members(final StoreSettings settings) {
        final ChannelUri channel = ChannelUri.parse(settings.channel());
        return Stores.of(channel).guarantees(channel).members();
    }

    @Override
    public long expectedDurationNs(final StoreSettings settings) {
        return 0;
    }

    /** It ends when nobody writes or reads any more. */
    @Override
    public boolean isObserver() {
        return true;
    }

    @Override
    public long patienceNs(final StoreSettings settings) {
        return Stores.patienceNs(ChannelUri.parse(settings.channel()));
    }

    @Override
    public void check(final StoreSettings settings) {
        members(settings);
        if (settings.keepStored() && settings.storeDirectory().isEmpty()) {
            throw UserError.usage(
                    "--keep-stored: keeps data in a folder of temporary files; name one with --store-directory.");
        }
    }

    @Override
    public boolean staysOnOneHost(final StoreSettings settings) {
        return Stores.stayOnOneHost(ChannelUri.parse(settings.channel()));
    }

    @Override
    public Role create(final StoreSettings settings, final RoleContext context) {
        check(settings);
        return new StoreRole(settings, context);
    }
}

package io.tickmark.workloads.market.hub;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.DataDictionary;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.DecodeIterator;
import com.refinitiv.eta.codec.DictionaryEntry;
import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.codec.Enum;
import com.refinitiv.eta.codec.EnumType;
import com.refinitiv.eta.codec.EnumTypeTable;
import com.refinitiv.eta.codec.FieldSetDefDb;
import com.refinitiv.eta.codec.Int;
import com.refinitiv.eta.transport.Error;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.hub.HubCounts.Traffic;
import io.tickmark.workloads.market.source.DictionaryReply;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The hub's field dictionaries: that of each service whose provider sent one, and the hub's own for
 * all others. Single-threaded.
 */
final class Dictionaries {
    private final FieldDictionary own;
    private final HubCounts counts;
    private final boolean learns;
    private final boolean servesOwn;
    private final List<FieldDictionary> learned = new ArrayList<>();
    private final Map<Source, FieldDictionary> bySource = new IdentityHashMap<>();
    private final Map<FieldDictionary, DictionaryReply> replies = new IdentityHashMap<>();
    private final OfAll ofAll = new OfAll();

    Dictionaries(final FieldDictionary own, final HubSettings settings, final HubCounts counts) {
        this.own = own;
        this.counts = counts;
        learns = settings.content().fieldDictionary().isEmpty(); // otherwise the user has set which
        servesOwn = !settings.ownService().isEmpty();
    }

    /** Whether providers are requested to send theirs. */
    boolean learns() {
        return learns;
    }

    /** A provider has given its dictionary, which takes the place of one that it gave before. */
    void learn(final Source from, final FieldDictionary dictionary) {
        bySource.put(from, dictionary);
        learned.clear();
        bySource.values().forEach(learned::add);
        for (final FieldDictionary other : learned) {
            if (other != dictionary) {
                compare(from, dictionary, other);
            }
        }
        if (servesOwn) {
            compare(from, dictionary, own);
        }
    }

    private void compare(
            final Source from, final FieldDictionary dictionary, final FieldDictionary other) {
        for (int fieldId = Short.MIN_VALUE; fieldId <= Short.MAX_VALUE; fieldId++) {
            final int type = dictionary.typeOf(fieldId);
            final int otherType = other.typeOf(fieldId);
            if (type != otherType && type != 0 && otherType != 0) {
                final int id = fieldId;
                counts.dropped(
                        Traffic::dictionaryConflicts,
                        () ->
                                "field %d is %s in that of %s and %s elsewhere"
                                        .formatted(
                                                id,
                                                DataTypes.toString(type),
                                                from.name(),
                                                DataTypes.toString(otherType)));
            }
        }
    }

    /**
     * The dictionary with which consumers of a service have to read its items; the service may be
     * null.
     */
    private FieldDictionary of(final HubService service) {
        if (service != null) {
            for (final Source source : service.sources()) {
                final FieldDictionary given = bySource.get(source);
                if (given != null) {
                    return given;
                }
            }
            if (service.isUp()) {
                return own;
            }
        }
        return learned.isEmpty() || servesOwn ? own : learned.getFirst();
    }

    /** The answer to requests for the dictionary of a service, which may be null. */
    DictionaryReply reply(final HubService service) {
        return replies.computeIfAbsent(of(service), DictionaryReply::new);
    }

    /** All of them as one, the newest knowledge at any time. */
    DataDictionary ofAll() {
        return ofAll;
    }

    /**
     * All dictionaries as one that the converter to JSON keeps and looks fields up in: those of
     * providers first, the hub's own last. It acts as the hub's own for anything but fields, and
     * cannot be changed.
     */
    private final class OfAll implements DataDictionary {
        private DataDictionary own() {
            return own.codec();
        }

        @Override
        public DictionaryEntry entry(final int fieldId) {
            for (int i = 0; i < learned.size(); i++) { // by index: an iterator would be garbage
                final DictionaryEntry entry = learned.get(i).codec().entry(fieldId);
                if (entry != null) {
                    return entry;
                }
            }
            return own().entry(fieldId);
        }

        @Override
        public DictionaryEntry entry(final String acronym) {
            for (int i = 0; i < learned.size(); i++) {
                if (learned.get(i).codec().hasEntry(acronym)) {
                    return learned.get(i).codec().entry(acronym);
                }
            }
            return own().entry(acronym);
        }

        @Override
        public boolean hasEntry(final String acronym) {
            return entry(acronym) != null;
        }

        @Override
        public EnumType entryEnumType(final DictionaryEntry entry, final Enum value) {
            return own().entryEnumType(entry, value); // which looks into the entry's own table
        }

        private UnsupportedOperationException unchangeable() {
            return new UnsupportedOperationException("dictionaries of providers are not changed");
        }

        @Override
        public void clear() {
            throw unchangeable();
        }

        @Override
        public int loadFieldDictionary(final String file, final Error error) {
            throw unchangeable();
        }

        @Override
        public int loadEnumTypeDictionary(final String file, final Error error) {
            throw unchangeable();
        }

        @Override
        public int decodeFieldDictionary(
                final DecodeIterator from, final int verbosity, final Error error) {
            throw unchangeable();
        }

        @Override
        public int decodeEnumTypeDictionary(
                final DecodeIterator from, final int verbosity, final Error error) {
            throw unchangeable();
        }

        @Override
        public int extractDictionaryType(
                final DecodeIterator from, final Int type, final Error error) {
            return own().extractDictionaryType(from, type, error);
        }

        @Override
        public int encodeFieldDictionary(
                final EncodeIterator to, final Int current, final int verbosity, final Error why) {
            return own().encodeFieldDictionary(to, current, verbosity, why);
        }

        @Override
        public int encodeEnumTypeDictionary(
                final EncodeIterator to, final int verbosity, final Error error) {
            return own().encodeEnumTypeDictionary(to, verbosity, error);
        }

        @Override
        public int encodeEnumTypeDictionaryAsMultiPart(
                final EncodeIterator to, final Int current, final int verbosity, final Error why) {
            return own().encodeEnumTypeDictionaryAsMultiPart(to, current, verbosity, why);
        }

        @Override
        public int minFid() {
            return learned.stream()
                    .mapToInt(each -> each.codec().minFid())
                    .reduce(own().minFid(), Math::min);
        }

        @Override
        public int maxFid() {
            return learned.stream()
                    .mapToInt(each -> each.codec().maxFid())
                    .reduce(own().maxFid(), Math::max);
        }

        @Override
        public int numberOfEntries() {
            return own().numberOfEntries();
        }

        @Override
        public EnumTypeTable[] enumTables() {
            return own().enumTables();
        }

        @Override
        public int enumTableCount() {
            return own().enumTableCount();
        }

        @Override
        public int infoDictionaryId() {
            return own().infoDictionaryId();
        }

        @Override
        public Buffer infoFieldVersion() {
            return own().infoFieldVersion();
        }

        @Override
        public Buffer infoEnumRTVersion() {
            return own().infoEnumRTVersion();
        }

        @Override
        public Buffer infoEnumDTVersion() {
            return own().infoEnumDTVersion();
        }

        @Override
        public Buffer infoFieldFilename() {
            return own().infoFieldFilename();
        }

        @Override
        public Buffer infoFieldDesc() {
            return own().infoFieldDesc();
        }

        @Override
        public Buffer infoFieldBuild() {
            return own().infoFieldBuild();
        }

        @Override
        public Buffer infoFieldDate() {
            return own().infoFieldDate();
        }

        @Override
        public Buffer infoEnumFilename() {
            return own().infoEnumFilename();
        }

        @Override
        public Buffer infoEnumDesc() {
            return own().infoEnumDesc();
        }

        @Override
        public Buffer infoEnumDate() {
            return own().infoEnumDate();
        }

        @Override
        public FieldSetDefDb fieldSetDef() {
            return own().fieldSetDef();
        }
    }
}

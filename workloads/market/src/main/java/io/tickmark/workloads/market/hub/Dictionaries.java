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
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The hub's field dictionaries: that of each service whose provider sent one, and the hub's own for
 * all others. Single-threaded.
 */
final class Dictionaries {
    private static final int IDS = 1 << Short.SIZE;

    private final FieldDictionary own;
    private final HubCounts counts;
    private final boolean learns;
    private final boolean servesOwn;
    private final List<FieldDictionary> learned = new ArrayList<>();
    private final Map<ItemSource, FieldDictionary> bySource = new LinkedHashMap<>(); // as they came
    private final Map<HubService, FieldDictionary> byService = new HashMap<>();
    private final Map<FieldDictionary, DictionaryReply> replies = new IdentityHashMap<>();
    private final Map<FieldDictionary, Boolean> misnamed = new IdentityHashMap<>();
    private final BitSet conflicts = new BitSet(IDS);
    private final OfAll ofAll = new OfAll();
    private final Map<String, DictionaryEntry> guessed = new HashMap<>();
    private FieldDictionary reading; // null while the converter does not know for which service
    private boolean usesOwn;

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
    void learn(final ItemSource from, final FieldDictionary dictionary) {
        bySource.put(from, dictionary);
        learned.clear();
        learned.addAll(bySource.values());
        misnamed.clear();
        for (final FieldDictionary other : learned) {
            if (other != dictionary) {
                compare(from, dictionary, other);
            }
        }
        if (usesOwn) {
            compare(from, dictionary, own);
        }
    }

    /** Counts each field once, whichever dictionaries differ in it. */
    private void compare(
            final ItemSource from, final FieldDictionary dictionary, final FieldDictionary other) {
        for (int fieldId = Short.MIN_VALUE; fieldId <= Short.MAX_VALUE; fieldId++) {
            final DictionaryEntry entry = dictionary.codec().entry(fieldId);
            final DictionaryEntry another = other.codec().entry(fieldId);
            if (entry == null || another == null || conflicts.get(fieldId & IDS - 1)) {
                continue;
            }
            final boolean agree = agree(entry, another);
            if (agree && agree(entry.enumTypeTable(), another.enumTypeTable())) {
                continue;
            }
            conflicts.set(fieldId & IDS - 1);
            final int id = fieldId;
            counts.dropped(
                    Traffic::dictionaryConflicts,
                    () ->
                            "field %d is %s in that of %s and %s elsewhere"
                                    .formatted(
                                            id,
                                            words(entry),
                                            from.name(),
                                            agree ? "has other values" : words(another)));
        }
    }

    /** Whether a field has the same name and type. */
    static boolean agree(final DictionaryEntry one, final DictionaryEntry other) {
        return one == other
                || one.rwfType() == other.rwfType() && one.acronym().equals(other.acronym());
    }

    /** Whether the values that both tables have mean the same. */
    private static boolean agree(final EnumTypeTable one, final EnumTypeTable other) {
        if (one == null || other == null) {
            return true;
        }
        final int values = Math.min(one.enumTypes().length, other.enumTypes().length);
        for (int value = 0; value < values; value++) {
            final EnumType ofOne = one.enumTypes()[value];
            final EnumType ofOther = other.enumTypes()[value];
            if (ofOne != null && ofOther != null && !ofOne.display().equals(ofOther.display())) {
                return false;
            }
        }
        return true;
    }

    /** The name of a field and its type. */
    static String words(final DictionaryEntry entry) {
        return "%s of type %s".formatted(entry.acronym(), DataTypes.toString(entry.rwfType()));
    }

    /**
     * A service is up, or other sources provide it: its items are read with the first dictionary
     * that one of these has given, else with the hub's own; also while it is down afterwards.
     */
    void choose(final HubService service) {
        final FieldDictionary chosen =
                service.sources().stream()
                        .map(bySource::get)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(own);
        byService.put(service, chosen);
        if (chosen == own && !usesOwn) {
            usesOwn = true;
            bySource.forEach((from, given) -> compare(from, given, own));
        }
    }

    /**
     * The dictionary with which consumers of a service have to read its items; the service may be
     * null.
     */
    FieldDictionary of(final HubService service) {
        final FieldDictionary chosen = service == null ? null : byService.get(service);
        if (chosen != null) {
            return chosen;
        }
        return learned.isEmpty() || servesOwn ? own : learned.getFirst();
    }

    /** A field as those know it who read with a dictionary: what it lacks is in the hub's own. */
    DictionaryEntry wanted(final FieldDictionary dictionary, final int fieldId) {
        final DictionaryEntry given = dictionary.codec().entry(fieldId);
        return given == null ? own.codec().entry(fieldId) : given;
    }

    /** The field of a name for those who read with a dictionary; null where they know none. */
    private DictionaryEntry wanted(final FieldDictionary dictionary, final String name) {
        if (dictionary.codec().hasEntry(name)) {
            return dictionary.codec().entry(name);
        }
        final DictionaryEntry ofOwn = own.codec().entry(name);
        return ofOwn == null || dictionary.codec().entry(ofOwn.fid()) == null ? ofOwn : null;
    }

    /**
     * The converter from JSON has begun with a message for a service: field names in it are those
     * of the service's dictionary, until {@link #hasRead}.
     */
    void reading(final HubService service) {
        hasRead();
        reading = of(service);
    }

    /** The converted message has been handled. */
    void hasRead() {
        reading = null;
        if (!guessed.isEmpty()) {
            guessed.clear();
        }
    }

    /**
     * What is wrong with the field names of the message that was converted last, where that did not
     * name its service and they stand for other fields in the service's dictionary; otherwise
     * empty.
     */
    String misread(final HubService service) {
        if (guessed.isEmpty()) {
            return "";
        }
        final FieldDictionary right = of(service);
        for (final Map.Entry<String, DictionaryEntry> each : guessed.entrySet()) {
            final DictionaryEntry wanted = wanted(right, each.getKey());
            if (wanted == null
                    || wanted.fid() != each.getValue().fid()
                    || wanted.rwfType() != each.getValue().rwfType()) {
                return "it names the field %s but not the service, and for %s that is not the same field as for others"
                        .formatted(each.getKey(), service.name());
            }
        }
        return "";
    }

    /** Whether {@link #ofAll} has a field that is not the same, or is none, in a dictionary. */
    boolean isMisnamed(final FieldDictionary dictionary) {
        Boolean answer = misnamed.get(dictionary);
        if (answer == null) {
            answer = differs(dictionary);
            misnamed.put(dictionary, answer);
        }
        return answer;
    }

    private boolean differs(final FieldDictionary dictionary) {
        for (int fieldId = Short.MIN_VALUE; fieldId <= Short.MAX_VALUE; fieldId++) {
            final DictionaryEntry known = ofAll.entry(fieldId);
            final DictionaryEntry wanted = wanted(dictionary, fieldId);
            if (known != null && (wanted == null || !agree(known, wanted))) {
                return true;
            }
        }
        return false;
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
     * providers first, in the order in which they came, the hub's own last. Names of fields are
     * looked up in the dictionary of the service that a message is for. It acts as the hub's own
     * for anything but fields, and cannot be changed.
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
            if (reading != null) {
                return wanted(reading, acronym);
            }
            final DictionaryEntry first = first(acronym);
            if (first != null) {
                guessed.put(acronym, first);
            }
            return first;
        }

        private DictionaryEntry first(final String acronym) {
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

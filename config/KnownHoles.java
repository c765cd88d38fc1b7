import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Looks for libraries with known holes among those that ship, without the network. Started by the build, and by {@code
 * config/renew-known-holes} and {@code deploy/package}, with the distribution's own jars on the class path:
 *
 * <pre>
 * java KnownHoles.java check ROOT DIST [TODAY]   exit code 1 when something ships that has a hole that nobody allowed
 * java KnownHoles.java renew ROOT DIST [OSV]     writes ROOT/config/known-holes.json anew from OSV's service
 * java KnownHoles.java java BILL RELEASE...      adds the linked Java to a bill of materials, as its 'release' files describe it
 * </pre>
 *
 * <p>What ships is read from the bill of materials {@code DIST/tickmark.cdx.json}, from the {@code pom.properties} within
 * the jars (a library that another one has swallowed has no line of its own in any list), and from the lock files of the
 * two pages; {@code check} adds the packages of the pages to the bill, which Maven knows nothing of. The holes are records in
 * the format of OSV (https://ossf.github.io/osv-schema/); versions are compared as Maven does
 * (https://maven.apache.org/pom.html#version-order-specification), those of npm as Semantic Versioning does.
 */
final class KnownHoles {
    private static final ObjectMapper JSON = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    private static final String OSV = "https://api.osv.dev";
    private static final String BILL = "tickmark.cdx.json";
    private static final String BUILD =
            "build once with the network, by 'mvn -pl cli -am -DskipTests verify', or leave the gates out with -Dquick.";
    private static final int MOST_DAYS = 60;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private KnownHoles() {}

    /** A library that ships: its ecosystem and name as OSV has them, its version, and where it was found. */
    private record Shipped(String ecosystem, String name, String version, String where) {}

    /** A package that a page contains, and its entry in the page's lock file. */
    private record Page(String page, String name, String version, JsonNode entry) {}

    /** A hole that is known and allowed for a time. */
    private record Allowed(String id, String name, String reason, LocalDate until) {}

    public static void main(final String[] args) throws InterruptedException {
        try {
            final int status = run(args, System.out, System.err);
            if (System.out.checkError()) {
                throw new IOException("standard output cannot be written; send it where there is room.");
            }
            System.exit(status);
        } catch (final IOException e) {
            System.err.println("known holes: " + e.getMessage());
            System.exit(3);
        }
    }

    /** What a process does, for tests within their own. */
    static int run(final String[] args, final PrintStream out, final PrintStream err) throws IOException, InterruptedException {
        if (args[0].equals("java")) {
            addJava(Path.of(args[1]), List.of(args).subList(2, args.length).stream().map(Path::of).toList());
            return 0;
        }
        if (args[0].equals("debian")) {
            addDebian(Path.of(args[1]), Path.of(args[2]));
            return 0;
        }
        final Path root = Path.of(args[1]);
        final Path dist = Path.of(args[2]);
        return switch (args[0]) {
            case "check" -> {
                keepBill(dist);
                addPages(root, dist.resolve(BILL));
                yield check(root, dist, args.length > 3 ? LocalDate.parse(args[3]) : LocalDate.now(ZoneOffset.UTC), out, err);
            }
            case "renew" -> renew(root, dist, args.length > 3 ? args[3] : OSV, out);
            default -> throw new IOException("check, renew, java or debian, not " + args[0]);
        };
    }

    /**
     * Maven makes no bill of materials while it is offline. The last one is kept beside the distribution, which each build
     * makes anew, and serves again where it names every jar that ships: what could not be looked at has not passed.
     */
    private static void keepBill(final Path dist) throws IOException {
        final Path bill = dist.resolve(BILL);
        final Path kept = dist.resolveSibling(BILL);
        if (!Boolean.getBoolean("tickmark.offline")) {
            if (!Files.exists(bill)) {
                throw new IOException("there is no " + bill + " to look for known holes in; " + BUILD);
            }
            Files.copy(bill, kept, StandardCopyOption.REPLACE_EXISTING);
            return;
        }
        if (!Files.exists(kept)) {
            throw new IOException("not looked for: Maven is offline and makes no bill of materials, and none is left of an earlier build; "
                    + BUILD);
        }
        final Set<String> named = new TreeSet<>();
        JSON.readTree(kept.toFile()).path("components").forEach(
                one -> named.add(one.path("name").asString() + "-" + one.path("version").asString()));
        final List<String> others = new ArrayList<>();
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(dist.resolve("lib"), "*.jar")) {
            for (final Path jar : jars) {
                final String name = jar.getFileName().toString();
                if (!name.startsWith("tickmark-") && named.stream().noneMatch(each -> isOf(each, name))) {
                    others.add(name);
                }
            }
        }
        if (!others.isEmpty()) {
            throw new IOException("not looked for: Maven is offline, and the bill of materials of the last build does not name "
                    + String.join(", ", others) + "; " + BUILD);
        }
        Files.copy(kept, bill, StandardCopyOption.REPLACE_EXISTING);
    }

    /** A jar may have a classifier after its version. */
    private static boolean isOf(final String nameAndVersion, final String jar) {
        return jar.equals(nameAndVersion + ".jar") || jar.startsWith(nameAndVersion + "-");
    }

    /** Adds what the two pages contain to the bill of materials; what is there already stays. */
    private static void addPages(final Path root, final Path bill) throws IOException {
        final Map<String, ObjectNode> components = new TreeMap<>();
        for (final Page page : pages(root)) {
            final ObjectNode one = JSON.createObjectNode();
            final String purl = "pkg:npm/" + page.name.replace("@", "%40") + "@" + page.version;
            one.put("type", "library").put("bom-ref", purl);
            final int scope = page.name.indexOf('/');
            if (scope > 0) {
                one.put("group", page.name.substring(0, scope));
            }
            one.put("name", page.name.substring(scope + 1)).put("version", page.version).put("scope", "required");
            final String integrity = page.entry.path("integrity").asString("");
            if (integrity.startsWith("sha512-")) {
                one.putArray("hashes").addObject().put("alg", "SHA-512").put("content",
                        HexFormat.of().formatHex(Base64.getDecoder().decode(integrity.substring("sha512-".length()))));
            }
            if (page.entry.hasNonNull("license")) {
                one.putArray("licenses").addObject().put("expression", page.entry.get("license").asString());
            }
            one.put("purl", purl);
            components.putIfAbsent(purl, one);
        }
        add(bill, components);
    }

    /** Adds the Java that was linked; of several files that say the same the first counts. */
    private static void addJava(final Path bill, final List<Path> releases) throws IOException {
        final Properties its = new Properties();
        for (final Path release : releases) {
            if (Files.isRegularFile(release)) {
                final Properties said = new Properties();
                try (InputStream in = Files.newInputStream(release)) {
                    said.load(in);
                }
                said.forEach((key, value) -> its.putIfAbsent(key, value.toString().replaceAll("^\"|\"$", "")));
            }
        }
        final String version = its.getProperty("JAVA_RUNTIME_VERSION", its.getProperty("JAVA_VERSION", ""));
        if (version.isEmpty()) {
            throw new IOException("no JAVA_VERSION in " + releases + ": the Java that ships cannot be named in " + bill);
        }
        final ObjectNode one = JSON.createObjectNode();
        final String purl = "pkg:generic/openjdk@" + version.replace("+", "%2B");
        one.put("type", "platform").put("bom-ref", purl);
        if (its.containsKey("IMPLEMENTOR")) {
            one.putObject("supplier").put("name", its.getProperty("IMPLEMENTOR"));
        }
        one.put("name", "openjdk").put("version", version).put("scope", "required");
        one.putArray("licenses").addObject().put("expression", "GPL-2.0-only WITH Classpath-exception-2.0");
        one.put("purl", purl);
        if (its.containsKey("MODULES")) {
            one.putArray("properties").addObject().put("name", "tickmark:modules").put("value", its.getProperty("MODULES"));
        }
        add(bill, Map.of(purl, one));
    }

    /** Adds the packages that a Debian system lists as installed, by its file {@code var/lib/dpkg/status} (deb822). */
    private static void addDebian(final Path bill, final Path status) throws IOException {
        final Map<String, ObjectNode> components = new TreeMap<>();
        for (final String stanza : Files.readString(status).split("\n\n+")) {
            final Map<String, String> fields = new TreeMap<>();
            for (final String line : stanza.split("\n")) {
                final int colon = line.indexOf(": ");
                if (colon > 0 && line.charAt(0) != ' ') { // further lines of a field begin with a space
                    fields.put(line.substring(0, colon), line.substring(colon + 2).strip());
                }
            }
            if (!fields.getOrDefault("Status", "").endsWith(" installed")) {
                continue;
            }
            final String name = fields.getOrDefault("Package", "");
            final String version = fields.getOrDefault("Version", "");
            if (name.isEmpty() || version.isEmpty()) {
                throw new IOException(status + " has a package without name or version: it cannot be named in " + bill);
            }
            final ObjectNode one = JSON.createObjectNode();
            final String purl = "pkg:deb/debian/" + name.replace("+", "%2B") + "@" + version.replace("+", "%2B").replace(":", "%3A")
                    + "?arch=" + fields.getOrDefault("Architecture", "all");
            one.put("type", "library").put("bom-ref", purl);
            one.put("name", name).put("version", version).put("scope", "required");
            one.put("purl", purl);
            components.put(purl, one);
        }
        if (components.isEmpty()) {
            throw new IOException(status + " lists no installed package: what the image has cannot be named in " + bill);
        }
        add(bill, components);
    }

    private static void add(final Path bill, final Map<String, ObjectNode> components) throws IOException {
        final ObjectNode all = (ObjectNode) JSON.readTree(bill.toFile());
        final ArrayNode list = all.withArray("components");
        final Set<String> there = new TreeSet<>();
        list.forEach(each -> there.add(each.path("purl").asString("")));
        final List<ObjectNode> more = components.entrySet().stream()
                .filter(each -> !there.contains(each.getKey())).map(Map.Entry::getValue).toList();
        if (!more.isEmpty()) {
            more.forEach(list::add);
            Files.writeString(bill, JSON.writeValueAsString(all) + "\n");
        }
    }

    private static int check(final Path root, final Path dist, final LocalDate today, final PrintStream out, final PrintStream err)
            throws IOException {
        final JsonNode list = JSON.readTree(root.resolve("config/known-holes.json").toFile());
        final List<Allowed> allowances = allowances(root);
        final Set<Allowed> used = new LinkedHashSet<>();
        final Collection<Shipped> all = shipped(root, dist);
        final List<String> refusals = new ArrayList<>();
        for (final JsonNode hole : list.path("vulns")) {
            if (hole.hasNonNull("withdrawn")) {
                continue;
            }
            for (final Shipped each : all) {
                if (!affects(hole, each)) {
                    continue;
                }
                final Allowed allowance = allowances.stream()
                        .filter(one -> ids(hole).contains(one.id) && one.name.equals(each.name)).findFirst().orElse(null);
                if (allowance == null) {
                    refusals.add(each.name + " " + each.version + " (" + each.where + ") has the known hole " + String.join(", ", ids(hole)) + ": "
                            + hole.path("summary").asString("no summary") + fixes(hole, each));
                } else if (allowance.until.isBefore(today)) {
                    refusals.add(each.name + " " + each.version + ": " + allowance.id + " was allowed until " + allowance.until
                            + " (" + allowance.reason + "): update the library, or say in config/allowed-holes.json why it may stay longer");
                }
                if (allowance != null) {
                    used.add(allowance);
                }
            }
        }
        allowances.stream().filter(one -> !used.contains(one)).forEach(one -> refusals.add("config/allowed-holes.json allows " + one.id
                + " of " + one.name + ", which nothing that ships has any more: remove the line"));
        refusals.stream().distinct().forEach(line -> err.println("known hole: " + line + "."));
        final boolean isRenewed = list.hasNonNull("renewed");
        final LocalDate renewed = LocalDate.parse(list.path(isRenewed ? "renewed" : "written").asString());
        final long days = ChronoUnit.DAYS.between(renewed, today);
        if (days > MOST_DAYS) {
            err.println("known holes: the list is " + days + " days old; config/renew-known-holes renews it.");
        }
        final Set<List<String>> recorded = new LinkedHashSet<>();
        list.path("vulns").forEach(hole -> hole.path("affected").forEach(one -> recorded.add(
                List.of(one.path("package").path("ecosystem").asString(), one.path("package").path("name").asString()))));
        final long without = all.stream().filter(each -> !recorded.contains(List.of(each.ecosystem, each.name))).count();
        int byHand = 0;
        for (final JsonNode hole : list.path("vulns")) {
            byHand += isByHand(hole) ? 1 : 0;
        }
        final int records = list.path("vulns").size();
        out.println("known holes: " + all.size() + " libraries, "
                + (isRenewed
                        ? records - byHand + " records of OSV of " + renewed + (byHand == 0 ? "" : " and " + byHand + " written by hand")
                        : records + " records, written by hand on " + renewed)
                + ", " + used.size() + " allowed, " + refusals.size() + " refused; " + without + " of " + all.size()
                + " libraries have no record in the list"
                + (isRenewed ? "" : ", which says nothing of whether they have holes"));
        return refusals.isEmpty() ? 0 : 1;
    }

    /** Nobody but OSV vouches for its records; others stay in a renewed list until it has them. */
    private static boolean isByHand(final JsonNode hole) {
        return hole.path("database_specific").path("by_hand").asBoolean(false);
    }

    private static List<Allowed> allowances(final Path root) throws IOException {
        final List<Allowed> all = new ArrayList<>();
        for (final JsonNode one : JSON.readTree(root.resolve("config/allowed-holes.json").toFile())) {
            for (final String key : List.of("id", "name", "reason", "until")) {
                if (one.path(key).asString("").isBlank()) {
                    throw new IOException("config/allowed-holes.json: an entry has no '" + key + "': " + one);
                }
            }
            all.add(new Allowed(one.get("id").asString(), one.get("name").asString(), one.get("reason").asString(),
                    LocalDate.parse(one.get("until").asString())));
        }
        return all;
    }

    private static Set<String> ids(final JsonNode hole) {
        final Set<String> ids = new LinkedHashSet<>();
        ids.add(hole.path("id").asString());
        hole.path("aliases").forEach(alias -> ids.add(alias.asString()));
        return ids;
    }

    private static Collection<Shipped> shipped(final Path root, final Path dist) throws IOException {
        final Map<String, Shipped> all = new TreeMap<>();
        for (final JsonNode component : JSON.readTree(dist.resolve(BILL).toFile()).path("components")) {
            if (!component.path("purl").asString("pkg:maven/").startsWith("pkg:maven/")) {
                continue;
            }
            put(all, new Shipped("Maven", component.path("group").asString() + ":" + component.path("name").asString(),
                    component.path("version").asString(), "in the bill of materials"));
        }
        if (all.isEmpty()) {
            throw new IOException(dist.resolve(BILL) + " names nothing that ships");
        }
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(dist.resolve("lib"), "*.jar")) {
            for (final Path jar : jars) {
                addSwallowed(all, jar);
            }
        }
        pages(root).forEach(one -> put(all, new Shipped("npm", one.name, one.version, "in the page of " + one.page)));
        all.values().removeIf(each -> each.name.startsWith("io.tickmark:"));
        return all.values();
    }

    private static List<Page> pages(final Path root) throws IOException {
        final List<Page> all = new ArrayList<>();
        for (final String page : List.of("report", "console")) {
            final Path lock = root.resolve(page).resolve("package-lock.json");
            if (Files.isRegularFile(lock)) {
                JSON.readTree(lock.toFile()).path("packages").properties().forEach(entry -> {
                    // the empty name is the page's own; what is for development only is not in the page
                    if (!entry.getKey().isEmpty() && !entry.getValue().path("dev").asBoolean(false)) {
                        all.add(new Page(page, entry.getKey().replaceFirst("^.*node_modules/", ""),
                                entry.getValue().path("version").asString(), entry.getValue()));
                    }
                });
            }
        }
        return all;
    }

    private static void put(final Map<String, Shipped> all, final Shipped one) {
        all.putIfAbsent(one.ecosystem + " " + one.name + " " + one.version, one);
    }

    private static void addSwallowed(final Map<String, Shipped> all, final Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            for (final JarEntry entry : (Iterable<JarEntry>) file.stream()::iterator) {
                if (entry.getName().startsWith("META-INF/maven/") && entry.getName().endsWith("/pom.properties")) {
                    final Properties its = new Properties();
                    try (InputStream in = file.getInputStream(entry)) {
                        its.load(in);
                    }
                    put(all, new Shipped("Maven", its.getProperty("groupId") + ":" + its.getProperty("artifactId"),
                            its.getProperty("version", ""), "within " + jar.getFileName()));
                }
            }
        }
    }

    private static boolean affects(final JsonNode hole, final Shipped one) {
        for (final JsonNode affected : hole.path("affected")) {
            if (!isOf(affected, one)) {
                continue;
            }
            for (final JsonNode version : affected.path("versions")) {
                if (version.asString().equals(one.version)) {
                    return true;
                }
            }
            for (final JsonNode range : affected.path("ranges")) {
                if (!range.path("type").asString().equals("GIT") && isWithin(range, one)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isOf(final JsonNode affected, final Shipped one) {
        final JsonNode its = affected.path("package");
        return its.path("ecosystem").asString().equals(one.ecosystem) && its.path("name").asString().equals(one.name);
    }

    /** As OSV's specification evaluates it: the last event in the order of versions that the version has reached decides. */
    private static boolean isWithin(final JsonNode range, final Shipped one) {
        final Order order = one.ecosystem.equals("npm") ? KnownHoles::compareSemantic : KnownHoles::compareMaven;
        final List<Event> events = new ArrayList<>();
        for (final JsonNode event : range.path("events")) {
            event.properties().forEach(entry -> events.add(new Event(entry.getKey(), entry.getValue().asString())));
        }
        events.sort((a, b) -> a.version.equals("0") || b.version.equals("0")
                ? Boolean.compare(!a.version.equals("0"), !b.version.equals("0")) : order.compare(a.version, b.version));
        boolean within = false;
        for (final Event event : events) {
            switch (event.kind) {
                case "introduced" -> within |= event.version.equals("0") || order.compare(one.version, event.version) >= 0;
                case "fixed" -> within &= order.compare(one.version, event.version) < 0;
                case "last_affected" -> within &= order.compare(one.version, event.version) <= 0;
                default -> { } // a limit is for commits
            }
        }
        return within;
    }

    private record Event(String kind, String version) {}

    private interface Order {
        int compare(String version, String other);
    }

    static int compareMaven(final String version, final String other) {
        return MavenVersion.of(version).compareTo(MavenVersion.of(other));
    }

    /** Semantic Versioning 2.0.0, section 11; the build's metadata do not count. */
    private static int compareSemantic(final String version, final String other) {
        final String[] a = version.replaceFirst("\\+.*", "").split("-", 2);
        final String[] b = other.replaceFirst("\\+.*", "").split("-", 2);
        final int numbers = compareParts(a[0], b[0]);
        if (numbers != 0 || a.length == 1 && b.length == 1) {
            return numbers;
        }
        return a.length != b.length ? b.length - a.length : compareParts(a[1], b[1]);
    }

    private static int compareParts(final String parts, final String others) {
        final String[] a = parts.split("\\.");
        final String[] b = others.split("\\.");
        for (int i = 0; i < Math.min(a.length, b.length); i++) {
            final boolean number = a[i].matches("\\d+");
            final int order = number != b[i].matches("\\d+") ? (number ? -1 : 1)
                    : number ? MavenVersion.compareNumbers(a[i], b[i]) : a[i].compareTo(b[i]);
            if (order != 0) {
                return order;
            }
        }
        return a.length - b.length;
    }

    private static String fixes(final JsonNode hole, final Shipped one) {
        final Set<String> fixes = new TreeSet<>();
        for (final JsonNode affected : hole.path("affected")) {
            if (isOf(affected, one)) {
                affected.path("ranges").forEach(range -> range.path("events").forEach(event -> {
                    if (event.hasNonNull("fixed") && !range.path("type").asString().equals("GIT")) {
                        fixes.add(event.get("fixed").asString());
                    }
                }));
            }
        }
        return fixes.isEmpty() ? ", and no version of it is named as fixed" : ", fixed in " + String.join(", ", fixes);
    }

    /** Asks for all holes of what ships, of whatever version; records that were written by hand stay until OSV knows them. */
    private static int renew(final Path root, final Path dist, final String osv, final PrintStream out) throws IOException, InterruptedException {
        final Map<String, JsonNode> records = new TreeMap<>();
        final Set<String> known = new TreeSet<>();
        final Set<List<String>> packages = new LinkedHashSet<>();
        shipped(root, dist).forEach(one -> packages.add(List.of(one.ecosystem, one.name)));
        try (HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
            for (final List<String> one : packages) {
                String page = "";
                do {
                    final ObjectNode query = JSON.createObjectNode();
                    query.putObject("package").put("ecosystem", one.get(0)).put("name", one.get(1));
                    if (!page.isEmpty()) {
                        query.put("page_token", page);
                    }
                    final HttpRequest request = HttpRequest.newBuilder(URI.create(osv + "/v1/query")).timeout(PATIENCE)
                            .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(query))).build();
                    final HttpResponse<String> response = ask(client, request);
                    if (response.statusCode() != 200) {
                        throw new IOException(osv + " answered " + response.statusCode() + " to a question about " + one.get(1)
                                + "; the list stays as it was");
                    }
                    final JsonNode answer = JSON.readTree(response.body());
                    for (final JsonNode hole : answer.path("vulns")) {
                        records.put(hole.path("id").asString(), pruned(hole, packages));
                        known.addAll(ids(hole));
                    }
                    page = answer.path("next_page_token").asString("");
                } while (!page.isEmpty());
            }
        }
        final Path file = root.resolve("config/known-holes.json");
        for (final JsonNode hole : JSON.readTree(file.toFile()).path("vulns")) {
            if (isByHand(hole) && ids(hole).stream().noneMatch(known::contains)) {
                records.put(hole.path("id").asString(), hole);
            }
        }
        final ObjectNode list = JSON.createObjectNode();
        list.put("renewed", LocalDate.now(ZoneOffset.UTC).toString());
        list.put("source", "OSV (https://osv.dev), by config/renew-known-holes");
        final ArrayNode vulns = list.putArray("vulns");
        records.values().forEach(vulns::add);
        final Path part = file.resolveSibling("known-holes.json.part");
        Files.writeString(part, JSON.writeValueAsString(list) + "\n");
        Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
        out.println("known holes: " + records.size() + " records for " + packages.size() + " libraries");
        return 0;
    }

    /** An address that nobody knows comes without words. */
    private static HttpResponse<String> ask(final HttpClient client, final HttpRequest request)
            throws IOException, InterruptedException {
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (final IOException e) {
            throw new IOException(request.uri().getAuthority() + " cannot be reached ("
                    + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage())
                    + "); the list stays as it was: run this where the network reaches it.", e);
        }
    }

    /** What decides, without the prose and without libraries that do not ship. */
    private static JsonNode pruned(final JsonNode hole, final Set<List<String>> packages) {
        final ObjectNode kept = JSON.createObjectNode();
        for (final String key : List.of("id", "modified", "withdrawn", "aliases", "summary")) {
            if (hole.hasNonNull(key)) {
                kept.set(key, hole.get(key));
            }
        }
        final ArrayNode affected = kept.putArray("affected");
        for (final JsonNode each : hole.path("affected")) {
            if (packages.contains(List.of(each.path("package").path("ecosystem").asString(), each.path("package").path("name").asString()))) {
                final ObjectNode its = affected.addObject();
                its.set("package", each.get("package"));
                for (final String key : List.of("ranges", "versions")) {
                    if (each.hasNonNull(key)) {
                        its.set(key, each.get(key));
                    }
                }
            }
        }
        return kept;
    }

    /**
     * A version in Maven's order: tokens between dots, hyphens and changes from digits to letters; trailing parts that say
     * nothing ("0", "final", "ga", "release") do not count; known qualifiers come before or after the release.
     */
    private record MavenVersion(List<Object> items) implements Comparable<MavenVersion> {
        private static final List<String> QUALIFIERS = List.of("alpha", "beta", "milestone", "rc", "snapshot", "", "sp");
        private static final int RELEASE = QUALIFIERS.indexOf("");
        private static final Map<String, String> ALIASES = Map.of("ga", "", "final", "", "release", "", "cr", "rc");

        static MavenVersion of(final String text) {
            final String version = text.toLowerCase(Locale.ENGLISH);
            final List<Object> top = new ArrayList<>();
            final List<List<Object>> open = new ArrayList<>(List.of(top));
            List<Object> list = top;
            int start = 0;
            boolean digits = false;
            boolean combined = false;
            for (int i = 0; i < version.length(); i++) {
                final char c = version.charAt(i);
                if (c == '.' || c == '-') {
                    list.add(i == start ? "0" : item(digits, version.substring(start, i)));
                    start = i + 1;
                    if (c == '-') {
                        if (!list.isEmpty()) {
                            list = nested(list, open);
                        }
                    }
                    digits = false;
                    combined = false;
                } else if (c >= '0' && c <= '9') {
                    if (!digits && i > start) {
                        // 1.foo1 is 1.foo-1, and a1 is alpha
                        final String letters = version.substring(start, i);
                        if (!list.isEmpty()) {
                            list = nested(list, open);
                        }
                        list.add(qualifier(letters, true));
                        start = i;
                        list = nested(list, open);
                        combined = true;
                    }
                    digits = true;
                } else {
                    if (digits && i > start) {
                        list.add(item(true, version.substring(start, i)));
                        start = i;
                        list = nested(list, open);
                    }
                    digits = false;
                }
            }
            if (version.length() > start) {
                if (!digits && !list.isEmpty()) {
                    list = nested(list, open);
                }
                list.add(item(digits, version.substring(start)));
            }
            for (int i = open.size() - 1; i >= 0; i--) {
                normalize(open.get(i));
            }
            return new MavenVersion(top);
        }

        private static List<Object> nested(final List<Object> list, final List<List<Object>> open) {
            final List<Object> inner = new ArrayList<>();
            list.add(inner);
            open.add(inner);
            return inner;
        }

        /** A number stays a text of digits without leading zeros; a qualifier begins with a colon. */
        private static String item(final boolean digits, final String text) {
            return digits ? number(text) : qualifier(text, false);
        }

        private static String number(final String digits) {
            return digits.replaceFirst("^0+(?=.)", "");
        }

        private static String qualifier(final String letters, final boolean beforeDigit) {
            final String text = beforeDigit
                    ? switch (letters) {
                        case "a" -> "alpha";
                        case "b" -> "beta";
                        case "m" -> "milestone";
                        default -> letters;
                    }
                    : letters;
            return ":" + ALIASES.getOrDefault(text, text);
        }

        private static void normalize(final List<Object> list) {
            for (int i = list.size() - 1; i >= 0; i--) {
                final Object item = list.get(i);
                if (item.equals("0") || item.equals(":") || item instanceof List<?> empty && empty.isEmpty()) {
                    final Object next = i == list.size() - 1 ? ":" : list.get(i + 1);
                    if (next instanceof List<?> inner ? !inner.isEmpty() && inner.getFirst() instanceof String : ((String) next).startsWith(":")) {
                        list.remove(i);
                    }
                } else if (!(item instanceof List)) {
                    break;
                }
            }
        }

        @Override
        public int compareTo(final MavenVersion other) {
            return compare(items, other.items);
        }

        private static int compare(final Object a, final Object b) {
            if (a == null) {
                return b == null ? 0 : -compare(b, null);
            }
            if (a instanceof List<?> list) {
                return compareList(list, b);
            }
            final String text = (String) a;
            return text.startsWith(":") ? compareQualifier(text, b) : compareNumber(text, b);
        }

        private static int compareNumber(final String number, final Object b) {
            if (b == null) {
                return number.equals("0") ? 0 : 1; // 1.0 is 1, and 1.1 is more
            }
            return b instanceof String text && !text.startsWith(":") ? compareNumbers(number, text) : 1;
        }

        static int compareNumbers(final String a, final String b) {
            return a.length() != b.length() ? Integer.compare(a.length(), b.length()) : a.compareTo(b);
        }

        private static int compareQualifier(final String qualifier, final Object b) {
            if (b == null) {
                return rank(qualifier).compareTo(String.valueOf(RELEASE));
            }
            if (b instanceof String text && text.startsWith(":")) {
                return rank(qualifier).compareTo(rank(text));
            }
            return -1; // a qualifier comes before a number and before a list
        }

        private static String rank(final String qualifier) {
            final int known = QUALIFIERS.indexOf(qualifier.substring(1));
            return known >= 0 ? String.valueOf(known) : QUALIFIERS.size() + "-" + qualifier.substring(1);
        }

        private static int compareList(final List<?> list, final Object b) {
            if (b == null) {
                for (final Object item : list) {
                    final int order = compare(item, null);
                    if (order != 0) {
                        return order;
                    }
                }
                return 0;
            }
            if (b instanceof String text) {
                return text.startsWith(":") ? 1 : -1; // 1-1 comes after 1-sp and before 1.1
            }
            final Iterator<?> left = list.iterator();
            final Iterator<?> right = ((List<?>) b).iterator();
            while (left.hasNext() || right.hasNext()) {
                final int order = compare(left.hasNext() ? left.next() : null, right.hasNext() ? right.next() : null);
                if (order != 0) {
                    return order;
                }
            }
            return 0;
        }
    }
}

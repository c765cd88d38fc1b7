import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Takes native libraries for other platforms out of the jars of a release: of some a tenth is left. The bill of materials gets
 * the new checksum of each, and says what was done to it. Same jars in, same bytes out. Run when a release is packed: {@code
 * java OwnPlatform.java FOLDER_OF_JARS BILL ARCHITECTURE}, the architecture as {@code uname -m} says it.
 */
final class OwnPlatform {
    private static final Pattern NATIVE = Pattern.compile(".*\\.(so|dll|dylib|jnilib|a|sl)(\\.\\d+)?");
    private static final Map<String, String> NAMES =
            Map.of("x86_64", "x86-64|x86_64|amd64", "aarch64", "aarch64|aarch_64|arm64");

    private OwnPlatform() {}

    public static void main(final String[] args) throws IOException {
        if (args.length != 3 || !NAMES.containsKey(args[2])) {
            System.err.println("usage: OwnPlatform FOLDER_OF_JARS BILL x86_64|aarch64");
            System.exit(2);
        }
        final Pattern own = Pattern.compile("(?i)(.*/)?linux[-_/](" + NAMES.get(args[2]) + ")/.*");
        final Map<String, String> changed = new TreeMap<>();
        final List<Path> jars;
        try (Stream<Path> files = Files.list(Path.of(args[0]))) {
            jars = files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
        }
        for (final Path jar : jars) {
            final String before = sha256(jar);
            if (strip(jar, own)) {
                changed.put(before, sha256(jar));
            }
        }
        final Path bill = Path.of(args[1]);
        Files.writeString(bill, renewed(Files.readString(bill), changed));
    }

    /** Whether something was taken out. What is left keeps its order, its times and its bytes. */
    private static boolean strip(final Path jar, final Pattern own) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            final boolean isForeign = zip.stream().anyMatch(entry -> isForeign(entry, own));
            // A library that knows no folder of ours finds its files otherwise: it stays as it is.
            if (!isForeign || zip.stream().noneMatch(entry -> own.matcher(entry.getName()).matches())) {
                return false;
            }
            final Path part = jar.resolveSibling(jar.getFileName() + ".part");
            try (OutputStream file = Files.newOutputStream(part);
                    ZipOutputStream out = new ZipOutputStream(file)) {
                for (final ZipEntry entry : zip.stream().filter(entry -> !isForeign(entry, own)).toList()) {
                    final ZipEntry copy = new ZipEntry(entry.getName());
                    copy.setTimeLocal(entry.getTimeLocal());
                    out.putNextEntry(copy);
                    try (InputStream in = zip.getInputStream(entry)) {
                        in.transferTo(out);
                    }
                    out.closeEntry();
                }
            }
            Files.move(part, jar, StandardCopyOption.REPLACE_EXISTING);
            return true;
        }
    }

    private static boolean isForeign(final ZipEntry entry, final Pattern own) {
        return NATIVE.matcher(entry.getName()).matches() && !own.matcher(entry.getName()).matches();
    }

    /** Only the SHA-256 of a changed jar stays in the bill, and a word on why it is not that of the registry. */
    private static String renewed(final String bill, final Map<String, String> changed) {
        final Matcher hashes = Pattern.compile("\"hashes\"\\s*:\\s*\\[[^\\]]*]").matcher(bill);
        return hashes.replaceAll(list -> {
            for (final Map.Entry<String, String> jar : changed.entrySet()) {
                if (list.group().contains(jar.getKey())) {
                    return Matcher.quoteReplacement(
                            "\"hashes\" : [ { \"alg\" : \"SHA-256\", \"content\" : \"" + jar.getValue() + "\" } ],\n"
                                    + "      \"properties\" : [ { \"name\" : \"tickmark:changed\","
                                    + " \"value\" : \"native libraries of other platforms taken out\" } ]");
                }
            }
            return Matcher.quoteReplacement(list.group());
        });
    }

    private static String sha256(final Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file);
                DigestInputStream digest = new DigestInputStream(in, MessageDigest.getInstance("SHA-256"))) {
            digest.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(digest.getMessageDigest().digest());
        } catch (final NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }
}

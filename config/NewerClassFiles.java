import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassHierarchyResolver.ClassHierarchyInfo;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Rewrites picocli's class files, which are of Java 5, for the format of Java 6: the JVM keeps
 * older ones in no archive of classes and checks them by an older and slower method, which took a
 * third of the time that a short command takes. Only the version and the frames that the newer
 * check needs (JVM specification, 4.7.4) are added. The bill of materials gets the new checksum,
 * and says what was done. Same jar in, same bytes out. Run by the build: {@code java
 * NewerClassFiles.java DIST}.
 */
final class NewerClassFiles {
    private static final int OLDEST_THAT_ARE_ARCHIVED = 50;
    private static final String CLASS = ".class";

    private NewerClassFiles() {}

    public static void main(final String[] args) throws IOException {
        final Path dist = Path.of(args[0]);
        try (DirectoryStream<Path> jars =
                Files.newDirectoryStream(dist.resolve("lib"), "picocli-*.jar")) {
            for (final Path jar : jars) {
                rewrite(jar);
                final Path bill = dist.resolve("tickmark.cdx.json");
                if (Files.isRegularFile(bill)) { // a quick build need not have one
                    Files.writeString(bill, renewed(Files.readString(bill), sha256(jar)));
                }
            }
        }
    }

    /** All entries keep their order and their times. */
    private static void rewrite(final Path jar) throws IOException {
        final Path part = jar.resolveSibling(jar.getFileName() + ".part");
        try (ZipFile zip = new ZipFile(jar.toFile());
                OutputStream file = Files.newOutputStream(part);
                ZipOutputStream out = new ZipOutputStream(file)) {
            final ClassFile files =
                    ClassFile.of(
                            ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
                            ClassFile.ClassHierarchyResolverOption.of(hierarchy(zip)));
            for (final ZipEntry entry : zip.stream().toList()) {
                final ZipEntry copy = new ZipEntry(entry.getName());
                copy.setTimeLocal(entry.getTimeLocal());
                out.putNextEntry(copy);
                final byte[] bytes = bytes(zip, entry);
                out.write(entry.getName().endsWith(CLASS) ? newer(files, bytes) : bytes);
                out.closeEntry();
            }
        }
        Files.move(part, jar, StandardCopyOption.REPLACE_EXISTING);
    }

    private static byte[] bytes(final ZipFile zip, final ZipEntry entry) throws IOException {
        try (InputStream in = zip.getInputStream(entry)) {
            return in.readAllBytes();
        }
    }

    private static byte[] newer(final ClassFile files, final byte[] bytes) {
        final ClassModel model = files.parse(bytes);
        if (model.majorVersion() >= OLDEST_THAT_ARE_ARCHIVED) {
            return bytes;
        }
        final ClassTransform version =
                (builder, element) -> {
                    if (element instanceof ClassFileVersion) {
                        builder.withVersion(OLDEST_THAT_ARE_ARCHIVED, 0);
                    } else {
                        builder.with(element);
                    }
                };
        return files.transformClass(
                model,
                ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL).andThen(version));
    }

    /**
     * Of the jar and of the JDK. Libraries that picocli can do without have classes of which
     * nothing is known.
     */
    private static ClassHierarchyResolver hierarchy(final ZipFile zip) {
        return ClassHierarchyResolver.ofResourceParsing(
                        (ClassDesc type) -> {
                            final String name = type.descriptorString();
                            final ZipEntry entry =
                                    zip.getEntry(name.substring(1, name.length() - 1) + CLASS);
                            try {
                                return entry == null ? null : zip.getInputStream(entry);
                            } catch (final IOException e) {
                                throw new IllegalStateException(e);
                            }
                        })
                .orElse(ClassHierarchyResolver.defaultResolver())
                .orElse(_ -> ClassHierarchyInfo.ofClass(ConstantDescs.CD_Object));
    }

    /**
     * Only the SHA-256 of the changed jar stays in the bill, and a word on why it is not that of
     * the registry; also where an earlier build has already put them there.
     */
    private static String renewed(final String bill, final String sha256) {
        final Matcher picocli =
                Pattern.compile(
                                "(\"name\"\\s*:\\s*\"picocli\".*?)\"hashes\"\\s*:\\s*\\[[^\\]]*]"
                                        + "(\\s*,\\s*\"properties\"\\s*:\\s*\\[[^\\]]*])?",
                                Pattern.DOTALL)
                        .matcher(bill);
        if (!picocli.find()) {
            throw new IllegalStateException("the bill of materials does not name picocli");
        }
        return picocli.replaceFirst(
                "$1"
                        + Matcher.quoteReplacement(
                                "\"hashes\" : [ { \"alg\" : \"SHA-256\", \"content\" : \""
                                        + sha256
                                        + "\" } ],\n"
                                        + "      \"properties\" : [ { \"name\" : \"tickmark:changed\","
                                        + " \"value\" : \"class files rewritten for the format of Java 6\" } ]"));
    }

    private static String sha256(final Path file) throws IOException {
        try {
            return HexFormat.of()
                    .formatHex(
                            MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (final NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }
}

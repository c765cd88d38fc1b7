package io.tickmark.workloads.market.data;

import io.tickmark.kernel.settings.UserError;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * An XML file read once from front to back: elements and attributes only. Nothing outside of the
 * file is ever read: a document type definition, with which entities begin, is refused; size and
 * depth are bounded.
 */
final class XmlFile implements AutoCloseable {
    /** Room for the list of 350,000 items twenty times over. */
    static final long MAX_BYTES = 512L << 20;

    private static final int MAX_DEPTH = 32;
    private static final int LONGEST_SHOWN = 60;

    private final String name;
    private final InputStream in;
    private final XMLStreamReader reader;
    private int depth;

    private XmlFile(final String name, final InputStream in) throws XMLStreamException {
        this.name = name;
        this.in = new Bounded(new BufferedInputStream(in), MAX_BYTES);
        final XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setXMLResolver(
                (publicId, systemId, base, namespace) -> InputStream.nullInputStream());
        // the JDK's own prints to standard error what the exception says
        factory.setXMLReporter((message, type, information, location) -> {});
        reader = factory.createXMLStreamReader(this.in);
    }

    /** Stops with a sentence where a file never ends. */
    private static final class Bounded extends FilterInputStream {
        private long left;

        Bounded(final InputStream in, final long most) {
            super(in);
            left = most;
        }

        @Override
        public int read() throws IOException {
            final int value = super.read();
            count(value < 0 ? 0 : 1);
            return value;
        }

        @Override
        public int read(final byte[] bytes, final int offset, final int length) throws IOException {
            final int count = super.read(bytes, offset, length);
            count(Math.max(0, count));
            return count;
        }

        private void count(final int bytes) throws IOException {
            left -= bytes;
            if (left < 0) {
                throw new IOException("it is larger than " + MAX_BYTES + " bytes");
            }
        }
    }

    /** Opens a file; {@code what} and {@code option} are for the error where there is none. */
    static XmlFile open(final Path file, final String what, final String option) {
        if (!Files.isRegularFile(file)) {
            throw UserError.usage(
                    "%s: there is no such file; name the %s with %s, or leave it out to use"
                                    .formatted(file, what, option)
                            + " tickmark's own.");
        }
        try {
            return open(file.toString(), Files.newInputStream(file));
        } catch (final IOException e) {
            throw UserError.usage(file + ": the file cannot be read: " + e.getMessage());
        }
    }

    /** Reads a stream under a name for errors. */
    static XmlFile open(final String name, final InputStream in) {
        try {
            return new XmlFile(name, in);
        } catch (final XMLStreamException | RuntimeException e) {
            throw malformed(name, 1, e);
        }
    }

    /** Moves to the root element, which must have that name. */
    void root(final String expected) {
        final String found = next();
        if (!expected.equals(found)) {
            throw error(
                    "this is <%s>, not the <%s> such a file begins with"
                            .formatted(shown(found), expected));
        }
    }

    /**
     * Moves to the next element inside the current one.
     *
     * @return its name; null where the current element ends, which is then left
     */
    String next() {
        try {
            while (reader.hasNext()) {
                switch (reader.next()) {
                    case XMLStreamConstants.START_ELEMENT -> {
                        if (++depth > MAX_DEPTH) {
                            throw error("elements are nested too deeply");
                        }
                        return reader.getLocalName();
                    }
                    case XMLStreamConstants.END_ELEMENT -> {
                        depth--;
                        return null;
                    }
                    case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> checkBlank();
                    case XMLStreamConstants.DTD, XMLStreamConstants.ENTITY_REFERENCE ->
                            throw error(
                                    "document types and entities are not supported; remove them");
                    default -> {
                        // comments, instructions, the end of the document
                    }
                }
            }
            return null;
        } catch (final XMLStreamException e) {
            throw malformed(name, Math.max(1, e.getLocation().getLineNumber()), e);
        } catch (final UserError e) {
            throw e;
        } catch (final RuntimeException e) { // the parser's own limits and errors
            throw malformed(name, Math.max(1, line()), e);
        }
    }

    private void checkBlank() {
        if (!reader.isWhiteSpace()) {
            throw error(
                    "there is text between the elements: \""
                            + shown(reader.getText().strip())
                            + "\"");
        }
    }

    /** Leaves the current element, which must hold nothing more. */
    void end(final String element) {
        final String found = next();
        if (found != null) {
            throw error("<%s> is not expected in <%s>".formatted(shown(found), element));
        }
    }

    /** The text of an attribute, null where there is none. */
    String attribute(final String attribute) {
        return reader.getAttributeValue(null, attribute);
    }

    /** The text of an attribute that must be there. */
    String needed(final String attribute) {
        final String value = attribute(attribute);
        if (value == null) {
            throw error(
                    "<%s> has no %s=\"...\"".formatted(shown(reader.getLocalName()), attribute));
        }
        return value;
    }

    /** A whole number of an attribute. */
    int number(final String attribute, final String value, final int min, final int max) {
        try {
            final int number = Integer.parseInt(value.strip());
            if (number >= min && number <= max) {
                return number;
            }
        } catch (final NumberFormatException e) {
            // reported below
        }
        throw error(
                "%s=\"%s\" is not a whole number from %d to %d"
                        .formatted(attribute, shown(value), min, max));
    }

    /** An attribute that is true or false, false where it is absent. */
    boolean flag(final String attribute) {
        final String value = attribute(attribute);
        return switch (value == null ? "false" : value.strip()) {
            case "true", "1" -> true;
            case "false", "0" -> false;
            default ->
                    throw error(
                            "%s=\"%s\" is neither true nor false"
                                    .formatted(attribute, shown(value)));
        };
    }

    /** An error at the current line. */
    UserError error(final String what) {
        return UserError.usage("%s line %d: %s.".formatted(name, line(), what));
    }

    /** The line the reader is at. */
    int line() {
        return reader.getLocation().getLineNumber();
    }

    /** User input made safe to be repeated: bounded, without control characters. */
    static String shown(final String text) {
        if (text == null) {
            return "";
        }
        final String start = text.substring(0, Math.min(text.length(), LONGEST_SHOWN));
        return start.replaceAll("\\p{Cntrl}", "?") + (text.length() > LONGEST_SHOWN ? "..." : "");
    }

    private static UserError malformed(final String name, final int line, final Exception e) {
        final Throwable cause =
                e instanceof XMLStreamException x && x.getNestedException() != null
                        ? x.getNestedException()
                        : e;
        final String message = cause.getMessage() == null ? "" : cause.getMessage();
        final int at = message.indexOf("Message: ");
        return UserError.usage(
                "%s line %d: this is not well-formed XML: %s"
                        .formatted(
                                name,
                                line,
                                shown((at < 0 ? message : message.substring(at + 9)).strip())));
    }

    @Override
    public void close() {
        try {
            reader.close();
            in.close();
        } catch (final XMLStreamException | IOException e) {
            throw UserError.usage(name + ": the file cannot be closed: " + e.getMessage());
        }
    }
}

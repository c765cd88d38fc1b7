package io.tickmark.report.compare;

import io.tickmark.lab.compare.Comparison;
import io.tickmark.lab.compare.Comparison.ComparedFigure;
import io.tickmark.lab.compare.Comparison.ComparedRow;
import io.tickmark.lab.compare.Outcome;
import io.tickmark.report.text.Figures;
import java.io.StringWriter;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * A comparison as build servers read it: each figure a test case; worse is a failure, too noisy is
 * skipped. Where nothing could be compared, the one test case is an error. The format is that of
 * Apache Ant's JUnit task, which most servers read.
 */
public final class CompareJunit {
    private final Comparison comparison;

    private CompareJunit(final Comparison comparison) {
        this.comparison = comparison;
    }

    /**
     * Composes the document.
     *
     * @param comparison to show
     * @return XML
     */
    public static String of(final Comparison comparison) {
        final StringWriter text = new StringWriter();
        try {
            final XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(text);
            new CompareJunit(comparison).write(xml);
            xml.close();
        } catch (final XMLStreamException e) {
            throw new IllegalStateException("text in memory takes any XML", e);
        }
        return text + "\n";
    }

    private void write(final XMLStreamWriter xml) throws XMLStreamException {
        xml.writeStartDocument("UTF-8", "1.0");
        xml.writeStartElement("testsuite");
        xml.writeAttribute("name", "tickmark compare");
        final boolean isEmpty = comparison.comparesNothing();
        long tests = isEmpty ? 1 : 0;
        for (final ComparedRow row : comparison.rows()) {
            tests += row.figures().size() + row.broken().size();
        }
        xml.writeAttribute("tests", Long.toString(tests));
        xml.writeAttribute("failures", Long.toString(comparison.count(Outcome.WORSE)));
        xml.writeAttribute("errors", isEmpty ? "1" : "0");
        xml.writeAttribute("skipped", Long.toString(comparison.count(Outcome.TOO_NOISY)));
        if (isEmpty) {
            start(xml, "comparison", "rows");
            said(
                    xml,
                    "error",
                    CompareWords.conclusion(comparison)
                            + " "
                            + String.join(" ", comparison.notes()));
            xml.writeEndElement();
        }
        for (final ComparedRow row : comparison.rows()) {
            for (final String sentence : row.broken()) {
                start(xml, row, "criteria");
                said(xml, "failure", sentence);
                xml.writeEndElement();
            }
            for (final ComparedFigure figure : row.figures()) {
                start(xml, row, figure.name());
                switch (figure.outcome()) {
                    case WORSE -> said(xml, "failure", sentence(figure));
                    case TOO_NOISY -> said(xml, "skipped", figure.reason());
                    default -> {}
                }
                xml.writeEndElement();
            }
        }
        xml.writeEndElement();
        xml.writeEndDocument();
    }

    private static void start(final XMLStreamWriter xml, final ComparedRow row, final String name)
            throws XMLStreamException {
        start(xml, row.side() + ": " + CompareWords.place(row, Figures.ASCII), name);
    }

    private static void start(final XMLStreamWriter xml, final String className, final String name)
            throws XMLStreamException {
        xml.writeStartElement("testcase");
        xml.writeAttribute("classname", clean(className));
        xml.writeAttribute("name", clean(name));
        xml.writeAttribute("time", "0");
    }

    private static void said(final XMLStreamWriter xml, final String element, final String sentence)
            throws XMLStreamException {
        xml.writeStartElement(element);
        xml.writeAttribute("message", clean(sentence));
        xml.writeEndElement();
    }

    private static String sentence(final ComparedFigure figure) {
        return "%s against %s: %s (%s)"
                .formatted(
                        CompareWords.value(figure, figure.other().value(), Figures.ASCII),
                        CompareWords.value(figure, figure.first().value(), Figures.ASCII),
                        CompareWords.change(figure.effect()),
                        CompareWords.interval(figure));
    }

    /** XML 1.0 has no place for control characters, escaped or not. */
    private static String clean(final String text) {
        return text.replaceAll(
                "[^\\x{20}-\\x{D7FF}\\x{E000}-\\x{FFFD}\\x{10000}-\\x{10FFFF}]", "?");
    }
}

package io.tickmark.report.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * One HTML file that needs no other: script, style and data are in it. Its content security policy
 * permits only that script, identified by its hash, and forbids loading anything. The data is in a
 * block that browsers do not run, with every character escaped that could end it.
 */
public final class HtmlFile {
    private static final String SCRIPT = "report.js";
    private static final String STYLE = "report.css";
    private static final String END = "</";
    private static final String LICENCE = "uPlot-LICENSE.txt";

    private HtmlFile() {}

    /**
     * Composes the file.
     *
     * @param title of the page
     * @param json the page's data
     * @param plain the report as plain text, for browsers that run no script
     * @return the whole file
     */
    public static String of(final String title, final String json, final String plain) {
        final String script = inlined(resource(SCRIPT), "script");
        final String style = inlined(resource(STYLE), "style");
        return """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="%s">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="referrer" content="no-referrer">
        <title>%s</title>
        <link rel="icon" href="data:,">
        <!--
        This file contains uPlot (charts) under its licence:
        %s
        -->
        <style>%s</style>
        </head>
        <body>
        <div id="report"><noscript><pre>%s</pre></noscript></div>
        <script type="application/json" id="report-data">%s</script>
        <script>%s</script>
        </body>
        </html>
        """
                .formatted(
                        policy(script, style),
                        text(title),
                        resource(LICENCE).strip().replace("--", "- -"),
                        style,
                        text(plain),
                        data(json),
                        script);
    }

    private static String policy(final String script, final String style) {
        return "default-src 'none'; script-src '%s'; style-src '%s'; img-src data:; base-uri 'none'; form-action 'none'"
                .formatted(hash(script), hash(style));
    }

    /** JSON that cannot end its block: inside strings these escapes mean the same. */
    static String data(final String json) {
        return json.replace("<", "\\u003c")
                .replace(">", "\\u003e")
                .replace("&", "\\u0026")
                .replace("\u2028", "\\u2028")
                .replace("\u2029", "\\u2029");
    }

    /** Text between tags or in a quoted attribute. */
    static String text(final String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    /** HTML does not tell capital letters in names of elements from small ones. */
    static String inlined(final String content, final String element) {
        for (int at = content.indexOf(END); at >= 0; at = content.indexOf(END, at + 1)) {
            if (content.regionMatches(true, at + END.length(), element, 0, element.length())) {
                throw new IllegalStateException("the built page would end its own " + element);
            }
        }
        return content;
    }

    private static String hash(final String content) {
        try {
            final byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(content.getBytes(StandardCharsets.UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(digest);
        } catch (final NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static String resource(final String name) {
        try (InputStream in = HtmlFile.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is not in this build");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

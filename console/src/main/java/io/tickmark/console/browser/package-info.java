/** The role that measures a real browser: a console, a Chromium, one row. */
package io.tickmark.console.browser;

/** Where commands print, and how text fits a terminal. Independent of commands. */
package io.tickmark.cli.output;

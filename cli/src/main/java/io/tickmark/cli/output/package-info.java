/** Where commands print, and how text fits a terminal. Nothing here knows a command. */
package io.tickmark.cli.output;

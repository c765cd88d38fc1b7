/** The commands: the name, the options and the delegate of each. */
package io.tickmark.cli.command;

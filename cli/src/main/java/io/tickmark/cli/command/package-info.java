/** The commands: what each is called, which options it has, and to whom it hands over. */
package io.tickmark.cli.command;

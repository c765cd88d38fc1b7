/**
 * The front door: commands are parsed and passed to the lab, and their outcome is one exit code; no
 * measuring here.
 */
package io.tickmark.cli;

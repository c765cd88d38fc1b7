/**
 * The front door: commands are parsed, handed over to the lab, and their outcome is said in one
 * exit code; no measuring here.
 */
package io.tickmark.cli;

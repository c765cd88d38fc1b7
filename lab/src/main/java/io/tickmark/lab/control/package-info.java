/** Drives runs: starts role processes, leads them through trials, and keeps what they report. */
package io.tickmark.lab.control;

/** Runs plans: starts roles, keeps trials honest, merges and judges what they report. */
package io.tickmark.lab;

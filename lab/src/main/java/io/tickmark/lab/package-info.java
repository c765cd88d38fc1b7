/** Runs plans: starts roles, checks trials, merges and judges what they report. */
package io.tickmark.lab;

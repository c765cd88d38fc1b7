/**
 * How a plan that a command composed is run here or elsewhere, told, kept and interrupted; the
 * measuring itself is the lab's.
 */
package io.tickmark.cli.run;

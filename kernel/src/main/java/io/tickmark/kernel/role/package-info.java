/** The role SPI: what a plan starts and what a user runs by hand; no process handling. */
package io.tickmark.kernel.role;

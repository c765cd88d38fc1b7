/** Where hot threads could run on a machine, and which of these places did best. */
package io.tickmark.lab.cores;
